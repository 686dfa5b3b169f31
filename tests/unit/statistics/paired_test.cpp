#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/holm.h"
#include "statistics/random.h"
#include "statistics/randomization.h"
#include "statistics/signed_rank.h"
#include "support/rounds.h"

namespace rondo::statistics {
namespace {

using Sample = std::vector<double>;
constexpr std::array kAlternatives{Alternative::kTwoSided, Alternative::kLess, Alternative::kGreater};

double signed_rank_p(const Sample& d, Alternative alternative, Zeros zeros = Zeros::kWilcoxon,
                     Choice choice = Choice::kAuto) {
  SignedRankOptions options;
  options.alternative = alternative;
  options.zeros = zeros;
  options.choice = choice;
  auto result = signed_rank_test(d, options);
  EXPECT_TRUE(result) << result.error().to_string();
  return result ? result->p : -1;
}

TEST(SignedRank, ThreePositiveDifferencesAreOneOfEightSignPatterns) {
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3}, Alternative::kGreater), 0.125);
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3}, Alternative::kTwoSided), 0.25);
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3}, Alternative::kLess), 1);
}

TEST(SignedRank, TiedSizesShareTheirRanksExactly) {
  // Ranks 1.5 1.5 3; V = 4.5 of 6. Sums 0, 1.5 (2x), 3 (2x), 4.5 (2x), 6: three of eight reach 4.5.
  const auto result = signed_rank_test(Sample{1, -1, 2}, {});
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->statistic, 4.5);
  EXPECT_DOUBLE_EQ(result->p, 0.75);
  EXPECT_TRUE(result->ties);
}

TEST(SignedRank, PrattLetsZerosPushTheOthersUp) {
  const Sample d{0, 0, 1, -2, 3};
  SignedRankOptions options;
  EXPECT_DOUBLE_EQ(signed_rank_test(d, options)->statistic, 1 + 3);
  options.zeros = Zeros::kPratt;
  EXPECT_DOUBLE_EQ(signed_rank_test(d, options)->statistic, 3 + 5);
  // Ranks 3 4 5: sums 0 3 4 5 7 8 9 12; three of eight reach 8.
  EXPECT_DOUBLE_EQ(signed_rank_p(d, Alternative::kGreater, Zeros::kPratt), 0.375);
}

TEST(SignedRank, OnlyZerosGiveOne) {
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 0}, Alternative::kTwoSided), 1);
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 0}, Alternative::kGreater, Zeros::kPratt), 1);
}

TEST(SignedRank, EqualSizesAreTheSignTestForAnyNumber) {
  // 2,000 differences of size 1, 1,050 positive: a binomial tail; 0.5^2000 alone would underflow.
  Sample d(2000, -1.0);
  std::fill_n(d.begin(), 1050, 1.0);
  double expected = 0;
  for (int k = 1050; k <= 2000; ++k) {
    expected += std::exp(std::lgamma(2001.0) - std::lgamma(k + 1.0) - std::lgamma(2001.0 - k) - 2000 * std::log(2.0));
  }
  EXPECT_NEAR(signed_rank_p(d, Alternative::kGreater, Zeros::kWilcoxon, Choice::kExact), expected, 1e-10);
}

TEST(SignedRank, LargeSamplesAreApproximatedAndSaySo) {
  Sample d(5000);
  std::iota(d.begin(), d.end(), -2400.25);
  const auto result = signed_rank_test(d, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->method, Method::kNormal);
  SignedRankOptions options;
  options.choice = Choice::kExact;
  EXPECT_EQ(signed_rank_test(d, options).error().code, "statistics-exact-too-large");
  EXPECT_EQ(signed_rank_test(Sample{}, {}).error().code, "statistics-empty");
}

/// The slow twin: all sign patterns one by one; whole numbers, so that sums are exact.
double randomization_by_enumeration(const Sample& d, Alternative alternative) {
  const double here = std::accumulate(d.begin(), d.end(), 0.0);
  double hits = 0;
  const std::size_t patterns = std::size_t{1} << d.size();
  for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) sum += ((pattern >> i) & 1U) != 0 ? d[i] : -d[i];
    hits += alternative == Alternative::kLess      ? sum <= here
            : alternative == Alternative::kGreater ? sum >= here
                                                   : std::abs(sum) >= std::abs(here);
  }
  return hits / static_cast<double>(patterns);
}

TEST(Randomization, CountsEverySignPatternExactly) {
  Random random(11);
  for (int round = 0; round < test::rounds(200); ++round) {
    Sample d(1 + random.below(11));
    for (double& v : d) v = static_cast<double>(random.below(9)) - 3;
    for (const Alternative alternative : kAlternatives) {
      RandomizationOptions options;
      options.alternative = alternative;
      const auto result = randomization_test(d, options);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->method, Method::kExact);
      EXPECT_NEAR(result->p, randomization_by_enumeration(d, alternative), 1e-14);
    }
  }
}

TEST(Randomization, RoundingDoesNotLoseSumsThatAreEqualOnPaper) {
  // 0.1 + 0.2 - 0.3 is not 0 in binary; the patterns +++ and --- and the like must count as if it were.
  const auto result = randomization_test(Sample{0.1, 0.2, 0.3}, {});
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->p, 0.25);
  const auto balanced = randomization_test(Sample{0.1, 0.2, -0.3}, {});
  EXPECT_DOUBLE_EQ(balanced->p, 1);
}

TEST(Randomization, SamplingComesCloseToCountingAndRepeatsForOneSeed) {
  Random random(5);
  Sample d(30);
  for (double& v : d) v = static_cast<double>(random.below(1000)) - 400;
  const auto exact = randomization_test(d, {});
  RandomizationOptions sampled;
  sampled.exact_limit = 0;
  const auto first = randomization_test(d, sampled);
  const auto second = randomization_test(d, sampled);
  ASSERT_TRUE(exact && first && second);
  EXPECT_EQ(first->method, Method::kMonteCarlo);
  EXPECT_EQ(first->p, second->p);
  EXPECT_NEAR(first->p, exact->p, 0.006);  // four standard errors at p = 0.5
  sampled.seed = 2;
  EXPECT_NE(randomization_test(d, sampled)->p, first->p);
}

TEST(Randomization, NothingDifferentGivesOne) {
  EXPECT_DOUBLE_EQ(randomization_test(Sample{0, 0, 0}, {})->p, 1);
  EXPECT_EQ(randomization_test(Sample{}, {}).error().code, "statistics-empty");
  EXPECT_EQ(randomization_test(Sample{INFINITY}, {}).error().code, "statistics-not-finite");
}

TEST(Holm, MultipliesStepByStepAndNeverDecreases) {
  // Sorted .01 .02 .03 .04 become .04 .06 .06 .06.
  EXPECT_THAT(holm(Sample{0.04, 0.01, 0.03, 0.02}),
              testing::Pointwise(testing::DoubleEq(), Sample{0.06, 0.04, 0.06, 0.06}));
  EXPECT_THAT(holm(Sample{0.9, 0.8}), testing::ElementsAre(1.0, 1.0));
  EXPECT_TRUE(holm(Sample{}).empty());
}

}  // namespace
}  // namespace rondo::statistics
