#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/app.h"
#include "server/fair_queue.h"
#include "server/job_times.h"
#include "server/search_queue.h"
#include "server/server.h"
#include "server/session.h"

namespace rondo::server {

/// Worker threads, each with its own session. Expensive requests wait in a short queue, where slow ones do not delay
/// quick ones; cheap requests (pages, notation, /health, a participant's votes) have dedicated threads and never wait
/// behind a search. Searches for which something must be prepared first wait on threads of their own, where they keep
/// nobody else waiting; and tokens are checked, which is expensive on purpose, one after the other on one thread.
class Workers {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Workers>> start(App& app, unsigned threads, const Limits& limits);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// 0: accepted; else the request is refused, and the result is the Retry-After in seconds.
  [[nodiscard]] int submit(bool expensive, Job job);
  /// Like `submit`, for the continuation of an accepted request: never refused.
  void go_on(bool expensive, Job job);
  /// For a request that another thread must repeat (Session::elsewhere): one that may wait for a preparation, or the
  /// one that checks tokens. False: too many wait there already.
  [[nodiscard]] bool move_to(Session::Elsewhere where, Job job);

 private:
  /// A thread for expensive requests.
  struct Searcher {
    std::condition_variable called;
    bool idle = false;
  };

  Workers(unsigned threads, const Limits& limits);
  /// Adds a job and returns what to notify after the lock is released; null: no idle thread can take it.
  [[nodiscard]] std::condition_variable* add(bool expensive, Job job);
  void work_through(FairQueue& queue, std::condition_variable& changed, Session& session);
  void work_expensive(unsigned worker, Session& session);
  void run(Job& job, Session& session);

  std::mutex mutex_;  ///< guards queues and times
  FairQueue cheap_;
  SearchQueue expensive_;
  FairQueue waiting_;
  FairQueue checking_;
  JobTimes times_;
  std::condition_variable cheap_changed_;
  std::condition_variable waiting_changed_;
  std::condition_variable checking_changed_;
  std::deque<Searcher> searchers_;
  std::vector<unsigned> idle_;  ///< searchers by number, the one that became idle last at the end
  bool ending_ = false;
  std::vector<std::shared_ptr<Session>> sessions_;
  std::vector<std::jthread> threads_;
};

}  // namespace rondo::server
