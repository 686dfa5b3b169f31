#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <utility>

#include "base/interrupt.h"

namespace rondo::fast {

/// When a search must end before it is done: at its deadline, on demand, or when the scope says so in which it began.
/// Asked often, so the clock is read only now and then.
class Stop {
 public:
  Stop(std::chrono::steady_clock::time_point deadline, std::stop_token token)
      : deadline_(deadline), token_(std::move(token)) {}
  /// True from the moment it is time; threads may ask at once.
  [[nodiscard]] bool now() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const bool wanted = token_.stop_requested() || (outer_ != nullptr && outer_->wanted());
    if (!wanted && std::chrono::steady_clock::now() < deadline_) return false;
    stopped_.store(true, std::memory_order_relaxed);
    return true;
  }
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  std::chrono::steady_clock::time_point deadline_;
  std::stop_token token_;
  const InterruptScope* outer_ = InterruptScope::innermost();
  std::atomic<bool> stopped_{false};
};

}  // namespace rondo::fast
