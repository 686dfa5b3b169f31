#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "rondo/melody/line.h"

namespace rondo {

/// A grid (ticks per whole note) on which the times of both melodies are whole; never finer than kFinestGrid, so that
/// sums of products of times and small numbers always fit 64 bits.
[[nodiscard]] inline std::int64_t common_ticks(const Line& a, const Line& b) {
  return std::min(std::lcm(a.ticks_per_whole, b.ticks_per_whole), kFinestGrid);
}

/// A time of `line` on that grid; rounded down if the grid had to be coarser.
[[nodiscard]] inline std::int64_t in_ticks(const Line& line, std::int64_t time, std::int64_t grid) {
  if (grid % line.ticks_per_whole == 0) return time * (grid / line.ticks_per_whole);
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(Wide{time} * grid / line.ticks_per_whole);
}

}  // namespace rondo
