#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "rondo/server/app.h"

namespace rondo::server {

/// Threads that answer, each with a session of its own, and the queue in front of them.
class Workers {
 public:
  using Job = std::function<void(Session& session)>;

  [[nodiscard]] static Result<std::unique_ptr<Workers>> start(App& app, unsigned threads, std::size_t waiting);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// false: too many are waiting, or it is ending.
  [[nodiscard]] bool submit(Job job);
  /// Like `submit`, for what goes on with a request that was taken: there is always room.
  void go_on(Job job);

 private:
  explicit Workers(std::size_t waiting) : waiting_(waiting) {}
  void work(Session& session);

  std::size_t waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  std::vector<std::shared_ptr<Session>> sessions_;
  std::vector<std::jthread> threads_;
};

}  // namespace rondo::server
