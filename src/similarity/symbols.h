#pragma once

#include <cstdint>
#include <vector>

#include "rondo/similarity/line.h"

/// Melodies as short alphabets, for the systems that compare strings.
namespace rondo {

/// Directed intervals modulo the octave (similarity.md, section 2): unison 0, sign(i) * (1 + (|i|-1) mod 12).
[[nodiscard]] std::vector<std::int8_t> interval_symbols(const Line& line);

/// How each time between onsets relates to the one before it, in letters S s R l L: much shorter (a quarter or less),
/// shorter (half or less), similar, longer (twice or more), much longer (four times or more). 0..4; needs three notes.
[[nodiscard]] std::vector<std::int8_t> ioi_letters(const Line& line);

/// 'U', 'D', 'R' for each pair of neighbours: up, down, repeated.
[[nodiscard]] std::vector<char> contour_string(const Line& line);
/// 'L', 'S', 'E' for each pair of neighbours: the second is longer, shorter, equal.
[[nodiscard]] std::vector<char> rhythm_string(const Line& line);

}  // namespace rondo
