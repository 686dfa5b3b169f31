#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::statistics {

/// Ranks from 1, smallest first; equal values share the mean of their ranks. Twice that mean is always whole, so
/// doubled ranks are kept: sums of them are exact and a distribution can be indexed by them.
struct Ranking {
  std::vector<std::int64_t> doubled;
  /// Sum of t^3 - t over the groups of t equal values; 0 when there are no ties.
  double tie_term = 0;
};

/// The values must be finite. O(n log n).
[[nodiscard]] Ranking rank_values(std::span<const double> values);

/// Error `statistics-empty` or `statistics-not-finite` when a sample cannot be tested.
[[nodiscard]] Result<void> check_sample(std::span<const double> values, std::string_view what);

}  // namespace rondo::statistics
