#include "server/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <set>
#include <thread>

#include "server/server.h"
#include "server/session.h"
#include "unit/store/store_support.h"

namespace rondo::server {
namespace {

using test::must;

class WorkersTest : public testing::Test {
 protected:
  WorkersTest() {
    {
      Collection collection = test::open_collection(scratch_ / "c.db");
      for (int i = 0; i < 40; ++i) must(collection.put(test::sample(i)));
    }
    AppOptions options;
    options.collection = scratch_ / "c.db";
    app_ = must(App::open(options));
    workers_ = must(Workers::start(*app_, 1, Limits{}));
  }

  static Job job(std::function<void(Session&)> run, std::string address) {
    Job out;
    out.run = std::move(run);
    out.address = std::move(address);
    out.kind = "search";
    return out;
  }

  Scratch scratch_;
  std::unique_ptr<App> app_;
  std::unique_ptr<Workers> workers_;
};

TEST_F(WorkersTest, SearchesThatWaitForAPreparationKeepNoOtherWaiting) {
  std::promise<void> prepared;
  const std::shared_future<void> preparation = prepared.get_future().share();
  constexpr std::size_t kWaiting = 20;
  std::vector<std::promise<bool>> answered(kWaiting);
  for (std::size_t i = 0; i < kWaiting; ++i) {
    const auto search = [&, i](Session& session) {
      // A thread for every search must not wait; it hands the request on.
      EXPECT_FALSE(session.may_wait);
      EXPECT_TRUE(workers_->move_to(Session::Elsewhere::waiting, job(
                                                                     [&, i](Session& other) {
                                                                       preparation.wait();
                                                                       answered[i].set_value(other.may_wait);
                                                                     },
                                                                     "first")));
    };
    while (workers_->submit(true, job(search, "first")) != 0) std::this_thread::yield();
  }
  for (int i = 0; i < 50; ++i) {
    std::promise<void> done;
    ASSERT_EQ(workers_->submit(true, job([&](Session&) { done.set_value(); }, "second")), 0);
    done.get_future().wait();  // for ever, if one of those that wait had its thread
  }
  prepared.set_value();
  for (std::promise<bool>& one : answered) EXPECT_TRUE(one.get_future().get());
}

TEST_F(WorkersTest, SearchesOneAfterTheOtherGoToTheThreadThatBecameIdleLast) {
  workers_ = must(Workers::start(*app_, 24, Limits{}));
  std::set<const Session*> sessions;
  const auto search = [&] {
    std::promise<const Session*> done;
    ASSERT_EQ(workers_->submit(true, job([&](Session& session) { done.set_value(&session); }, "one")), 0);
    sessions.insert(done.get_future().get());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that it is idle again
  };
  for (int i = 0; i < 100; ++i) search();
  // A thread that is late to become idle makes room for one more, but not for all.
  EXPECT_LT(sessions.size(), 12U);
}

TEST_F(WorkersTest, NoJobIsLeftWhileManyThreadsSubmit) {
  workers_ = must(Workers::start(*app_, 8, Limits{}));
  constexpr int kJobs = 500;
  std::atomic<int> done{0};
  std::atomic<int> accepted{0};
  {
    std::vector<std::jthread> clients;
    for (int c = 0; c < 8; ++c) {
      clients.emplace_back([&, c] {
        for (int i = 0; i < kJobs; ++i) {
          Job one = job([&](Session&) { ++done; }, "client " + std::to_string(c));
          one.presumed_slow = i % 3 == 0;
          one.kind = one.presumed_slow ? "slow" : "quick";
          accepted += workers_->submit(true, std::move(one)) == 0 ? 1 : 0;
        }
      });
    }
  }
  while (done < accepted) std::this_thread::yield();  // for ever, if a job was added that no thread took
  EXPECT_GT(accepted, 0);
}

TEST_F(WorkersTest, ASearchThatWouldWaitForAPreparationIsRepeatedWhereItMay) {
  const Request request = must(
      parse_request("GET /api/v1/search?id=id3&ignore_repeated=1&fold_octaves=1 HTTP/1.1\r\nHost: a\r\n\r\n", *app_));
  const auto hasty = must(app_->session());
  hasty->may_wait = false;
  const Response first = app_->handle(request, *hasty);
  // Unless the preparation was so quick that it is there already.
  EXPECT_EQ(first.status, hasty->elsewhere == Session::Elsewhere::waiting ? 503U : 200U) << first.body;
  const auto patient = must(app_->session());
  const Response second = app_->handle(request, *patient);
  EXPECT_EQ(second.status, 200U) << second.body;
  EXPECT_EQ(patient->elsewhere, Session::Elsewhere::no);
  EXPECT_EQ(app_->handle(request, *hasty).status, 200U) << "it is prepared now";
  EXPECT_EQ(hasty->elsewhere, Session::Elsewhere::no);
}

TEST_F(WorkersTest, ALongQueryIsAKindOfItsOwn) {
  const auto plan = [&](std::size_t notes) {
    std::string text = "GET /api/v1/search?system=opti3&q=";
    for (std::size_t i = 0; i < notes; ++i) text += "C4%20";
    return app_->plan(must(parse_request(text + " HTTP/1.1\r\nHost: a\r\n\r\n", *app_)));
  };
  EXPECT_FALSE(plan(10).long_query);
  EXPECT_TRUE(plan(350).long_query);
  EXPECT_NE(plan(10).kind, plan(350).kind);
}

}  // namespace
}  // namespace rondo::server
