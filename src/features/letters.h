#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rondo/melody/line.h"

/// Melodies as strings over three letters, one letter for each pair of adjacent notes.
namespace rondo {

/// 'U', 'D', 'R': up, down, repeated.
[[nodiscard]] std::string contour_string(std::span<const std::int16_t> pitches);
[[nodiscard]] std::string contour_string(const Line& line);
inline constexpr char kContourNeutral = 'R';

/// 'L', 'S', 'E': the second is longer, shorter, equal. Durations count, rests do not.
[[nodiscard]] std::string rhythm_string(std::span<const Fraction> durations);
[[nodiscard]] std::string rhythm_string(const Line& line);
inline constexpr char kRhythmNeutral = 'E';

}  // namespace rondo
