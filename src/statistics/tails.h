#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "statistics/normal.h"
#include "statistics/test_result.h"

namespace rondo::statistics {

/// Ranks moved and scaled to the smallest whole numbers with the same spacing: fewer different sums to count.
/// `original = offset + step * reduced`.
struct ReducedRanks {
  std::vector<std::int64_t> reduced;
  std::int64_t offset = 0;
  std::int64_t step = 1;
};

inline ReducedRanks reduce_ranks(std::vector<std::int64_t> ranks, bool movable) {
  ReducedRanks out;
  if (ranks.empty()) return out;
  out.offset = movable ? *std::min_element(ranks.begin(), ranks.end()) : 0;
  std::int64_t step = 0;
  for (std::int64_t& rank : ranks) {
    rank -= out.offset;
    step = std::gcd(step, rank);
  }
  out.step = std::max<std::int64_t>(step, 1);
  for (std::int64_t& rank : ranks) rank /= out.step;
  out.reduced = std::move(ranks);
  return out;
}

/// p from the normal approximation for a statistic that moves in steps of a half or more, with continuity correction
/// of a half towards the mean.
inline double normal_tail(double deviation, double variance, Alternative alternative) {
  if (variance <= 0) return 1;
  const double sigma = std::sqrt(variance);
  switch (alternative) {
    case Alternative::kGreater: return normal_cdf(-(deviation - 0.5) / sigma);
    case Alternative::kLess: return normal_cdf((deviation + 0.5) / sigma);
    case Alternative::kTwoSided: break;
  }
  const double towards_mean = deviation == 0 ? 0 : std::abs(deviation) - 0.5;
  return std::min(1.0, 2 * normal_cdf(-std::abs(towards_mean) / sigma));
}

}  // namespace rondo::statistics
