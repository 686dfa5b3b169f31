#include "concordances/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::concordances {
namespace {

using testing::ElementsAre;

Concordances of_pairs(std::size_t melodies, std::vector<Pair> pairs) {
  Concordances out;
  for (std::size_t i = 0; i < melodies; ++i) out.melodies.push_back({PieceKey{1}, 0, false, std::to_string(i)});
  out.pairs = std::move(pairs);
  return out;
}

Pair pair_of(std::uint32_t a, std::uint32_t b, double score, Relation relation = Relation::variant) {
  return {a, b, score, score, relation};
}

TEST(ConcordanceGroups, AChainOfPairsIsNotOneGroup) {
  // Two triangles, joined by one pair: average of 9 pairs between them 0.8 / 9 < 0.2 * 0.7.
  const Concordances found =
      of_pairs(6, {pair_of(0, 1, 0.9), pair_of(0, 2, 0.9), pair_of(1, 2, 0.9), pair_of(2, 3, 0.8), pair_of(3, 4, 0.9),
                   pair_of(3, 5, 0.9), pair_of(4, 5, 0.9)});
  const Grouping grouping = make_groups(found, 0.7);
  ASSERT_EQ(grouping.groups.size(), 2U);
  EXPECT_THAT(grouping.groups[0].members, ElementsAre(0, 1, 2));
  EXPECT_THAT(grouping.groups[1].members, ElementsAre(3, 4, 5));
  EXPECT_THAT(grouping.groups[0].pairs, ElementsAre(0, 1, 2));
  EXPECT_DOUBLE_EQ(grouping.groups[0].mean, 0.9);
  EXPECT_THAT(grouping.links, ElementsAre(3));
  ASSERT_EQ(single_linkage(found).groups.size(), 1U);
  EXPECT_EQ(single_linkage(found).groups[0].members.size(), 6U);
}

TEST(ConcordanceGroups, APartOfAnotherMelodyIsALinkAndJoinsNothing) {
  const Concordances found = of_pairs(3, {pair_of(0, 1, 0.9), pair_of(1, 2, 0.9, Relation::part)});
  const Grouping grouping = make_groups(found, 0.7);
  ASSERT_EQ(grouping.groups.size(), 1U);
  EXPECT_THAT(grouping.groups[0].members, ElementsAre(0, 1));
  EXPECT_THAT(grouping.links, ElementsAre(1));
}

TEST(ConcordanceGroups, APhraseInCommonIsALinkAndJoinsNothing) {
  // Not even where others join the two: it is no evidence for the group.
  const Concordances found = of_pairs(4, {pair_of(0, 1, 0.9), pair_of(0, 2, 0.9, Relation::phrase), pair_of(1, 2, 0.9),
                                          pair_of(2, 3, 0.9, Relation::phrase)});
  const Grouping grouping = make_groups(found, 0.7);
  ASSERT_EQ(grouping.groups.size(), 1U);
  EXPECT_THAT(grouping.groups[0].members, ElementsAre(0, 1, 2));
  EXPECT_THAT(grouping.groups[0].pairs, ElementsAre(0, 2));
  EXPECT_THAT(grouping.links, ElementsAre(1, 3));
}

TEST(ConcordanceGroups, TheCentreResemblesTheOthersMost) {
  const Grouping grouping = make_groups(of_pairs(3, {pair_of(0, 1, 0.8), pair_of(1, 2, 0.8)}), 0.7);
  ASSERT_EQ(grouping.groups.size(), 1U);
  EXPECT_EQ(grouping.groups[0].centre, 1U);
}

TEST(ConcordanceAgreement, CountsPairsAndEntropies) {
  // Groups aab b, labels xxx y. Pairs in a group: 2, of one label 1; pairs of a label: 3.
  const Agreement some = agreement({1, 1, 2, 2}, {"x", "x", "x", "y"});
  EXPECT_DOUBLE_EQ(some.precision, 0.5);
  EXPECT_DOUBLE_EQ(some.recall, 1.0 / 3);
  // H(label) = 0.5623, H(label|group) = 0.5 * ln 2 = 0.3466; H(group) = ln 2, H(group|label) = 0.75 * 0.6365 = 0.4774.
  EXPECT_NEAR(some.homogeneity, 1 - 0.34657 / 0.56234, 1e-4);
  EXPECT_NEAR(some.completeness, 1 - 0.47738 / 0.69315, 1e-4);
  EXPECT_DOUBLE_EQ(agreement({1, 1, 2}, {"x", "x", "y"}).v, 1);
}

}  // namespace
}  // namespace rondo::concordances
