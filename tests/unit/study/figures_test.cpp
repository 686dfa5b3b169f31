#include "study/figures.h"

#include <gmock/gmock.h>

#include <cmath>

namespace rondo::study {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;

TEST(Ranks, FollowTheOrderAndLeaveOutTheUnranked) {
  EXPECT_THAT(ranks_of({{2}, {0}}, 4), ElementsAre(Optional(2.0), std::nullopt, Optional(1.0), std::nullopt));
}

TEST(Ranks, EqualsShareTheMeanOfTheirPlaces) {
  // Places 1; 2, 3, 4 (mean 3); 5, 6 (mean 5.5).
  EXPECT_THAT(ranks_of({{0}, {1, 2, 3}, {4, 5}}, 6),
              ElementsAre(Optional(1.0), Optional(3.0), Optional(3.0), Optional(3.0), Optional(5.5), Optional(5.5)));
}

TEST(Ranks, OfNothingAreNone) { EXPECT_THAT(ranks_of({}, 2), ElementsAre(std::nullopt, std::nullopt)); }

TEST(Quantile, LiesStraightBetweenNeighbours) {
  // Definition 7: at 1 + (n - 1) share, counted from 1. Of 1, 2, 4, 8: a quarter at 1.75, so 1 + 0.75 * (2 - 1).
  const std::vector<double> values = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.75), 5);   // at 3.25: 4 + 0.25 * 4
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.3);  // at 1.3
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 6.8);  // at 3.7: 4 + 0.7 * 4
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 8);
}

TEST(Figures, AreThoseOfTheRanksInAnyOrder) {
  const Figures figures = figures_of({8, 1, 4, 2});
  EXPECT_THAT(figures.ranks, ElementsAre(8, 1, 4, 2)) << "as they came";
  EXPECT_EQ(figures.votes(), 4U);
  EXPECT_THAT(figures.median, Optional(DoubleEq(3)));
  EXPECT_THAT(figures.mean, Optional(DoubleEq(3.75)));
  // Squares of 4.25, 2.75, 0.25, 1.75 are 18.0625, 7.5625, 0.0625, 3.0625: 28.75 in all, by 3.
  EXPECT_THAT(figures.deviation, Optional(DoubleEq(std::sqrt(28.75 / 3))));
}

TEST(Figures, OfOneVoteHaveNoDeviationAndOfNoneNothing) {
  const Figures one = figures_of({7});
  EXPECT_THAT(one.median, Optional(7.0));
  EXPECT_THAT(one.p10, Optional(7.0));
  EXPECT_THAT(one.p90, Optional(7.0));
  EXPECT_EQ(one.deviation, std::nullopt);
  const Figures none = figures_of({});
  EXPECT_EQ(none.votes(), 0U);
  EXPECT_EQ(none.median, std::nullopt);
  EXPECT_EQ(none.mean, std::nullopt);
}

}  // namespace
}  // namespace rondo::study
