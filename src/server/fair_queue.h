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
  /// Called in place of `run` where that is of no use any more: `late` says that the deadline has passed, else the
  /// client has hung up.
  std::function<void(bool late)> drop{};
  std::string address{};  ///< who asks
  std::string kind{};     ///< requests of one kind take about the same time
  double seconds = 0;     ///< that it is expected to take
  /// Rather late than never: a browser does not ask again for a style sheet, and a page without it is broken.
  bool patient = false;
  std::stop_token cancel{};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// Jobs of several addresses, taken in turns: an address that sends many waits for itself, not the others for it.
/// Admission is by the time that the waiting jobs are expected to take. Not synchronised.
class FairQueue {
 public:
  struct Limits {
    unsigned threads = 1;
    double wait = 0.5;       ///< seconds that a job may have to wait
    std::size_t jobs = 256;  ///< that wait, in all
  };

  explicit FairQueue(const Limits& limits) : limits_(limits) {}

  /// 0: there is room for a job; else the seconds until there probably is. One address gets at most half
  /// of the room, so that others always find some. `patient`: however long it may have to wait.
  [[nodiscard]] int refusal(const std::string& address, bool patient = false) const;
  void add(Job job);
  /// Of the address that has waited longest for its turn.
  [[nodiscard]] std::optional<Job> next();
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Seconds until everything that waits now has been started.
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
