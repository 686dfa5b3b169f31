#include "statistics/rank_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "enumerated.h"
#include "statistics/random.h"
#include "statistics/ranks.h"
#include "support/rounds.h"

namespace rondo::statistics {
namespace {

using Sample = std::vector<double>;

double p_of(const Sample& x, const Sample& y, Alternative alternative, Choice choice = Choice::kAuto) {
  RankTestOptions options;
  options.alternative = alternative;
  options.choice = choice;
  auto result = rank_sum_test(x, y, options);
  EXPECT_TRUE(result) << result.error().to_string();
  return result ? result->p : -1;
}

double p_by_enumeration(const Sample& x, const Sample& y, Alternative alternative) {
  const Share share = enumerated(x, y, alternative);
  return static_cast<double>(share.hits) / static_cast<double>(share.all);
}

TEST(RankSum, SeparatedSamplesHaveOneExtremeArrangementOnEachSide) {
  // 20 ways to choose 3 of 6; one is lowest, one is highest.
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3}, {4, 5, 6}, Alternative::kTwoSided), 0.1);
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3}, {4, 5, 6}, Alternative::kLess), 0.05);
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3}, {4, 5, 6}, Alternative::kGreater), 1);
}

TEST(RankSum, StatisticIsTheNumberOfPairsInWhichTheFirstIsLarger) {
  const auto result = rank_sum_test(Sample{3, 5, 5}, Sample{4, 5});
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->statistic, 3);  // 5 > 4 twice, 5 = 5 twice counts a half each
  EXPECT_TRUE(result->ties);
  EXPECT_EQ(result->method, Method::kExact);
}

TEST(RankSum, TiesUseThePermutationDistributionWhichNeedNotBeSymmetric) {
  // Ranks 1.5 1.5 3.5 | 3.5 5. The ten sums of two ranks: 3, 5 (4x), 6.5 (2x), 7, 8.5 (2x); mean 6, observed 8.5.
  EXPECT_NEAR(p_of({1, 1, 2}, {2, 3}, Alternative::kLess), 0.2, 1e-15);
  EXPECT_NEAR(p_of({1, 1, 2}, {2, 3}, Alternative::kTwoSided), 0.3, 1e-15);
}

TEST(RankSum, AgreesWithEnumerationOnSmallSamplesOfAllKinds) {
  Random random(7);
  for (int round = 0; round < test::rounds(300); ++round) {
    const std::uint64_t values = 1 + random.below(12);
    Sample x(1 + random.below(6));
    Sample y(1 + random.below(7));
    for (double& v : x) v = static_cast<double>(random.below(values));
    for (double& v : y) v = static_cast<double>(random.below(values));
    for (const Alternative a : {Alternative::kTwoSided, Alternative::kLess, Alternative::kGreater}) {
      EXPECT_NEAR(p_of(x, y, a, Choice::kExact), p_by_enumeration(x, y, a), 1e-13);
    }
  }
}

TEST(RankSum, FarTailOfTwoLargeSeparatedSamplesIsNotLost) {
  Sample x(49);
  Sample y(49);
  std::iota(x.begin(), x.end(), 0.0);
  std::iota(y.begin(), y.end(), 100.0);
  // One of C(98, 49) arrangements.
  double log_ways = std::lgamma(99.0) - 2 * std::lgamma(50.0);
  EXPECT_NEAR(std::log(p_of(x, y, Alternative::kLess)), -log_ways, 1e-10);
}

TEST(RankSum, LargeSamplesWithoutTiesAreApproximatedAndSaySo) {
  Sample x(3000);
  Sample y(3000);
  std::iota(x.begin(), x.end(), 0.0);
  std::iota(y.begin(), y.end(), 0.5);
  const auto result = rank_sum_test(x, y);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->method, Method::kNormal);
  EXPECT_GT(result->p, 0.9);
}

TEST(RankSum, LargeSamplesOfFewDifferentValuesStayExact) {
  // Two values: the rank sum is a hypergeometric count. 400 + 400 values, x has 220 ones, y 180.
  Sample x(400, 0.0);
  Sample y(400, 0.0);
  std::fill_n(x.begin(), 220, 1.0);
  std::fill_n(y.begin(), 180, 1.0);
  RankTestOptions options;
  options.alternative = Alternative::kGreater;
  const auto result = rank_sum_test(x, y, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->method, Method::kExact);
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  double expected = 0;
  for (int k = 220; k <= 400; ++k) {
    expected += std::exp(log_choose(400, k) + log_choose(400, 400 - k) - log_choose(800, 400));
  }
  EXPECT_NEAR(result->p, expected, 1e-10);
}

TEST(RankSum, ExactAndNormalComeCloseOnMediumSamples) {
  Random random(3);
  Sample x(60);
  Sample y(70);
  for (double& v : x) v = static_cast<double>(random.below(1000));
  for (double& v : y) v = static_cast<double>(random.below(1000)) + 100;
  EXPECT_NEAR(p_of(x, y, Alternative::kTwoSided, Choice::kExact), p_of(x, y, Alternative::kTwoSided, Choice::kNormal),
              0.003);
}

TEST(RankSum, EqualValuesEverywhereGiveOne) {
  for (const Choice choice : {Choice::kExact, Choice::kNormal}) {
    EXPECT_DOUBLE_EQ(p_of({2, 2, 2}, {2, 2}, Alternative::kTwoSided, choice), 1);
    EXPECT_DOUBLE_EQ(p_of({2, 2, 2}, {2, 2}, Alternative::kLess, choice), 1);
  }
  EXPECT_DOUBLE_EQ(p_of({1}, {2}, Alternative::kTwoSided), 1);
}

TEST(RankSum, RefusesEmptySamplesNaNsAndExactBeyondItsMeans) {
  EXPECT_EQ(rank_sum_test(Sample{}, Sample{1}).error().code, "statistics-empty");
  EXPECT_EQ(rank_sum_test(Sample{1}, Sample{NAN}).error().code, "statistics-not-finite");
  RankTestOptions options;
  options.choice = Choice::kExact;
  Sample big(2000);
  std::iota(big.begin(), big.end(), 0.0);
  EXPECT_EQ(rank_sum_test(big, big, options).error().code, "statistics-exact-too-large");
}

}  // namespace
}  // namespace rondo::statistics
