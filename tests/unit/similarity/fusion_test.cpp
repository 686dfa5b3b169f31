#include "similarity/fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

constexpr Score kNone = {0, false};
constexpr std::size_t kAll = 1000;

using Scores = std::vector<std::vector<Score>>;

std::vector<Mixed> mix(const char* system, const Scores& scores, std::size_t k = kAll) {
  const auto made = system_named(system);
  std::vector<Mixed> out;
  made->mixture()->mix(scores, k, out);
  return out;
}

std::vector<double> values(const std::vector<Mixed>& mixed) {
  std::vector<double> out;
  for (const Mixed& one : mixed) out.push_back(one.score.comparable ? one.score.value : -99);
  return out;
}

auto near(const std::vector<double>& expected) { return testing::Pointwise(testing::DoubleNear(1e-12), expected); }

TEST(MinMax, StretchesToZeroAndOne) {
  std::vector<Score> scores = {{-3, true}, kNone, {1, true}, {0, true}};
  fusion::min_max(scores);
  EXPECT_EQ(scores, (std::vector<Score>{{0, true}, kNone, {1, true}, {0.75, true}}));
}

TEST(MinMax, OfEqualScoresIsOneAndOfTheGreatestNumbersFinite) {
  std::vector<Score> equal = {{5, true}, {5, true}};
  fusion::min_max(equal);
  EXPECT_EQ(equal, (std::vector<Score>{{1, true}, {1, true}}));
  std::vector<Score> great = {{-1e308, true}, {1e308, true}, {0, true}};
  fusion::min_max(great);
  EXPECT_EQ(great, (std::vector<Score>{{0, true}, {1, true}, {0.5, true}}));
  std::vector<Score> none;
  fusion::min_max(none);
  EXPECT_TRUE(none.empty());
}

TEST(MeanRanks, EqualScoresShareTheMean) {
  std::vector<Score> scores = {{2, true}, {9, true}, kNone, {2, true}, {1, true}};
  fusion::mean_ranks(scores);
  EXPECT_EQ(scores, (std::vector<Score>{{2.5, true}, {1, true}, kNone, {2.5, true}, {4, true}}));
}

// The four standard parts; documents a, b, c. The first part ranks a b c, the second b a and does not find c, the third
// finds all three alike, the fourth nothing.
const Scores kFour = {{{3, true}, {2, true}, {1, true}},
                      {{10, true}, {20, true}, kNone},
                      {{7, true}, {7, true}, {7, true}},
                      {kNone, kNone, kNone}};

TEST(ReciprocalRank, AddsOneBySixtyAndTheRank) {
  // a: ranks 1, 2 and the mean of 1 2 3; b: 2, 1, 2; c: 3, none, 2.
  EXPECT_THAT(values(mix("rrf", kFour)),
              near({1.0 / 61 + 1.0 / 62 + 1.0 / 62, 1.0 / 62 + 1.0 / 61 + 1.0 / 62, 1.0 / 63 + 1.0 / 62}));
}

TEST(CombSum, AddsStretchedScores) {
  // a: 1 + 0 + 1; b: .5 + 1 + 1; c: 0 + nothing + 1.
  EXPECT_THAT(values(mix("combsum", kFour)), near({2, 2.5, 1}));
}

TEST(CombMnz, MultipliesByHowManyFoundIt) {
  // a and b by three parts, c by two.
  EXPECT_THAT(values(mix("combmnz", kFour)), near({6, 7.5, 2}));
}

TEST(Fusions, WhatNoPartFindsIsNotFoundAndTheFirstFinderStandsForTheRest) {
  const Scores scores = {
      {kNone, kNone, {1, true}}, {kNone, {1, true}, {1, true}}, {kNone, kNone, kNone}, {kNone, kNone, kNone}};
  for (const char* system : {"rrf", "combsum", "combmnz"}) {
    const auto out = mix(system, scores);
    EXPECT_FALSE(out[0].score.comparable) << system;
    EXPECT_TRUE(out[1].score.comparable) << system;
    EXPECT_EQ(out[1].part, 1U) << system;
    EXPECT_EQ(out[2].part, 0U) << system;
    std::vector<Mixed> none;
    system_named(system)->mixture()->mix(Scores(4), kAll, none);
    EXPECT_TRUE(none.empty()) << system;
  }
}

