#include "server/access/rate_limit.h"

#include <gtest/gtest.h>

namespace rondo::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RateLimit, LetsSoManyTryAtOnceAndThenOneAfterTheOther) {
  RateLimit limit(3, seconds(10));
  const RateLimit::Clock::time_point start{};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", start), 0);
  EXPECT_EQ(limit.take("a", start), 10);
  EXPECT_EQ(limit.take("b", start), 0) << "somebody else";
  EXPECT_EQ(limit.take("a", start + milliseconds(7500)), 3) << "2.5 s are left";
  EXPECT_EQ(limit.take("a", start + seconds(10)), 0);
  EXPECT_NE(limit.take("a", start + seconds(10)), 0);
}

TEST(RateLimit, CostsTheWelcomeNothing) {
  RateLimit limit(2, seconds(10));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(limit.take("a"), 0);
    limit.give_back("a");
  }
}

TEST(RateLimit, TakesANetworkOfTheNewKindForOne) {
  EXPECT_EQ(limited_address("2001:db8::1"), limited_address("2001:db8::ffff:1"));
  EXPECT_NE(limited_address("2001:db8::1"), limited_address("2001:db8:0:1::1"));
  EXPECT_NE(limited_address("192.0.2.1"), limited_address("192.0.2.2"));
}

}  // namespace
}  // namespace rondo::server
