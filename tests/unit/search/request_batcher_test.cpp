#include "search/card/request_batcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace rondo {
namespace {

using Doubler = RequestBatcher<int, int>;

std::vector<int> doubled(std::span<const int* const> requests) {
  std::vector<int> out;
  for (const int* request : requests) out.push_back(2 * *request);
  return out;
}

TEST(RequestBatcher, EachThreadGetsItsOwnAnswer) {
  std::atomic<int> at_once{0};
  std::atomic<int> most_at_once{0};
  std::atomic<std::size_t> largest{0};
  Doubler batcher([&](auto requests) -> Result<std::vector<int>> {
    const int now = ++at_once;
    for (int most = most_at_once; now > most && !most_at_once.compare_exchange_weak(most, now);) {
    }
    for (std::size_t most = largest; requests.size() > most && !largest.compare_exchange_weak(most, requests.size());) {
    }
    std::this_thread::yield();
    --at_once;
    return doubled(requests);
  });
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 100; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) EXPECT_EQ(batcher.send(1000 * t + i).value(), 2 * (1000 * t + i));
      });
    }
  }
  EXPECT_LE(most_at_once, 3);
  EXPECT_LE(largest, 64U);
}

TEST(RequestBatcher, ThoseWhoWaitForABatchAreAnsweredInOne) {
  std::promise<void> gate;
  const std::shared_future<void> opened = gate.get_future().share();
  std::atomic<int> batches{0};
  std::atomic<int> arrived{0};
  Doubler batcher([&](auto requests) -> Result<std::vector<int>> {
    if (++batches <= 3) opened.wait();
    return doubled(requests);
  });
  constexpr int kThreads = 60;
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      ++arrived;
      EXPECT_EQ(batcher.send(t).value(), 2 * t);
    });
  }
  while (arrived < kThreads || batches < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that they wait
  gate.set_value();
  threads.clear();
  // Three that lead, with one request each, and those whom they appoint; not one batch for each request.
  EXPECT_LE(batches, 20);
}

TEST(RequestBatcher, AfterAnErrorAllHaveIt) {
  Doubler batcher([](auto requests) -> Result<std::vector<int>> {
    for (const int* request : requests) {
      if (*request == 500) return fail("device-failed", "lost");
    }
    return doubled(requests);
  });
  EXPECT_EQ(batcher.send(3).value(), 6);
  std::atomic<int> failed{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 20; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) {
          auto answer = batcher.send(i == 50 && t == 7 ? 500 : i);
          if (!answer) ++failed;
        }
      });
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(batcher.send(3).error().code, "device-failed");
}

}  // namespace
}  // namespace rondo
