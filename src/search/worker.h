#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace rondo {

/// One thread of low priority with a FIFO queue of work: what it makes must not slow down those who do not need it.
/// Work still queued at destruction is dropped.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      queue_.clear();
    }
    changed_.notify_all();
  }

  void run(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    // The thread is started when there is something to do: most programs never need it.
    if (!thread_.joinable()) thread_ = std::jthread([this] { loop(); });
    changed_.notify_all();
  }

 private:
  void loop() {
    constexpr int kNice = 8;                                                  // as slow searches of a server have
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);  // of this thread; failure is harmless
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
        if (ending_) return;
        work = std::move(queue_.front());
        queue_.pop_front();
      }
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool ending_ = false;
  std::jthread thread_;  ///< last: joined while the rest is still there
};

}  // namespace rondo
