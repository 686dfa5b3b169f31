#include "server/seats.h"

#include <gtest/gtest.h>

namespace rondo::server {
namespace {

using Kind = Seats::Kind;

TEST(Seats, OneAddressTakesNoMoreThanItsShare) {
  Seats seats({8, 3, 4, 2});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(seats.take("a"), Kind::served);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(seats.take("a"), Kind::lingering);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seats.take("a"), Kind::none);
  EXPECT_EQ(seats.take("b"), Kind::served) << "those that linger take no seat of others";
  seats.leave("a", Kind::lingering);
  EXPECT_EQ(seats.take("a"), Kind::lingering) << "its served ones are still there";
  seats.leave("a", Kind::served);
  EXPECT_EQ(seats.take("a"), Kind::served);
}

TEST(Seats, AreLimitedInAll) {
  Seats seats({4, 3, 1, 1});
  for (const char* address : {"a", "b", "c", "d"}) EXPECT_EQ(seats.take(address), Kind::served);
  EXPECT_EQ(seats.take("e"), Kind::lingering);
  EXPECT_EQ(seats.take("f"), Kind::none);
}

TEST(Seats, AServedConnectionThatLingersMakesRoom) {
  Seats seats({1, 1, 1, 1});
  EXPECT_EQ(seats.take("a"), Kind::served);
  EXPECT_TRUE(seats.linger("a"));
  EXPECT_EQ(seats.take("a"), Kind::served);
  EXPECT_FALSE(seats.linger("a")) << "one lingers already";
  seats.leave("a", Kind::lingering);
  seats.leave("a", Kind::served);
  EXPECT_EQ(seats.take("a"), Kind::served);
}

}  // namespace
}  // namespace rondo::server
