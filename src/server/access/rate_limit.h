#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rondo::server {

/// Keeps one address from trying too often: everybody has a bucket of tries, which fills up again by and by. Any thread
/// may ask.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  RateLimit(double most, std::chrono::duration<double> each) : most_(most), each_(each) {}

  /// Takes a try of this address; 0: there was one, else the seconds until there is.
  [[nodiscard]] int take(std::string_view address, Clock::time_point now = Clock::now());
  /// Gives it back, as to somebody who turned out to be welcome.
  void give_back(std::string_view address, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double tries = 0;
    Clock::time_point at;
  };
  [[nodiscard]] Bucket& filled(std::string_view address, Clock::time_point now);

  double most_;
  std::chrono::duration<double> each_;  ///< that a new try takes to come
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

/// Who counts as one: an IPv4 address, or the /64 of an IPv6 one, of which anybody has as many as he likes.
[[nodiscard]] std::string limited_address(std::string_view peer);

}  // namespace rondo::server
