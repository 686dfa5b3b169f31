#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/bootstrap.h"
#include "statistics/kendall.h"
#include "statistics/normal.h"
#include "statistics/random.h"
#include "support/rounds.h"

namespace rondo::statistics {
namespace {

using Sample = std::vector<double>;

TEST(Normal, QuantileInvertsTheDistributionFunctionAlsoFarOut) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (const double p : {1e-300, 1e-20, 0.01, 0.3, 0.500000001, 0.8, 0.999}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-12);
  }
  EXPECT_EQ(normal_quantile(0), -INFINITY);
  EXPECT_EQ(normal_quantile(1), INFINITY);
}

TEST(Random, BelowIsEvenAndInRange) {
  Random random(1);
  std::vector<int> counts(6, 0);
  for (int i = 0; i < 60000; ++i) ++counts.at(random.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Bootstrap, RepeatsForOneSeedAndContainsTheEstimate) {
  const Sample values{0.2137, 0.5871, 0.5419, 0.9153, 1.0, 0.1291, 0.4377};
  for (const BootstrapKind kind : {BootstrapKind::kPercentile, BootstrapKind::kBca}) {
    BootstrapOptions options;
    options.kind = kind;
    options.replicates = 99;
    const auto a = bootstrap_interval(values, mean, options);
    const auto b = bootstrap_interval(values, mean, options);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->low, b->low);
    EXPECT_EQ(a->high, b->high);
    EXPECT_LT(a->low, a->estimate);
    EXPECT_GT(a->high, a->estimate);
    options.seed = 2;
    EXPECT_NE(bootstrap_interval(values, mean, options)->low, a->low);
  }
}

TEST(Bootstrap, ComesCloseToTheNormalIntervalForALargeEvenSample) {
  Sample values(1000);
  std::iota(values.begin(), values.end(), 0.0);
  // Standard error of the mean: sqrt((1000^2 - 1) / 12 / 1000) = 9.129.
  const auto interval = bootstrap_interval(values);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 499.5 - 1.96 * 9.129, 1);
  EXPECT_NEAR(interval->high, 499.5 + 1.96 * 9.129, 1);
}

TEST(Bootstrap, PercentilesInterpolateBetweenReplicates) {
  Sample replicates(101);
  std::iota(replicates.rbegin(), replicates.rend(), 0.0);
  const Interval interval = percentile_interval(50, replicates, 0.9);
  EXPECT_NEAR(interval.low, 5, 1e-12);
  EXPECT_NEAR(interval.high, 95, 1e-12);
}

TEST(Bootstrap, BcaWithoutBiasAndSkewnessIsThePercentileInterval) {
  Sample replicates(101);
  std::iota(replicates.begin(), replicates.end(), 0.0);
  const Interval interval = bca_interval(50, replicates, Sample{1, 2, 3}, 0.9);
  EXPECT_NEAR(interval.low, 5, 1e-9);
  EXPECT_NEAR(interval.high, 95, 1e-9);
}

TEST(Bootstrap, BcaMovesTowardsTheLongTail) {
  const Sample skewed{0, 0, 0, 0, 0, 0, 0, 0, 0, 10};
  BootstrapOptions options;
  const auto bca = bootstrap_interval(skewed, mean, options);
  options.kind = BootstrapKind::kPercentile;
  const auto plain = bootstrap_interval(skewed, mean, options);
  EXPECT_GT(bca->high, plain->high);
}

TEST(Bootstrap, ConstantAndSingleValuesHaveNoWidth) {
  for (const Sample& values : {Sample{0.5, 0.5, 0.5}, Sample{0.5}}) {
    const auto interval = bootstrap_interval(values);
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->low, 0.5);
    EXPECT_EQ(interval->high, 0.5);
  }
}

TEST(Bootstrap, RefusesWhatMakesNoSense) {
  BootstrapOptions options;
  EXPECT_EQ(bootstrap_interval(Sample{}).error().code, "statistics-empty");
  options.level = 1;
  EXPECT_EQ(bootstrap_interval(Sample{1}, mean, options).error().code, "statistics-level");
  options.level = NAN;
  EXPECT_EQ(bootstrap_interval(Sample{1}, mean, options).error().code, "statistics-level");
  options = {};
  options.replicates = 0;
  EXPECT_EQ(bootstrap_interval(Sample{1}, mean, options).error().code, "statistics-replicates");
}

TEST(KendallTau, CountsPairsInAndOutOfOrder) {
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Sample{1, 2, 3}, Sample{1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Sample{1, 2, 3}, Sample{3, 2, 1}), -1);
  EXPECT_NEAR(*kendall_tau_b(Sample{1, 2, 3, 4}, Sample{2, 1, 4, 3}), (4.0 - 2.0) / 6.0, 1e-15);
}

TEST(KendallTau, TiesLeaveTheDenominator) {
  // x 1 1 2, y 1 2 2: pairs ab x-tied, ac concordant, bc y-tied: 1 / sqrt(2 * 2).
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Sample{1, 1, 2}, Sample{1, 2, 2}), 0.5);
  EXPECT_EQ(kendall_tau_b(Sample{1, 1}, Sample{1, 2}).error().code, "statistics-constant");
  EXPECT_EQ(kendall_tau_b(Sample{1}, Sample{1, 2}).error().code, "statistics-lengths");
}

TEST(KendallTau, AgreesWithCountingAllPairs) {
  Random random(9);
  for (int round = 0; round < test::rounds(100); ++round) {
    const std::size_t n = 2 + random.below(40);
    Sample x(n);
    Sample y(n);
    for (double& v : x) v = static_cast<double>(random.below(8));
    for (double& v : y) v = static_cast<double>(random.below(8));
    double score = 0;
    double x_untied = 0;
    double y_untied = 0;
    const auto sign = [](double v) { return (v > 0) - (v < 0); };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        score += sign(x[i] - x[j]) * sign(y[i] - y[j]);
        x_untied += x[i] != x[j];
        y_untied += y[i] != y[j];
      }
    }
    const auto tau = kendall_tau_b(x, y);
    if (x_untied == 0 || y_untied == 0) {
      EXPECT_FALSE(tau);
    } else {
      EXPECT_NEAR(*tau, score / std::sqrt(x_untied * y_untied), 1e-12);
    }
  }
}

TEST(KendallW, IsOneForAgreementAndZeroForBalancedDisagreement) {
  EXPECT_DOUBLE_EQ(*kendall_w({{1, 2, 3}, {10, 20, 30}}), 1);
  EXPECT_DOUBLE_EQ(*kendall_w({{1, 2, 3}, {3, 2, 1}}), 0);
  // Rank sums 4 8 6 of three raters, mean 6: 12 * 8 / (9 * 24) = 4/9.
  EXPECT_NEAR(*kendall_w({{1, 3, 2}, {1, 2, 3}, {2, 3, 1}}), 4.0 / 9, 1e-15);
  EXPECT_EQ(kendall_w({}).error().code, "statistics-empty");
  EXPECT_EQ(kendall_w({{1, 1}, {2, 2}}).error().code, "statistics-constant");
  EXPECT_EQ(kendall_w({{1, 1}, {2}}).error().code, "statistics-lengths");
}

}  // namespace
}  // namespace rondo::statistics
