// The values Typke, Veltkamp and Wiering (2006) print, and what follows from their definition.

#include "evaluation/curves.h"
#include "support.h"

namespace rondo::evaluation {
namespace {

const std::vector<std::vector<std::string>> kTwoGroups{{"1", "2"}, {"3", "4", "5"}};
const std::vector<std::vector<std::string>> kFourGroups{{"1"}, {"2"}, {"3"}, {"4"}};

TEST(Adr, ReproducesThePapersExample) {
  const auto run = answer({"2", "3", "1", "5", "7", "8", "9", "4"});
  EXPECT_NEAR(value_of("ADR", expected(kTwoGroups), run), 0.86, 1e-12);
  const JudgedRun lists = judged(expected(kTwoGroups), run);
  EXPECT_THAT(dynamic_recalls(lists.lists.front()),
              testing::Pointwise(testing::DoubleNear(1e-12), std::vector<double>{1, 0.5, 1, 1, 0.8}));
}

TEST(Adr, AFalsePositiveCostsWhatThePaperSays) {
  // 1, 1/2, 2/3, 3/4, 4/5 over 5.
  EXPECT_NEAR(value_of("ADR", expected(kTwoGroups), answer({"2", "10", "3", "1", "5", "7", "8", "9", "4"})),
              (1 + 0.5 + 2.0 / 3 + 0.75 + 0.8) / 5, 1e-12);
  EXPECT_NEAR(value_of("ADR", expected(kTwoGroups), answer({"2", "10", "3", "1", "5", "7", "8", "9", "4"})), 0.743333,
              1e-6);
}

TEST(Adr, OnlyTheTopItemFoundFirstIsTheHarmonicNumberOverN) {
  const std::vector<std::pair<std::size_t, double>> printed{{4, 0.5208}, {8, 0.3397}, {9, 0.3143}, {10, 0.2929}};
  for (const auto& [n, value] : printed) {
    std::vector<std::vector<std::string>> groups;
    for (std::size_t i = 0; i < n; ++i) groups.push_back({numbered("d", i)});
    EXPECT_NEAR(value_of("ADR", expected(groups), answer({"d0", "x", "y"})), value, 5e-5) << n;
  }
}

TEST(Adr, AShortAnswerStillDividesByTheLengthOfTheTruth) {
  // Recalls 1, 1/2, 1/3, 1/4.
  EXPECT_NEAR(value_of("ADR", expected(kFourGroups), answer({"1"})), (1 + 0.5 + 1.0 / 3 + 0.25) / 4, 1e-12);
}

TEST(Adr, OrderInsideAGroupDoesNotMatterAndAcrossGroupsDoes) {
  const Truth truth = expected(kTwoGroups);
  EXPECT_EQ(value_of("ADR", truth, answer({"1", "2", "3", "4", "5"})), 1);
  EXPECT_EQ(value_of("ADR", truth, answer({"2", "1", "5", "4", "3"})), 1);
  EXPECT_LT(value_of("ADR", truth, answer({"1", "3", "2", "4", "5"})), 1);
}

TEST(Adr, CutOffAveragesOverTheFirstPositionsAndBeyondTheTruth) {
  const Truth truth = expected(kTwoGroups);
  const auto run = answer({"2", "3", "1", "5", "7", "4"});
  EXPECT_NEAR(value_of("ADR@2", truth, run), (1 + 0.5) / 2, 1e-12);
  // Recalls 1, .5, 1, 1, .8, and at 6 all five relevant of six; at 7 nothing more is there.
  EXPECT_NEAR(value_of("ADR@7", truth, run), (1 + 0.5 + 1 + 1 + 0.8 + 5.0 / 6 + 5.0 / 7) / 7, 1e-12);
}

TEST(AdrTie, TellsApartWhatAdrCannot) {
  const Truth truth = expected(kFourGroups);
  const auto worse = answer({"4", "3", "5", "6"});
  const auto better = answer({"3", "4", "5", "6"});
  EXPECT_DOUBLE_EQ(value_of("ADR", truth, worse), value_of("ADR", truth, better));
  // <4,3,1,1> against <(4),(3),(2),(1)>: 1, 1, 2/3, 3/4. <3,4,1,1>: 0, 1, 2/3, 3/4.
  EXPECT_NEAR(value_of("ADR[tie]", truth, worse), (1 + 1 + 2.0 / 3 + 0.75) / 4, 1e-12);
  EXPECT_NEAR(value_of("ADR[tie]", truth, better), (0 + 1 + 2.0 / 3 + 0.75) / 4, 1e-12);
}

TEST(AdrTie, KeepsItemsThatComeTooLateAndCountsARepeatedItemOnce) {
  // <(1),(2),(3)>, answer x 1 2: 1 and 2 come after the end of their groups, and 1 is also the only stand-in for x, so
  // the list is <1,1,2>. Upside down <(3),(2),(1)> allows nothing of it before position 3: 0, 0, 2/3.
  EXPECT_NEAR(value_of("ADR[tie]", expected({{"1"}, {"2"}, {"3"}}), answer({"x", "1", "2"})), (2.0 / 3) / 3, 1e-12);
  // Answer x 2 1: 2 stands within its group and is replaced, which leaves <1,1,1>: 0, 0, 1/3.
  EXPECT_NEAR(value_of("ADR[tie]", expected({{"1"}, {"2"}, {"3"}}), answer({"x", "2", "1"})), (1.0 / 3) / 3, 1e-12);
  // With another member in the top group, that one stands in for x: <0,1,2> against <(3),(2),(0,1)>, answer x 1 2.
  EXPECT_NEAR(value_of("ADR[tie]", expected({{"0", "1"}, {"2"}, {"3"}}), answer({"x", "y", "1", "2"})),
              (0 + 0 + 2.0 / 3 + 3.0 / 4) / 4, 1e-12);
}

TEST(AdrTie, KeepsItemsOfTheSecondGroupThatComeTooEarly) {
  // <(1),(2),(3)>, answer 2 x 3: 2 comes before its group begins and stays, 1 stands in for x and the list is <2,1>.
  // Upside down <(3),(2),(1)>: 0, 1/2, 2/3.
  EXPECT_NEAR(value_of("ADR[tie]", expected({{"1"}, {"2"}, {"3"}}), answer({"2", "x", "3"})), (0.5 + 2.0 / 3) / 3,
              1e-12);
}

TEST(AdrTie, DoesNotKeepTheFirstItemOfTheTopGroup) {
  // <(0,1),(2)>, answer 1 x y: 1 is in its place and is replaced, so the list is <1>. Upside down <(2),(0,1)>: 0, 1/2,
  // 1/3.
  EXPECT_NEAR(value_of("ADR[tie]", expected({{"0", "1"}, {"2"}}), answer({"1", "x", "y"})), (0.5 + 1.0 / 3) / 3, 1e-12);
}

TEST(AdrTie, DoesNotDependOnHowDocumentsAreCalled) {
  const auto run = answer({"x", "b", "c", "a"});
  EXPECT_EQ(value_of("ADR[tie]", expected({{"a", "b"}, {"c"}, {"d"}}), run),
            value_of("ADR[tie]", expected({{"b", "a"}, {"c"}, {"d"}}), run));
}

TEST(Adr, TruthWithoutRelevantDocumentsGivesZero) {
  EXPECT_EQ(value_of("ADR", expected({}, {"n"}), answer({"n"})), 0);
  EXPECT_EQ(value_of("ADR[tie]", expected({}, {"n"}), answer({"n"})), 0);
}

TEST(AdrExamples, FilesReproduceThePaper) {
  const Truth truth = truth_of(example("adr/truth.txt"));
  EXPECT_EQ(truth, truth_of(example("adr/truth.json")));
  const Evaluation a = evaluate(judged(truth, run_of(example("adr/a.run"))), {{measure("ADR"), measure("ADR[tie]")}});
  const Evaluation b = evaluate(judged(truth, run_of(example("adr/b.run"))), {{measure("ADR"), measure("ADR[tie]")}});
  EXPECT_NEAR(a.values[0][0], 0.86, 1e-12);
  EXPECT_NEAR(b.values[0][0], 0.743333, 1e-6);
  EXPECT_EQ(a.values[0][1], b.values[0][1]);
  EXPECT_GT(a.values[1][1], b.values[1][1]);
}

}  // namespace
}  // namespace rondo::evaluation
