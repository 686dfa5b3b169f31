#pragma once

#include <span>

#include "statistics/test_result.h"

namespace rondo::statistics {

/// What happens to differences of zero. Wilcoxon leaves them out before ranking; Pratt ranks them with the others and
/// leaves them out then, so that they still push the others up.
enum class Zeros : std::uint8_t { kWilcoxon, kPratt };

struct SignedRankOptions : RankTestOptions {
  Zeros zeros = Zeros::kWilcoxon;
};

/// Wilcoxon's signed rank test of paired differences. The statistic is V, the sum of the ranks of the positive ones.
/// Exact: all 2^n signs equally likely on the midranks as they are, ties or not; two-sided is twice the smaller tail,
/// at most 1. Otherwise the normal approximation with tie and continuity correction. Without any difference that is not
/// zero, p is 1. Exact cost: O(n S) for S different sums, n^3/2 without ties; see `max_work`.
///
/// Differences of computed values carry rounding noise that breaks ties; round them first if that matters.
[[nodiscard]] Result<TestResult> signed_rank_test(std::span<const double> differences,
                                                  const SignedRankOptions& options = {});

}  // namespace rondo::statistics
