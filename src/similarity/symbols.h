#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// Melodies as short alphabets, for the systems that compare strings.
namespace rondo {

/// Directed intervals modulo the octave (similarity.md, section 2): unison 0, sign(i) * (1 + (|i|-1) mod 12).
[[nodiscard]] std::vector<std::int8_t> interval_symbols(const Line& line);

/// How each time between onsets relates to the one before it, in letters S s R l L: much shorter (a quarter or less),
/// shorter (half or less), similar, longer (twice or more), much longer (four times or more). 0..4; needs three notes.
[[nodiscard]] std::vector<std::int8_t> ioi_letters(const Line& line);

}  // namespace rondo
