#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// Melodies as strings over small alphabets, for the systems that compare strings.
namespace rondo {

/// Directed intervals modulo the octave (similarity.md, section 2): unison 0, sign(i) * (1 + (|i|-1) mod 12).
[[nodiscard]] std::vector<std::int8_t> interval_symbols(const Line& line);

/// The ratio of each inter-onset interval to the one before it, in letters S s R l L: much shorter (a quarter or less),
/// shorter (half or less), similar, longer (twice or more), much longer (four times or more). 0..4; needs three notes.
[[nodiscard]] std::vector<std::int8_t> ioi_letters(const Line& line);
/// A single letter. In whole ticks, so the boundaries at 1/4, 1/2, 2 and 4 are exact.
[[nodiscard]] inline int ioi_letter(std::int64_t before, std::int64_t now) {
  if (now >= 4 * before) return 4;
  if (now >= 2 * before) return 3;
  if (4 * now <= before) return 0;
  return 2 * now <= before ? 1 : 2;
}

/// The scores of pairs of these letters, rows and columns S s R l L.
inline constexpr std::array<std::array<int, 5>, 5> kLetterScores = {{
    {1, 0, -3, -3, -3},
    {0, 2, -2, -3, -3},
    {-3, -2, 3, -2, -3},
    {-3, -3, -2, 2, 0},
    {-3, -3, -3, 0, 1},
}};

}  // namespace rondo
