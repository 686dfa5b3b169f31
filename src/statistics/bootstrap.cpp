#include "statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/normal.h"
#include "statistics/random.h"
#include "statistics/ranks.h"

namespace rondo::statistics {
namespace {

double quantile(const std::vector<double>& sorted, double p) {
  const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Bias: how far the estimate is from the median of the replicates, in normal units; replicates equal to the estimate
/// count half. Kept finite when all replicates lie on one side.
double bias(double estimate, const std::vector<double>& sorted) {
  const auto below = std::lower_bound(sorted.begin(), sorted.end(), estimate);
  const auto above = std::upper_bound(below, sorted.end(), estimate);
  const auto count = static_cast<double>(sorted.size());
  const double share = (static_cast<double>(below - sorted.begin()) + static_cast<double>(above - below) / 2) / count;
  return normal_quantile(std::clamp(share, 0.5 / count, 1 - 0.5 / count));
}

/// Efron's acceleration: a sixth of the skewness of the jackknife values.
double acceleration(std::span<const double> jackknife) {
  const double centre = mean(jackknife);
  double squares = 0;
  double cubes = 0;
  for (const double value : jackknife) {
    const double d = centre - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

std::vector<double> resample(std::span<const double> values, const Statistic& statistic,
                             const BootstrapOptions& options) {
  Random random(options.seed);
  std::vector<double> sample(values.size());
  std::vector<double> replicates;
  replicates.reserve(options.replicates);
  for (std::size_t r = 0; r < options.replicates; ++r) {
    for (double& value : sample) value = values[random.below(values.size())];
    replicates.push_back(statistic(sample));
  }
  return replicates;
}

std::vector<double> leave_one_out(std::span<const double> values, const Statistic& statistic) {
  std::vector<double> left;
  if (values.size() < 2) return left;
  std::vector<double> rest(values.begin() + 1, values.end());
  left.push_back(statistic(rest));
  for (std::size_t i = 1; i < values.size(); ++i) {
    rest[i - 1] = values[i - 1];
    left.push_back(statistic(rest));
  }
  return left;
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Interval percentile_interval(double estimate, std::vector<double> replicates, double level) {
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - level) / 2;
  return {estimate, quantile(replicates, tail), quantile(replicates, 1 - tail), level};
}

Interval bca_interval(double estimate, std::vector<double> replicates, std::span<const double> jackknife,
                      double level) {
  std::sort(replicates.begin(), replicates.end());
  const double z0 = bias(estimate, replicates);
  const double a = acceleration(jackknife);
  const auto moved = [&](double p) {
    const double z = z0 + normal_quantile(p);
    return quantile(replicates, normal_cdf(z0 + z / (1 - a * z)));
  };
  const double tail = (1 - level) / 2;
  return {estimate, moved(tail), moved(1 - tail), level};
}

Result<Interval> bootstrap_interval(std::span<const double> values, const Statistic& statistic,
                                    const BootstrapOptions& options) {
  if (auto fine = check_sample(values, "the sample"); !fine) return fail(std::move(fine.error()));
  if (!(options.level > 0 && options.level < 1)) {
    return fail("statistics-level", "a confidence level lies between 0 and 1, for instance 0.95");
  }
  if (options.replicates == 0) return fail("statistics-replicates", "a bootstrap needs at least one replicate");
  const double estimate = statistic(values);
  std::vector<double> replicates = resample(values, statistic, options);
  if (options.kind == BootstrapKind::kPercentile) {
    return percentile_interval(estimate, std::move(replicates), options.level);
  }
  return bca_interval(estimate, std::move(replicates), leave_one_out(values, statistic), options.level);
}

}  // namespace rondo::statistics
