#include "melody/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> order(std::vector<RepeatMark> marks) { return play_order(marks).value(); }

TEST(PlayOrder, WithoutRepeatsIsTheWrittenOrder) { EXPECT_THAT(order({{}, {}, {}}), ElementsAre(0, 1, 2)); }

TEST(PlayOrder, APlainRepeatGoesBackToItsSign) {
  EXPECT_THAT(order({{}, {true, 0, 0}, {false, 2, 0}, {}}), ElementsAre(0, 1, 2, 1, 2, 3));
}

TEST(PlayOrder, WithoutASignItGoesBackToTheBeginningOrTheLastRepeat) {
  EXPECT_THAT(order({{}, {false, 2, 0}, {}, {false, 2, 0}}), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
}

TEST(PlayOrder, EndingsArePlayedOnTheirPass) {
  // |: 0 |1 1 2 :|2 3 | 4 :|  : the last section begins after the second ending.
  EXPECT_THAT(order({{true, 0, 0}, {false, 0, 1}, {false, 2, 1}, {false, 0, 2}, {false, 2, 0}}),
              ElementsAre(0, 1, 2, 0, 3, 4, 4));
}

TEST(PlayOrder, ThreeEndingsGiveThreePasses) {
  EXPECT_THAT(order({{true, 0, 0}, {false, 2, 1}, {false, 2, 2}, {false, 0, 4}, {}}), ElementsAre(0, 1, 0, 2, 0, 3, 4));
}

TEST(PlayOrder, OneEndingMayServeTwoPasses) {
  EXPECT_THAT(order({{true, 0, 0}, {false, 2, 3}, {false, 0, 4}}), ElementsAre(0, 1, 0, 1, 0, 2));
}

TEST(PlayOrder, AnEarlierEndingMayServeALaterPass) {
  // |: 0 |1,3 1 :|2 2 :| 3
  EXPECT_THAT(order({{true, 0, 0}, {false, 2, 5}, {false, 2, 2}, {}}), ElementsAre(0, 1, 0, 2, 0, 1, 3));
}

TEST(PlayOrder, SecondEndingThatAlsoEndsARepeatDoesNotRepeatAgain) {
  EXPECT_THAT(order({{true, 0, 0}, {false, 2, 1}, {false, 2, 2}, {true, 0, 0}, {false, 2, 0}}),
              ElementsAre(0, 1, 0, 2, 3, 4, 3, 4));
}

TEST(PlayOrder, ThreeTimes) { EXPECT_THAT(order({{true, 3, 0}, {}}), ElementsAre(0, 0, 0, 1)); }

TEST(PlayOrder, StopsAtTheLimit) {
  std::vector<RepeatMark> marks(1000, RepeatMark{true, 255, 0});
  EXPECT_EQ(play_order(marks).error().code, "repeats-too-long");
}

}  // namespace
}  // namespace rondo
