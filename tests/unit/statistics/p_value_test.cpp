#include "statistics/p_value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "enumerated.h"
#include "statistics/holm.h"
#include "statistics/randomization.h"
#include "statistics/rank_sum.h"
#include "statistics/ranks.h"
#include "statistics/signed_rank.h"
#include "support/rounds.h"

namespace rondo::statistics {
namespace {

using Sample = std::vector<double>;
constexpr Alternative kEverySide[] = {Alternative::kTwoSided, Alternative::kLess, Alternative::kGreater};

/// Every p = hits/all of the kind, against the threshold that it equals, and those a little above and below.
void expect_exact(const PValue& p, const Share& share) {
  ASSERT_NE(p.exact(), nullptr);
  EXPECT_DOUBLE_EQ(p.value(), static_cast<double>(share.hits) / static_cast<double>(share.all));
  for (std::int64_t percent = 1; percent <= 100; ++percent) {
    const double threshold = static_cast<double>(percent) / 100;
    EXPECT_EQ(p.below(threshold), share.hits * 100 < percent * share.all)
        << share.hits << "/" << share.all << " against " << threshold;
  }
}

TEST(PValue, EveryRankSumOfSmallSamplesIsComparedExactlyWithEveryPercent) {
  // All ways to put ranks 1 to n into two samples, and the same with ties (values halved).
  std::size_t at_a_quarter = 0;
  for (std::size_t n = 2; n <= 9; ++n) {
    for (unsigned mask = 1; mask + 1 < (1U << n); ++mask) {
      for (const int tied : {1, 2}) {
        Sample x;
        Sample y;
        for (std::size_t i = 0; i < n; ++i) {
          ((mask >> i & 1U) != 0 ? x : y).push_back(static_cast<double>(i / static_cast<std::size_t>(tied)));
        }
        for (const Alternative alternative : kEverySide) {
          if (n == 9 && (alternative != Alternative::kTwoSided || mask % 7 != 0)) continue;
          const Share share = enumerated(x, y, alternative);
          if (share.hits * 4 == share.all) ++at_a_quarter;
          expect_exact(rank_sum_test(x, y, {.alternative = alternative})->p_value, share);
        }
      }
    }
  }
  EXPECT_GT(at_a_quarter, 30U) << "the case that matters must occur";
}

TEST(PValue, SevenOfTwentyEightIsAQuarterAndNotBelowIt) {
  // Two of eight values, some of them equal.
  std::size_t found = 0;
  for (int tied = 1; tied <= 4; ++tied) {
    for (int mask = 0; mask < 64; ++mask) {
      const int a = mask / 8;
      const int b = mask % 8;
      if (a >= b) continue;
      const Sample x = {static_cast<double>(a / tied), static_cast<double>(b / tied)};
      Sample y;
      for (int i = 0; i < 8; ++i) {
        if (i != a && i != b) y.push_back(i / tied);
      }
      for (const Alternative alternative : kEverySide) {
        if (enumerated(x, y, alternative).hits != 7) continue;
        ++found;
        const auto result = rank_sum_test(x, y, {.alternative = alternative});
        EXPECT_EQ(result->p, 0.25);
        EXPECT_FALSE(result->p_value.below(0.25));
        EXPECT_TRUE(result->p_value.below(0.2500000001));
      }
    }
  }
  EXPECT_GT(found, 0U);
}

TEST(PValue, SignedRanksOfSmallSamplesAreComparedExactly) {
  for (std::size_t n = 1; n <= 8; ++n) {
    for (unsigned mask = 0; mask < (1U << n); ++mask) {
      Sample differences;
      std::int64_t observed = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const bool plus = (mask >> i & 1U) != 0;
        differences.push_back(plus ? static_cast<double>(i + 1) : -static_cast<double>(i + 1));
        if (plus) observed += static_cast<std::int64_t>(i) + 1;
      }
      Share less{0, std::int64_t{1} << n};
      Share greater = less;
      for (unsigned other = 0; other < (1U << n); ++other) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += (other >> i & 1U) != 0 ? static_cast<std::int64_t>(i) + 1 : 0;
        less.hits += sum <= observed;
        greater.hits += sum >= observed;
      }
      const auto p = [&](Alternative alternative) {
        SignedRankOptions options;
        options.alternative = alternative;
        return signed_rank_test(differences, options)->p_value;
      };
      expect_exact(p(Alternative::kLess), less);
      expect_exact(p(Alternative::kGreater), greater);
      const std::int64_t both = std::min(less.all, 2 * std::min(less.hits, greater.hits));
      expect_exact(p(Alternative::kTwoSided), {both, less.all});
    }
  }
}

