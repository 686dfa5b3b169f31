#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>

#include "base/interrupt.h"
#include "rondo/base/result.h"

namespace rondo::server {

/// The time and the size of the result that the current request of this thread may have. While it exists, whatever
/// computes and asks `interrupted` or `interrupted_after` (base/interrupt.h) is told to stop when one of them is used
/// up; its result is then worthless, and `exceeded` is the answer in its place.
class RequestBudget {
 public:
  using Clock = std::chrono::steady_clock;

  RequestBudget(Clock::time_point deadline, std::stop_token stop, std::size_t bytes)
      : deadline_(deadline), stop_(std::move(stop)), most_bytes_(bytes), scope_(is_late, this, has_grown) {}
  RequestBudget(const RequestBudget&) = delete;
  RequestBudget& operator=(const RequestBudget&) = delete;

  /// What was used up, if any computation was told to stop: `server-time` or `result-too-large`.
  [[nodiscard]] std::optional<Error> exceeded() const;
  /// The error for a result of so many bytes, if it is too large.
  [[nodiscard]] static std::optional<Error> too_large(std::size_t bytes, std::size_t most);

 private:
  // A search asks from all of its threads.
  static bool is_late(void* self);
  static bool has_grown(void* self, std::size_t bytes);

  Clock::time_point deadline_;
  std::stop_token stop_;
  std::size_t most_bytes_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> late_{false};
  InterruptScope scope_;
};

}  // namespace rondo::server
