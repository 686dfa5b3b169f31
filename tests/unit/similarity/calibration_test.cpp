#include <gtest/gtest.h>

#include <cmath>

#include "rondo/similarity/system.h"

namespace rondo {
namespace {

constexpr Calibration kCalibration{.constant = -6, .score = 2, .high_score = 10, .distinction = 3, .size = -1};

TEST(Calibration, IsALogisticFunctionOfScoreDistinctionAndSize) {
  // -6 + 2 x 0.5 + 3 x (0.5 - 0.1) / (0.3 - 0.1) - ln 8
  const double odds = -6 + 1 + 6 - std::log(8.0);
  EXPECT_NEAR(kCalibration.probability(0.5, {0.1, 0.3}, 8000), 1 / (1 + std::exp(-odds)), 1e-15);
  // -6 + 2 x 0.9 + 10 x (0.9 - 0.7) + 3 x 4 - ln 8
  const double higher = -6 + 1.8 + 2 + 12 - std::log(8.0);
  EXPECT_NEAR(kCalibration.probability(0.9, {0.1, 0.3}, 8000), 1 / (1 + std::exp(-higher)), 1e-15);
}

TEST(Calibration, AHigherScoreIsLikelierAndALargerCollectionMakesItLessSo) {
  double before = 0;
  for (const double score : {-0.5, 0.0, 0.3, 0.6, 1.0}) {
    const double now = kCalibration.probability(score, {0, 0.2}, 1000);
    EXPECT_GT(now, before);
    EXPECT_LT(kCalibration.probability(score, {0, 0.2}, 1'000'000), now);
    before = now;
  }
}

TEST(Calibration, EqualScoresOfAllMelodiesStillGiveANumber) {
  EXPECT_TRUE(std::isfinite(kCalibration.probability(0.4, {0.4, 0.4}, 0)));
}

TEST(Calibration, TellsTheScoreOfAProbability) {
  for (const double score : {-0.3, 0.2, 0.69, 0.71, 0.95}) {
    const double probability = kCalibration.probability(score, {0.05, 0.3}, 20'000);
    EXPECT_NEAR(kCalibration.score_for(probability, {0.05, 0.3}, 20'000), score, 1e-9);
  }
}

TEST(Calibration, SaysItInWords) {
  EXPECT_EQ(in_words(likelihood_of(0.99)), "almost certainly the same tune");
  EXPECT_EQ(in_words(likelihood_of(0.6)), "probably the same tune");
  EXPECT_EQ(in_words(likelihood_of(0.2)), "resembles it");
  EXPECT_EQ(in_words(likelihood_of(0.01)), "resembles it distantly");
  EXPECT_EQ(to_string(likelihood_of(0.6)), "probable");
}

}  // namespace
}  // namespace rondo
