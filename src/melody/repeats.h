#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// A segment of written music (usually a measure) and the repeat signs of its bar lines.
struct RepeatMark {
  bool starts = false;        ///< a repeat begins before it ( |: )
  std::uint8_t ends = 0;      ///< a repeat ends after it: how often the section is played in all, 2 for a plain :|
  std::uint32_t endings = 0;  ///< bit i-1 set: played only on pass i (first ending = 1); 0: on every pass
  friend bool operator==(const RepeatMark&, const RepeatMark&) = default;
};

/// The playing order of the segments, as indices into `marks`. A `:|` without `|:` goes back to the last repeat end, or
/// the beginning. A segment of an ending for a later pass may follow the `:|`. Error `repeats-too-long` if the result
/// would have more than `limit` segments.
[[nodiscard]] Result<std::vector<std::uint32_t>> play_order(std::span<const RepeatMark> marks,
                                                            std::size_t limit = 100'000);

}  // namespace rondo
