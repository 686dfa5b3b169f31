#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rondo/melody/builder.h"

namespace rondo::test {

/// Every melody of up to `longest` notes, each of one of a few pitches and durations: few enough to try all of them,
/// and rich in what is rare elsewhere: equal scores, melodies that are too short, one pitch only.
struct SmallWorld {
  std::vector<int> pitches;  ///< MIDI numbers
  std::vector<Fraction> durations;
  std::size_t longest = 0;

  /// Four pitches with 2, 3, 5, 7, 10 and 12 semitones between them, on both sides of every limit that a system draws;
  /// and two durations: 8 melodies of one note, 37,448 of up to five.
  [[nodiscard]] static SmallWorld of_four_pitches(std::size_t longest) {
    return {{60, 62, 65, 72}, {Fraction(1, 4), Fraction(1, 8)}, longest};
  }
  /// Long enough for systems that compare windows of notes, and full of windows that recur.
  [[nodiscard]] static SmallWorld of_two_pitches(std::size_t longest) { return {{60, 67}, {Fraction(1, 4)}, longest}; }

  [[nodiscard]] std::size_t kinds_of_notes() const { return pitches.size() * durations.size(); }
  /// The number of melodies with up to `notes` notes.
  [[nodiscard]] std::size_t melodies(std::size_t notes) const {
    std::size_t count = 0;
    for (std::size_t n = 0, of_length = 1; n < notes; ++n) count += of_length *= kinds_of_notes();
    return count;
  }
  [[nodiscard]] std::size_t melodies() const { return melodies(longest); }

  /// The notes of melody `number`, the shortest melodies first: each a number below kinds_of_notes().
  [[nodiscard]] std::vector<std::size_t> notes_of(std::size_t number) const {
    std::size_t length = 1;
    for (std::size_t of_length = kinds_of_notes(); number >= of_length; of_length *= kinds_of_notes()) {
      number -= of_length;
      ++length;
    }
    std::vector<std::size_t> out(length);
    for (std::size_t& note : out) {
      note = number % kinds_of_notes();
      number /= kinds_of_notes();
    }
    return out;
  }
  [[nodiscard]] Voice melody(std::size_t number) const {
    VoiceBuilder builder;
    Fraction at;
    for (const std::size_t note : notes_of(number)) {
      const Fraction duration = durations[note / pitches.size()];
      builder.note(at, duration, Pitch::from_midi(pitches[note % pitches.size()]));
      at += duration;
    }
    return builder.finish().value();
  }
};

/// "C4 1/4 F4 1/8": what a test that fails says.
[[nodiscard]] inline std::string in_words(const Voice& voice) {
  std::string out;
  for (const Note& note : voice.notes) {
    out += (out.empty() ? "" : " ") + note.pitch.to_string() + " " + note.duration.to_string();
  }
  return out;
}

/// The numbers below `count`, each once, in an order without pattern that is the same on every machine.
[[nodiscard]] inline std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i;
  for (std::size_t i = count; i > 1; --i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    std::swap(out[i - 1], out[static_cast<std::size_t>(seed >> 33U) % i]);
  }
  return out;
}

}  // namespace rondo::test