TEST(PValue, RandomizationIsAFractionToo) {
  // All of one sign: 2 of 2^5 patterns are as extreme, 1/16; of ten thousand samples one more than were hit.
  const auto exact = randomization_test(Sample{1, 2, 3, 4, 5});
  EXPECT_FALSE(exact->p_value.below(0.0625));
  EXPECT_TRUE(exact->p_value.below(0.06250001));
  const auto sampled = randomization_test(Sample{1, 2, 3, 4, 5}, {.exact_limit = 0, .samples = 9999});
  ASSERT_NE(sampled->p_value.exact(), nullptr);
  EXPECT_EQ(sampled->p_value.exact()->total, WholeNumber{10'000});
}

TEST(PValue, ThresholdsAreTheDecimalsTheyAreWrittenAs) {
  const PValue tenth(ExactP{{2}, {20}});
  EXPECT_FALSE(tenth.below(0.1)) << "the double 0.1 is a little more than a tenth";
  EXPECT_TRUE(tenth.below(0.10000001));
  const PValue tiny(ExactP{{1}, {0, 0, 1}});  // 2^-128
  EXPECT_TRUE(tiny.below(1e-38));
  EXPECT_FALSE(tiny.below(1e-39));
  EXPECT_DOUBLE_EQ(tiny.value(), 2.938735877055719e-39);
  EXPECT_FALSE(PValue(ExactP{{}, {5}}).below(0));
  EXPECT_FALSE(PValue(ExactP{{1}, {1}}).below(1));
  EXPECT_TRUE(PValue(ExactP{{1}, {1}}).below(1.5));
}

TEST(PValue, LargeSamplesAreCountedAsTheyAreSummed) {
  // The counts against the sum of doubles that beyond 256 bits takes their place.
  for (const std::size_t n : {20U, 60U, test::kSanitized ? 80U : 120U}) {
    Sample x(n);
    Sample y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<double>((i * 37) % 91);
      y[i] = static_cast<double>((i * 53) % 97) + 4;
    }
    RankTestOptions options;
    options.choice = Choice::kExact;
    options.max_work = 1e12;
    const auto result = rank_sum_test(x, y, options);
    ASSERT_TRUE(result);
    ASSERT_NE(result->p_value.exact(), nullptr) << n;
    const auto normal = rank_sum_test(x, y, {.choice = Choice::kNormal});
    EXPECT_NEAR(result->p, normal->p, 0.01) << n;
  }
}

TEST(PValue, HolmOfFractionsIsAFraction) {
  const std::vector<PValue> p = {PValue(ExactP{{1}, {20}}), PValue(ExactP{{1}, {80}}), PValue(ExactP{{1}, {3}})};
  const std::vector<PValue> adjusted = holm(p);
  EXPECT_FALSE(adjusted[0].below(0.1)) << "twice 1/20";
  EXPECT_TRUE(adjusted[1].below(0.0376));
  EXPECT_FALSE(adjusted[1].below(0.0375)) << "three times 1/80";
  EXPECT_DOUBLE_EQ(adjusted[2].value(), 1.0 / 3);
}

}  // namespace
}  // namespace rondo::statistics
