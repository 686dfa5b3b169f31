#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "statistics/test_result.h"

namespace rondo::statistics {

struct RandomizationOptions {
  Alternative alternative = Alternative::kTwoSided;
  /// Up to this many differences that are not zero, all sign patterns are counted; 40 at most.
  std::size_t exact_limit = 36;
  std::size_t samples = 100'000;
  std::uint64_t seed = 1;
};

/// Fisher's randomization test of paired differences: how often would flipping signs at random give a mean at least
/// as extreme? The statistic is the mean difference. Exact by counting pairs of half sums, O(2^(n/2)); beyond the
/// limit by `samples` random sign patterns, p = (1 + hits) / (1 + samples), the same on every machine for one seed.
[[nodiscard]] Result<TestResult> randomization_test(std::span<const double> differences,
                                                    const RandomizationOptions& options = {});

}  // namespace rondo::statistics
