#include "server/job_times.h"

#include <gtest/gtest.h>

namespace rondo::server {
namespace {

TEST(JobTimes, RemembersWhatKindsTookLately) {
  JobTimes times;
  EXPECT_GT(times.expected("never seen"), 0);
  EXPECT_EQ(times.expected("never seen", 0.3), 0.3);
  times.learn("x", 1);
  EXPECT_DOUBLE_EQ(times.expected("x"), 1);
  for (int i = 0; i < 100; ++i) times.learn("x", 0.1);
  EXPECT_NEAR(times.expected("x"), 0.1, 0.01);
}

TEST(JobTimes, KeepsALimitedNumberOfKinds) {
  JobTimes times;
  for (int i = 0; i < 5000; ++i) times.learn("kind " + std::to_string(i), 1);
  EXPECT_GT(times.expected("kind 4999"), 0.5);
  EXPECT_LT(times.expected("kind 0"), 0.5) << "forgotten";
}

}  // namespace
}  // namespace rondo::server
