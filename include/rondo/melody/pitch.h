#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo {

/// A spelled pitch: name, alteration, octave. Octave 4 begins at middle C, so C4 is MIDI 60.
struct Pitch {
  std::int8_t step = 0;    ///< 0..6 for C D E F G A B
  std::int8_t alter = 0;   ///< semitones: -1 flat, +1 sharp; readers keep it within kMaxAlter
  std::int8_t octave = 4;  ///< scientific octave of the name (B sharp 3 sounds as C4)

  static constexpr int kMaxAlter = 3;

  /// May lie outside 0..127 for extreme octaves: see `playable`.
  [[nodiscard]] constexpr int midi() const { return 12 * (octave + 1) + kSemitones[step] + alter; }
  [[nodiscard]] constexpr bool playable() const { return midi() >= 0 && midi() <= 127; }
  /// Steps of the staff, counted from C0: differences are diatonic intervals (a third is 2).
  [[nodiscard]] constexpr int diatonic() const { return 7 * octave + step; }
  /// Hewlett's base-40 number: intervals keep their spelling. C of octave 0 is 3 (C double flat is 1).
  [[nodiscard]] constexpr int base40() const { return 40 * octave + kBase40[step] + alter; }

  /// A plausible spelling of a MIDI number where the source gives none: sharps or flats after the key signature
  /// (`fifths` > 0 sharps); in C: C C# D Eb E F F# G G# A Bb B.
  [[nodiscard]] static Pitch from_midi(int midi, int fifths = 0);
  /// "C4", "F#5", "Bb3", "Abb2", "G##4"; also with x for double sharp on input.
  [[nodiscard]] static std::optional<Pitch> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;

  friend constexpr auto operator<=>(const Pitch&, const Pitch&) = default;

 private:
  static constexpr std::int8_t kSemitones[7] = {0, 2, 4, 5, 7, 9, 11};
  static constexpr std::int8_t kBase40[7] = {3, 9, 15, 20, 26, 32, 38};
};

/// 0..6 for C D E F G A B in either case; -1 for anything else.
[[nodiscard]] constexpr int step_of_letter(char letter) {
  switch (letter | 0x20) {
    case 'c': return 0;
    case 'd': return 1;
    case 'e': return 2;
    case 'f': return 3;
    case 'g': return 4;
    case 'a': return 5;
    case 'b': return 6;
    default: return -1;
  }
}

[[nodiscard]] constexpr char letter_of_step(int step) { return "CDEFGAB"[step]; }

}  // namespace rondo
