#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace rondo::server {

struct Session;

/// A request that waits for a thread.
struct Job {
  std::function<void(Session& session)> run;
  /// Called instead of `run` if the result is no longer needed: `late`: the deadline has passed; else the client has
  /// disconnected.
  std::function<void(bool late)> drop{};
  std::string address{};  ///< the client
  std::string kind{};     ///< requests of one kind take about the same time
  double seconds = 0;     ///< expected duration
  /// Presumed to be slow as long as nothing is known of its kind.
  bool presumed_slow = false;
  /// Never refused because of a long wait: a browser does not repeat the request for a style sheet.
  bool patient = false;
  std::stop_token cancel{};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// A round-robin queue over client addresses: a client with many jobs delays only itself. Admission depends on the
/// expected time of the waiting jobs. Not thread-safe.
class FairQueue {
 public:
  struct Limits {
    unsigned threads = 1;
    double wait = 0.5;       ///< maximal expected wait in seconds
    std::size_t jobs = 256;  ///< maximal number of waiting jobs
  };

  explicit FairQueue(const Limits& limits) : limits_(limits) {}

  /// 0: a job is admitted; else the estimated seconds until one will be. One address gets at most half of the queue, so
  /// that others are always served. `patient`: the expected wait does not matter.
  [[nodiscard]] int refusal(const std::string& address, bool patient = false) const;
  void add(Job job);
  /// The next job, of the address that has waited longest for its turn.
  [[nodiscard]] std::optional<Job> next();
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Estimated seconds until all waiting jobs have been started.
  [[nodiscard]] double wait() const { return expected_ / limits_.threads; }

 private:
  struct Share {
    std::deque<Job> jobs;
    double expected = 0;
  };

  Limits limits_;
  std::map<std::string, Share> shares_;
  std::deque<std::string> turns_;  ///< addresses with jobs, the next one first
  std::size_t size_ = 0;
  double expected_ = 0;
};

}  // namespace rondo::server
