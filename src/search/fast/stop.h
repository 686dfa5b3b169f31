#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <utility>

namespace rondo::fast {

/// When a search must end before it is done. Asked often, so the clock is read only now and then.
class Stop {
 public:
  Stop(std::chrono::steady_clock::time_point deadline, std::stop_token token)
      : deadline_(deadline), token_(std::move(token)) {}
  /// True from the moment it is time; threads may ask at once.
  [[nodiscard]] bool now() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (!token_.stop_requested() && std::chrono::steady_clock::now() < deadline_) return false;
    stopped_.store(true, std::memory_order_relaxed);
    return true;
  }
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  std::chrono::steady_clock::time_point deadline_;
  std::stop_token token_;
  std::atomic<bool> stopped_{false};
};

}  // namespace rondo::fast
