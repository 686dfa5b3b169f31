#pragma once

#include <cstdint>
#include <vector>

#include "search/index/segment.h"

namespace rondo::fast {

/// Times between onsets as small numbers, in the order of their lengths: what a rhythm is made of, found by a look into
/// a table for each note. For one segment.
class TimeNumbers {
 public:
  explicit TimeNumbers(const index::Segment& segment);

  /// For each note the time to the next onset, of the last its duration. False: one of them has no number.
  [[nodiscard]] bool read(const index::Segment& segment, const index::Segment::Notes& notes,
                          std::vector<std::uint8_t>& out) const;
  /// What the numbers stand for, on the grid of Segment::ticks.
  [[nodiscard]] const std::vector<std::int32_t>& ticks() const { return ticks_; }

 private:
  static constexpr std::uint8_t kNone = 255;
  static constexpr std::size_t kCodes = 256;
  std::vector<std::int32_t> ticks_;
  std::vector<std::uint8_t> gap_row_;  ///< by the code of the note that follows
  std::vector<std::uint8_t> number_;   ///< by row and code
};

}  // namespace rondo::fast
