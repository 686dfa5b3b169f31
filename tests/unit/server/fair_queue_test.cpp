#include "server/fair_queue.h"

#include <gtest/gtest.h>

namespace rondo::server {
namespace {

Job job(std::string address, double seconds = 0.005) {
  Job out;
  out.address = std::move(address);
  out.seconds = seconds;
  return out;
}

TEST(FairQueue, TakesAddressesInTurns) {
  FairQueue queue({1, 10, 100});
  for (int i = 0; i < 5; ++i) queue.add(job("greedy"));
  queue.add(job("modest"));
  queue.add(job("other"));
  std::string order;
  while (auto next = queue.next()) order += next->address.substr(0, 1);
  EXPECT_EQ(order, "gmogggg");
  EXPECT_EQ(queue.size(), 0U);
}

TEST(FairQueue, AdmitsByTheTimeThatJobsAreExpectedToTake) {
  FairQueue queue({2, 0.5, 1000});
  int quick = 0;
  while (queue.refusal("a" + std::to_string(quick)) == 0 && quick < 2000) {
    queue.add(job("a" + std::to_string(quick++), 0.002));
  }
  EXPECT_NEAR(quick, 500, 5) << "half a second on two threads";
  queue.clear();
  int slow = 0;
  while (queue.refusal("a" + std::to_string(slow)) == 0 && slow < 100) queue.add(job("a" + std::to_string(slow++), 2));
  EXPECT_EQ(slow, 4) << "two for each thread";
  EXPECT_EQ(queue.refusal("b"), 4) << "seconds until the queue is empty";
}

TEST(FairQueue, LeavesRoomForOthers) {
  FairQueue queue({2, 0.5, 1000});
  int greedy = 0;
  while (queue.refusal("greedy") == 0 && greedy < 1000) {
    queue.add(job("greedy", 0.01));
    ++greedy;
  }
  EXPECT_NEAR(greedy, 50, 2) << "half of the room";
  EXPECT_NE(queue.refusal("greedy"), 0);
  EXPECT_EQ(queue.refusal("modest"), 0);
}

TEST(FairQueue, APageIsNotRefusedBecauseOthersAreSlow) {
  // Six files of one page, on a machine that takes a third of a second for each.
  FairQueue queue({2, 0.5, 20});
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(queue.refusal("visitor", true), 0) << i;
    queue.add(job("visitor", 0.3));
  }
  EXPECT_NE(queue.refusal("visitor"), 0) << "anything else is told to come back";
  for (int i = 6; i < 10; ++i) queue.add(job("visitor", 0.3));
  EXPECT_NE(queue.refusal("visitor", true), 0) << "half of the room is still all there is for one address";
  EXPECT_EQ(queue.refusal("other", true), 0);
}

TEST(FairQueue, HasALargestNumberOfJobs) {
  FairQueue queue({1, 1e9, 10});
  int jobs = 0;
  while (queue.refusal(std::to_string(jobs)) == 0 && jobs < 100) queue.add(job(std::to_string(jobs++)));
  EXPECT_EQ(jobs, 10);
}

}  // namespace
}  // namespace rondo::server