TEST(ShapeTime, RescoresWhatReachesTheScoreAtRankK) {
  // shapeh 9 8 8 5 3; at k = 2 the score is 8: the first three have their scores of time, the others 1 and 2 below
  // the lowest of those.
  const Scores scores = {{{9, true}, {8, true}, {8, true}, {5, true}, {3, true}},
                         {{-2, true}, {4, true}, {-1, true}, {100, true}, {7, true}}};
  const auto out = mix("shapetime", scores, 2);
  EXPECT_THAT(values(out), near({-2, 4, -1, -3, -4}));
  EXPECT_EQ(out[0].part, 1U) << "the tie rule of time";
  EXPECT_EQ(out[3].part, 0U) << "the tie rule of shapeh";
  // With fewer documents than k all are re-scored.
  EXPECT_THAT(values(mix("shapetime", scores, 6)), near({-2, 4, -1, 100, 7}));
}

TEST(ShapeTime, WhatTimeCannotCompareKeepsTheOrderOfShapeBehindTheRest) {
  const Scores scores = {{{9, true}, {8, true}, {2, true}, {8, true}, kNone},
                         {kNone, {4, true}, {5, true}, kNone, kNone}};
  // k = 3: border 8. Only the second is re-scored, 4; behind it 9, 8, 2 as -1, -2, -3 (below 0, for 4 is above).
  EXPECT_THAT(values(mix("shapetime", scores, 3)), near({-1, 4, -3, -2, -99}));
}

TEST(ShapeTime, ScoresFallFromFirstToLastWhateverTheSystemsSay) {
  std::mt19937 random(61);
  for (int round = 0; round < test::rounds(500); ++round) {
    Scores scores(2, std::vector<Score>(30));
    for (auto& part : scores) {
      for (Score& score : part) score = {static_cast<double>(random() % 10) - 5, random() % 8 != 0};
    }
    const std::size_t k = 1 + random() % 30;
    const auto out = mix("shapetime", scores, k);
    for (std::size_t a = 0; a < out.size(); ++a) {
      EXPECT_EQ(out[a].score.comparable, scores[0][a].comparable);
      for (std::size_t b = 0; b < out.size(); ++b) {
        if (!out[a].score.comparable || !out[b].score.comparable) continue;
        if (out[a].part == 1 && out[b].part == 0) {
          EXPECT_GT(out[a].score.value, out[b].score.value);
        }
        if (out[a].part == 0 && out[b].part == 0) {
          EXPECT_EQ(out[a].score.value < out[b].score.value, scores[0][a].value < scores[0][b].value);
        }
      }
    }
  }
}

TEST(Mixtures, ComparePairsByOnePartAndNameTheOthers) {
  const Line tune = quarters("C4 D4 E4 F4 G4 A4 B4");
  const Explanation why = system_named("rrf")->prepare(tune)->explain(tune);
  EXPECT_EQ(why.score, score_of("time", tune, tune));
  EXPECT_THAT(why.summary, testing::StartsWith("time "));
  EXPECT_THAT(why.summary, testing::HasSubstr("vk-pitch 1.0000"));
  EXPECT_FALSE(why.steps.empty());
  EXPECT_EQ(score_of("shapetime", tune, tune), score_of("time", tune, tune));
  // Three notes are too few for time; the first part that can speaks.
  const Line three = quarters("C4 D4 E4");
  EXPECT_EQ(score_of("rrf", three, three), score_of("GAR", three, three));
  EXPECT_EQ(score_of("shapetime", three, three), score_of("shapeh", three, three));
}

}  // namespace
}  // namespace rondo
