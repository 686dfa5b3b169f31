#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::statistics {

/// The percentile interval takes quantiles of the replicates; BCa (Efron 1987) moves them for bias and skewness.
enum class BootstrapKind : std::uint8_t { kPercentile, kBca };

struct BootstrapOptions {
  BootstrapKind kind = BootstrapKind::kBca;
  double level = 0.95;
  std::size_t replicates = 10'000;
  std::uint64_t seed = 1;
};

struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
  double level = 0.95;
};

using Statistic = std::function<double(std::span<const double>)>;

[[nodiscard]] double mean(std::span<const double> values);

/// Confidence interval of a statistic of one sample. Deterministic for a seed. O(replicates * n), plus n calls on
/// n - 1 values for BCa. A sample without spread gives an interval without width.
[[nodiscard]] Result<Interval> bootstrap_interval(std::span<const double> values, const Statistic& statistic = mean,
                                                  const BootstrapOptions& options = {});

/// The two rules on replicates that are already there; at least one is needed. Quantiles interpolate linearly between
/// order statistics (Hyndman and Fan's type 7). `jackknife` holds the statistic with each value left out in turn.
[[nodiscard]] Interval percentile_interval(double estimate, std::vector<double> replicates, double level);
[[nodiscard]] Interval bca_interval(double estimate, std::vector<double> replicates, std::span<const double> jackknife,
                                    double level);

}  // namespace rondo::statistics
