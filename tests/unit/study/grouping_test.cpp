#include "study/grouping.h"

#include <gmock/gmock.h>

namespace rondo::study {
namespace {

using testing::ElementsAre;

// Typke and others (2005), "Roslin Castle": of candidates 2 to 4 these p are told; 5 and 6.5 begin groups, too, and no
// other candidate does.
const PValues kRoslin = {{},
                         {0.00006722},
                         {0.0002765, 0.6363},
                         {0.0001, 0.01, 0.07633},
                         {0.0001, 0.001, 0.001, 0.02},
                         {0.0001, 0.0001, 0.001, 0.001, 0.03},
                         {0.0001, 0.0001, 0.001, 0.001, 0.02, 0.9},
                         {0.0001, 0.0001, 0.001, 0.02, 0.02, 0.3, 0.8}};

TEST(PaperRule, FindsTheFiveGroupsOfRoslinCastle) {
  EXPECT_THAT(group(kRoslin, {}), ElementsAre(0, 1, 1, 2, 3, 4, 4, 4));
}

TEST(PaperRule, WithAStricterThresholdFindsFewer) {
  // The largest p of candidate 4 is 0.07633 and of 6 it is 0.03; with 0.05 only the former is no border any more.
  EXPECT_THAT(group(kRoslin, {Rule::paper, 0.05}), ElementsAre(0, 1, 1, 1, 2, 3, 3, 3));
  EXPECT_THAT(group(kRoslin, {Rule::paper, 0}), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(PaperRule, WantsEveryOneAboveToDifferAlsoThoseOfEarlierGroups) {
  // The third differs from the second, with which it would be grouped, but not from the first.
  const PValues p = {{}, {0.1}, {0.5, 0.1}};
  EXPECT_THAT(group(p, {Rule::paper, 0.25}), ElementsAre(0, 1, 1));
  EXPECT_THAT(group(p, {Rule::all, 0.25}), ElementsAre(0, 1, 2)) << "the others look at the current group only";
}

TEST(Rules, DifferInWhomACandidateIsComparedWith) {
  // The third differs from the first and not from the second, all in one group so far.
  const PValues p = {{}, {0.5}, {0.1, 0.5}, {0.1, 0.5, 0.1}};
  EXPECT_THAT(group(p, {Rule::all, 0.25}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(group(p, {Rule::any, 0.25}), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(group(p, {Rule::previous, 0.25}), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(group(p, {Rule::paper, 0.25}), ElementsAre(0, 0, 0, 0));
}

TEST(Rules, TakeAPThatEqualsTheThresholdForNoDifference) {
  for (const Rule rule : kRules) EXPECT_THAT(group({{}, {0.25}}, {rule, 0.25}), ElementsAre(0, 0));
}

TEST(Rules, OfNothingAndOfOneMakeNoBorders) {
  for (const Rule rule : kRules) {
    EXPECT_TRUE(group({}, {rule, 0.25}).empty());
    EXPECT_THAT(group({{}}, {rule, 0.25}), ElementsAre(0));
  }
}

TEST(Rules, AreKnownByTheirWords) {
  for (const Rule rule : kRules) EXPECT_EQ(rule_of(to_string(rule)), rule);
  EXPECT_EQ(rule_of("Paper"), std::nullopt);
}

TEST(Consistency, CountsPairsWhoseTestContradictsTheGroups) {
  // Pairs (1,0) together, p 0.5: fine. (2,0) together, p 0.1: contradicts. (2,1) together, 0.5: fine. (3,0) apart, 0.1:
  // fine. (3,1) apart, 0.5: contradicts. (3,2) apart, 0.1: fine.
  const PValues p = {{}, {0.5}, {0.1, 0.5}, {0.1, 0.5, 0.1}};
  const Consistency found = consistency(p, {0, 0, 0, 1}, 0.25);
  EXPECT_EQ(found.contradicting, 2U);
  EXPECT_EQ(found.pairs, 6U);
  EXPECT_DOUBLE_EQ(found.share(), 1.0 / 3);
  EXPECT_EQ(consistency({{}}, {0}, 0.25).share(), 0);
}

}  // namespace
}  // namespace rondo::study
