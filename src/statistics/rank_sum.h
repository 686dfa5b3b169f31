#pragma once

#include <span>

#include "statistics/test_result.h"

namespace rondo::statistics {

/// Wilcoxon's rank sum test of two independent samples, the same as the Mann-Whitney U test.
///
/// The statistic is Mann and Whitney's U of `x`: the number of pairs in which x is larger, ties counting a half.
/// Exact means the permutation distribution of the midranks, ties or not: P(T <= t), P(T >= t), or for two sides
/// P(|T - E T| >= |t - E T|). Otherwise the normal approximation with tie and continuity correction. When all values
/// are equal nothing can differ and p is 1.
/// Up to about 250 values in all, the arrangements are counted in integers, so that p is a rational number; beyond that
/// they are summed as doubles. Exact cost: O(N k S) for N values in all, k in the smaller sample and S different sums;
/// see `max_work`.
[[nodiscard]] Result<TestResult> rank_sum_test(std::span<const double> x, std::span<const double> y,
                                               const RankTestOptions& options = {});

}  // namespace rondo::statistics
