#include "statistics/randomization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/random.h"
#include "statistics/ranks.h"
#include "whole_number.h"

namespace rondo::statistics {
namespace {

/// All 2^n sums of the values with either sign, in order: each value merges the list moved down with it moved up.
std::vector<double> signed_sums(std::span<const double> sizes) {
  std::vector<double> sums{0.0};
  std::vector<double> merged;
  for (const double size : sizes) {
    merged.resize(sums.size() * 2);
    std::size_t up = 0;
    std::size_t down = 0;
    for (double& sum : merged) {
      const bool take_down = down < sums.size() && sums[down] - size <= sums[up] + size;
      sum = take_down ? sums[down++] - size : sums[up++] + size;
    }
    sums.swap(merged);
  }
  return sums;
}

/// How many of all sign patterns have a sum of at least `bound`.
std::uint64_t count_at_least(std::span<const double> sizes, double bound) {
  const std::size_t half = sizes.size() / 2;
  const std::vector<double> left = signed_sums(sizes.first(half));
  const std::vector<double> right = signed_sums(sizes.subspan(half));
  std::uint64_t hits = 0;
  std::size_t from = right.size();  // right[from..] reach the bound together with the current left sum
  for (const double sum : left) {
    while (from > 0 && sum + right[from - 1] >= bound) --from;
    hits += right.size() - from;
  }
  return hits;
}

PValue sampled_share(std::span<const double> sizes, double bound, bool both_ends, const RandomizationOptions& options) {
  Random random(options.seed);
  std::size_t hits = 0;
  for (std::size_t sample = 0; sample < options.samples; ++sample) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i % 64 == 0) bits = random.next();
      sum += (bits & 1U) != 0 ? sizes[i] : -sizes[i];
      bits >>= 1U;
    }
    if ((both_ends ? std::abs(sum) : sum) >= bound) ++hits;
  }
  return PValue(ExactP{whole_number(hits + 1), whole_number(options.samples + 1)});
}

}  // namespace

Result<TestResult> randomization_test(std::span<const double> differences, const RandomizationOptions& options) {
  if (auto fine = check_sample(differences, "the sample of differences"); !fine) return fail(std::move(fine.error()));
  const double sum = std::accumulate(differences.begin(), differences.end(), 0.0);
  TestResult result;
  result.alternative = options.alternative;
  result.statistic = sum / static_cast<double>(differences.size());

  std::vector<double> sizes;
  double largest = 0;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    largest += sizes.back();
  }
  // Sums that are mathematically equal differ by rounding; the observed pattern itself must always count.
  const double slack = 1e-12 * largest;
  const bool both_ends = options.alternative == Alternative::kTwoSided;
  if (sizes.empty() || (both_ends && std::abs(sum) <= slack)) return result;
  const double extreme = both_ends ? std::abs(sum) : options.alternative == Alternative::kLess ? -sum : sum;
  if (sizes.size() <= std::min<std::size_t>(options.exact_limit, 40)) {
    const PValue share(ExactP{whole_number(count_at_least(sizes, extreme - slack)), power_of_two(sizes.size())});
    result.set_p(both_ends ? share.times(2) : share);
    return result;
  }
  result.set_p(sampled_share(sizes, extreme - slack, both_ends, options));
  result.method = Method::kMonteCarlo;
  return result;
}

}  // namespace rondo::statistics
