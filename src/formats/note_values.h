#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rondo/melody/signature.h"

/// Conversion of durations to notation: plain and dotted note values, tied if one is not enough, in tuplets if the beat
/// is not divided by powers of two. All writers of notation use it, so that none emits a value that does not exist in
/// notation.
namespace rondo {

/// A note or rest between two times. Adjacent spans have no gaps between them.
struct TimeSpan {
  Fraction begin;
  Fraction end;
};

inline constexpr std::size_t kNoTuplet = SIZE_MAX;

/// One written note or rest.
struct NoteValue {
  std::size_t span = 0;  ///< which TimeSpan it belongs to
  Fraction base;         ///< 1/4: a quarter; 2: a breve
  int dots = 0;
  Fraction time;  ///< how long it sounds
  std::size_t tuplet = kNoTuplet;

  /// base with its dots, without the tuplet.
  [[nodiscard]] Fraction written() const;
};

/// `num` notes in the time of `numbase`, over adjacent values.
struct Tuplet {
  std::int64_t num = 3;
  std::int64_t numbase = 2;
  std::size_t first = 0;
  std::size_t count = 0;
};

struct Rhythm {
  std::vector<NoteValue> values;
  std::vector<Tuplet> tuplets;
};

/// What the format can write.
struct ValueRange {
  std::int64_t shortest = 256;  ///< denominator of the shortest value
  Fraction longest = 4;
};

/// The spans of one measure as values. A tuplet begins and ends at binary divisions of the beat; if it crosses a beat
/// (counted from `origin`) at which it can be split, it is split and tied. nullopt if notation cannot express a time:
/// shorter than `range.shortest`, in a tuplet shorter than a 128th, or in a tuplet of more than 63.
[[nodiscard]] std::optional<Rhythm> notate(std::span<const TimeSpan> spans, Fraction origin, Fraction beat,
                                           const ValueRange& range);

/// The values of a time that needs no tuplet, longest first; empty where there are none.
[[nodiscard]] std::vector<NoteValue> plain_values(Fraction time, const ValueRange& range);

/// A quarter in 3/4, a dotted quarter in 6/8; a quarter where no metre is known.
[[nodiscard]] Fraction beat_of(const TimeSignature* time);

/// Denominator a power of two.
[[nodiscard]] bool is_dyadic(Fraction time);

/// The message of `cannot-write` if `notate` fails.
inline constexpr const char* kNotNotatable = "its times cannot be expressed with note values and tuplets";
inline constexpr const char* kNotNotatableHint =
    "MIDI and JSON lines hold any time; MIDI that was imported with --as-played can be imported again without it";

}  // namespace rondo
