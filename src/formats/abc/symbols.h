#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "formats/abc/script.h"
#include "formats/abc/text.h"

/// Scanners for single symbols of a line of music, independent of the tune.
namespace rondo::abc {

/// How far an accidental reaches within its measure (I:propagate-accidentals).
enum class Propagation : std::uint8_t { none, octave, pitch };

/// The accidentals in force: those of the key, and those written since the last bar line.
class Accidentals {
 public:
  void propagate(Propagation how) {
    how_ = how;
    clear();
  }
  void key(const KeySignature& signature) {
    signature_ = signature;
    clear();
  }
  void clear() { written_.fill(kNone); }
  void write(int step, int octave, int alter);
  [[nodiscard]] int alter(int step, int octave) const;

 private:
  static constexpr std::int8_t kNone = INT8_MIN;
  static constexpr int kOctaves = 16;
  [[nodiscard]] std::size_t slot(int step, int octave) const;

  Propagation how_ = Propagation::pitch;
  KeySignature signature_;
  std::array<std::int8_t, 7 * kOctaves> written_ = filled();

  static constexpr std::array<std::int8_t, 7 * kOctaves> filled() {
    std::array<std::int8_t, 7 * kOctaves> none{};
    none.fill(kNone);
    return none;
  }
};

/// A note name with its accidental and octave marks, before key and settings: "^c'", "_B,,".
struct NoteName {
  int step = 0;
  int octave = 4;
  std::optional<int> alter;
  bool rounded = false;  ///< a microtone, taken to the nearest semitone
  bool extreme = false;  ///< more accidentals or octave marks than any pitch has; truncated
};
/// nullopt, with the cursor unchanged, if no note name begins here.
[[nodiscard]] std::optional<NoteName> scan_note_name(Cursor& in);

/// Any shape of bar line with the ending that begins at it: | || |] [| |: :| :: :|: ::| .| |1 :|2 [1,3 [1-2 [|].
/// nullopt, with the cursor unchanged, if none begins here. `odd` is set if the shape is unknown.
[[nodiscard]] std::optional<BarSign> scan_bar(Cursor& in, bool& odd);

/// (p, (p:q, (p:q:r, (p::r: r notes, each q/p of its length.
struct TupletSign {
  Fraction ratio = 1;
  std::int64_t notes = 0;
};
/// Precondition: the cursor is after the bracket, at the digit. nullopt if the numbers are invalid.
[[nodiscard]] std::optional<TupletSign> scan_tuplet(Cursor& in, bool compound);

}  // namespace rondo::abc
