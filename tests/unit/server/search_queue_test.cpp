#include "server/search_queue.h"

#include <gtest/gtest.h>

namespace rondo::server {
namespace {

constexpr double kQuickJob = 0.01;
constexpr double kSlowJob = 2;

Job search_job(double seconds, std::string address = "a") {
  Job out;
  out.address = std::move(address);
  out.seconds = seconds;
  return out;
}

TEST(SearchQueue, KeepsAWorkerForQuickJobs) {
  SearchQueue queue(2, 0.5, 100);
  queue.add(search_job(kSlowJob));
  queue.add(search_job(kSlowJob));
  EXPECT_TRUE(queue.has_job_for(0));
  EXPECT_TRUE(queue.has_job_for(1));
  EXPECT_FALSE(queue.has_job_for(2)) << "the last worker takes no slow job";
  queue.add(search_job(kQuickJob));
  ASSERT_TRUE(queue.has_job_for(2));
  EXPECT_EQ(queue.next(2)->seconds, kQuickJob);
  EXPECT_FALSE(queue.next(2).has_value());
}

TEST(SearchQueue, QuickJobsDoNotKeepSlowOnesFromTheirTurn) {
  SearchQueue queue(1, 0.5, 100);
  for (int i = 0; i < 10; ++i) queue.add(search_job(kQuickJob));
  queue.add(search_job(kSlowJob));
  EXPECT_EQ(queue.next(0)->seconds, kSlowJob);
  EXPECT_EQ(queue.next(0)->seconds, kQuickJob) << "no worker is idle while there is a job that it may take";
}

TEST(SearchQueue, SlowJobsThatWaitDoNotRefuseQuickOnes) {
  SearchQueue queue(2, 0.5, 100);
  int slow = 0;
  while (queue.refusal(std::to_string(slow), kSlowJob) == 0 && slow < 100) {
    queue.add(search_job(kSlowJob, std::to_string(slow++)));
  }
  EXPECT_EQ(slow, 4);
  EXPECT_EQ(queue.refusal("1", kQuickJob), 0);
  int quick = 0;
  while (queue.refusal("q" + std::to_string(quick), kQuickJob) == 0 && quick < 1000) {
    queue.add(search_job(kQuickJob, "q" + std::to_string(quick++)));
  }
  EXPECT_NE(queue.refusal("q", kQuickJob), 0) << "quick ones have a limit too";
  queue.clear();
  EXPECT_EQ(queue.refusal("q", kQuickJob), 0);
  EXPECT_FALSE(queue.has_job_for(0));
}

}  // namespace
}  // namespace rondo::server
