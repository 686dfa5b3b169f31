#include "base/background.h"

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace rondo {
namespace {

/// Searches come before what nobody waits for.
int nice_of(BackgroundTask task) {
  switch (task) {
    case BackgroundTask::prepare: return 8;  // as slow searches of a server have
    case BackgroundTask::concordances: return 19;
    case BackgroundTask::warm:
    case BackgroundTask::snapshot: break;
  }
  return 0;
}

class BackgroundThread final : public Background {
 public:
  explicit BackgroundThread(int nice) : nice_(nice) {}
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;
  ~BackgroundThread() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      queue_.clear();
    }
    changed_.notify_all();
  }

  void run(Work work, Clock::time_point earliest) override {
    const std::lock_guard lock(mutex_);
    queue_.emplace(earliest, std::move(work));
    if (!thread_.joinable()) thread_ = std::jthread([this] { loop(); });
    changed_.notify_all();
  }

 private:
  void loop() {
    // On Linux the priority is that of the thread; failure is harmless.
    if (nice_ != 0) (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (ending_) return;
      const auto first = queue_.begin();
      if (const Clock::time_point earliest = first->first; earliest > Clock::now()) {
        changed_.wait_until(lock, earliest);
        continue;
      }
      const Work work = std::move(first->second);
      queue_.erase(first);
      lock.unlock();
      work();
      lock.lock();
    }
  }

  int nice_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Work> queue_;
  bool ending_ = false;
  std::jthread thread_;  ///< last: joined while the rest is still there
};

}  // namespace

std::unique_ptr<Background> background_thread(BackgroundTask task) {
  return std::make_unique<BackgroundThread>(nice_of(task));
}

}  // namespace rondo
