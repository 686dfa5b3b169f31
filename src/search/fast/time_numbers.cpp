#include "search/fast/time_numbers.h"

#include <algorithm>
#include <set>

namespace rondo::fast {

using index::Segment;

TimeNumbers::TimeNumbers(const Segment& segment) : gap_row_(kCodes, 0) {
  // Row 0 is for notes that follow at once, the last for gaps that are out of bounds; commoner ones have lower codes.
  constexpr std::size_t kMostGaps = 60;
  constexpr std::size_t kMostTimes = kNone;
  std::vector<std::int32_t> gaps = {0};
  for (std::size_t code = 0; code < kCodes; ++code) {
    const Segment::Ticks time = segment.ticks_of_code(static_cast<std::uint8_t>(code));
    auto found = std::find(gaps.begin(), gaps.end(), time.gap);
    if (found == gaps.end() && time.duration > 0 && gaps.size() < kMostGaps) found = gaps.insert(gaps.end(), time.gap);
    const bool known = time.duration > 0 && found != gaps.end();
    gap_row_[code] = static_cast<std::uint8_t>(known ? static_cast<std::size_t>(found - gaps.begin()) : kMostGaps);
  }
  std::set<std::int32_t> times;
  const auto time_of = [&](std::size_t row, std::size_t code) {
    return segment.ticks_of_code(static_cast<std::uint8_t>(code)).duration + gaps[row];
  };
  const auto each = [&](const auto& visit) {
    for (std::size_t row = 0; row < gaps.size(); ++row) {
      for (std::size_t code = 0; code < kCodes; ++code) {
        if (segment.ticks_of_code(static_cast<std::uint8_t>(code)).duration > 0) visit(row, code);
      }
    }
  };
  each([&](std::size_t row, std::size_t code) {
    if (times.size() < kMostTimes) times.insert(time_of(row, code));
  });
  ticks_.assign(times.begin(), times.end());
  number_.assign((kMostGaps + 1) * kCodes, kNone);
  each([&](std::size_t row, std::size_t code) {
    const auto found = std::lower_bound(ticks_.begin(), ticks_.end(), time_of(row, code));
    if (found == ticks_.end() || *found != time_of(row, code)) return;
    number_[row * kCodes + code] = static_cast<std::uint8_t>(found - ticks_.begin());
  });
}

bool TimeNumbers::read(const Segment& segment, const Segment::Notes& notes, std::vector<std::uint8_t>& out) const {
  const std::span<const std::uint8_t> codes = segment.time_codes(notes);
  out.resize(codes.size());
  if (codes.empty()) return true;
  bool known = true;
  for (std::size_t i = 0; i + 1 < codes.size(); ++i) {
    const std::uint8_t number = number_[gap_row_[codes[i + 1]] * kCodes + codes[i]];
    known &= number != kNone;
    out[i] = number;
  }
  out.back() = number_[codes.back()];
  return known && out.back() != kNone;
}

}  // namespace rondo::fast
