#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rondo::server {

/// A rate limit with a token bucket per address. Thread-safe.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  RateLimit(double most, std::chrono::duration<double> each) : most_(most), each_(each) {}

  /// Takes a token of this address; 0: allowed, else the seconds until the next one.
  [[nodiscard]] int take(std::string_view address, Clock::time_point now = Clock::now());
  /// Returns the token, for a successful attempt.
  void give_back(std::string_view address, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double tries = 0;
    Clock::time_point at;
  };
  [[nodiscard]] Bucket& filled(std::string_view address, Clock::time_point now);

  double most_;
  std::chrono::duration<double> each_;  ///< time to refill one token
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

/// The unit of rate limits: an IPv4 address, or the /64 of an IPv6 address, because one client can use all addresses of
/// a /64.
[[nodiscard]] std::string limited_address(std::string_view peer);

}  // namespace rondo::server
