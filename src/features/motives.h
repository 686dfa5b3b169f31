#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rondo {

/// A sequence of intervals that occurs at least twice without overlapping.
struct Motive {
  std::uint32_t first = 0;   ///< where it occurs first: index of its first interval
  std::uint32_t length = 0;  ///< intervals
  std::uint32_t count = 0;   ///< occurrences, counted from the left, none overlapping the one before
  friend bool operator==(const Motive&, const Motive&) = default;
};

/// Repeated sequences of two to kLongestMotive intervals. A sequence that occurs only as a part of a longer one (which
/// occurs as often) is not listed, because the longer one implies it. So the count of any sequence is the highest count
/// of a motive that contains it. (Single intervals are in the histogram.)
///
/// Sorted by count (descending), length (descending), position; at most kMostMotives.
[[nodiscard]] std::vector<Motive> repeated_motives(std::span<const std::int16_t> intervals);

inline constexpr std::uint32_t kLongestMotive = 32;
inline constexpr std::size_t kMostMotives = 64;

}  // namespace rondo
