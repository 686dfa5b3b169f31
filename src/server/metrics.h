#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace rondo::server {

/// Upper limits of the buckets of the histogram of times, in seconds.
inline constexpr std::array kTimes = {0.001, 0.005, 0.025, 0.1, 0.25, 1.0, 5.0};

struct Metrics {
  std::array<std::atomic<std::uint64_t>, 6> answers{};  ///< by the first digit of the status code
  std::array<std::atomic<std::uint64_t>, kTimes.size() + 1> times{};
  std::atomic<std::uint64_t> microseconds{0};
  std::atomic<std::int64_t> connections{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> busy{0};       ///< requests refused because the queue was full
  std::atomic<std::uint64_t> abandoned{0};  ///< requests whose client disconnected before the response
  std::atomic<std::uint64_t> searches{0};
  std::atomic<std::uint64_t> incomplete{0};  ///< searches that reached the time limit

  void answered(unsigned status, double seconds);
  /// In the text format of Prometheus.
  [[nodiscard]] std::string to_text() const;
};

}  // namespace rondo::server
