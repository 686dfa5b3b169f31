#pragma once

#include <array>

#include "rondo/melody/line.h"

namespace rondo {

struct KeyGuess {
  int tonic = 0;  ///< pitch class, 0 for C
  bool minor = false;
  friend bool operator==(const KeyGuess&, const KeyGuess&) = default;
};

/// The key whose profile correlates best with the time a melody spends on each pitch class. A transposed melody gets
/// the transposed key: of equally good keys, the one whose tonic is next above the first note's pitch class, major
/// first. Source: C. Krumhansl: Cognitive foundations of musical pitch, 1990 (profiles of Krumhansl and Kessler, 1982).
/// An empty line is in C major.
[[nodiscard]] KeyGuess guess_key(const Line& line);

/// Ticks of a line spent on each pitch class, 0 for C: whole numbers.
using PitchClassTimes = std::array<double, 12>;
/// Maximal total, so that the sums of products are exact.
inline constexpr std::int64_t kMostKeyTime = std::int64_t{1} << 38;
/// The same from times, at most kMostKeyTime in total; `first` is the pitch class of the first note.
[[nodiscard]] KeyGuess guess_key(const PitchClassTimes& time, int first);

}  // namespace rondo
