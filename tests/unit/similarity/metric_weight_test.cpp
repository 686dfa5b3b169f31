#include "similarity/metric_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/rounds.h"
#include "support/slow_metre.h"

namespace rondo {
namespace {

using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;

std::vector<double> weights(const std::vector<std::int64_t>& onsets) { return metric_weights(onsets); }

TEST(MetricWeights, HaveHandComputedValues) {
  // One metre of four onsets: all alike. Two of its onsets are not a metre.
  EXPECT_THAT(weights({0, 1, 2, 3}), ElementsAre(1, 1, 1, 1));
  // 0 1 2 (two steps: 4) and 0 2 4 (4): 8 4 8 4.
  EXPECT_THAT(weights({0, 1, 2, 4}), ElementsAre(1, 0.5, 1, 0.5));
  // 0 1 2 3 4 has four steps (16); 0 2 4 is part of it and counts nothing.
  EXPECT_THAT(weights({0, 1, 2, 3, 4}), ElementsAre(1, 1, 1, 1, 1));
  // 0 2 4 6 (three steps: 9) and 4 5 6 (4): 9 9 13 4 13.
  EXPECT_THAT(weights({0, 2, 4, 5, 6}), ElementsAre(DoubleEq(9.0 / 13), DoubleEq(9.0 / 13), 1, DoubleEq(4.0 / 13), 1));
}

TEST(MetricWeights, AreNothingWithoutAMetre) {
  EXPECT_TRUE(weights({}).empty());
  EXPECT_THAT(weights({7}), ElementsAre(0));
  EXPECT_THAT(weights({0, 1, 3}), Each(0));
}

TEST(MetricWeights, GiveNotesOfOneOnsetTheSame) {
  EXPECT_THAT(weights({0, 0, 1, 2, 2, 4}), ElementsAre(1, 1, 0.5, 1, 1, 0.5));
}

TEST(MetricWeights, AgreeWithTheDefinitionWordForWord) {
  std::mt19937 random(51);
  for (int round = 0; round < test::rounds(1000); ++round) {
    // Near together or far apart: both ways of looking an onset up.
    const std::int64_t unit = round % 2 == 0 ? 1 : 3;
    std::vector<std::int64_t> onsets = {0};
    for (std::size_t n = random() % 12; n > 0; --n) {
      onsets.push_back(onsets.back() + unit * (1 + static_cast<std::int64_t>(random() % 4)));
    }
    if (round % 4 == 0) onsets.push_back(onsets.back() + 1'000'003);
    EXPECT_THAT(weights(onsets), testing::Pointwise(DoubleEq(), slow::metric_weights(onsets))) << round;
  }
}

TEST(MetricWeights, EndForLongMelodies) {
  std::vector<std::int64_t> onsets(5000);
  for (std::size_t i = 0; i < onsets.size(); ++i) onsets[i] = static_cast<std::int64_t>(i);
  EXPECT_THAT(weights(onsets), Each(1));
}

}  // namespace
}  // namespace rondo
