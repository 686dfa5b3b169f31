#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <utility>

namespace rondo {

/// The time limit of a user's statement. All code that runs inside the statement and can take long checks it: SQLite
/// itself every few instructions, our functions every few thousand steps. Not thread-safe.
class SqlClock {
 public:
  /// From now on a stop request counts as the end of the time limit.
  void stop_with(std::stop_token stop) { stop_ = std::move(stop); }
  void start(std::chrono::milliseconds time) {
    time_ = time;
    until_ = std::chrono::steady_clock::now() + time;
    late_ = false;
    wordy_ = false;
    steps_ = 0;
    words_ = 0;
  }
  /// Checks the clock. Once true, it stays true until the next start.
  [[nodiscard]] bool late() {
    late_ = late_ || std::chrono::steady_clock::now() > until_ || stop_.stop_requested();
    return late_;
  }
  /// Counts steps of a few nanoseconds each; false: the time is up and the function should return.
  [[nodiscard]] bool spend(std::size_t steps) {
    constexpr std::size_t kLookEvery = 1U << 16U;
    steps_ += steps;
    if (steps_ < kLookEvery) return !late_;
    steps_ = 0;
    return !late();
  }
  /// Called between the instructions of SQLite's virtual machine: true ends the statement.
  [[nodiscard]] bool tick() {
    words_ = 0;
    return late();
  }
  /// Counts a word of a full text query; false: there are too many. A word with a '*' stands for many.
  static constexpr std::size_t kMostWords = 40;
  [[nodiscard]] bool take_word(bool prefix) {
    constexpr std::size_t kPrefixCounts = 10;
    words_ += prefix ? kPrefixCounts : 1;
    wordy_ = wordy_ || words_ > kMostWords;
    return !wordy_ && !late();
  }
  [[nodiscard]] bool too_many_words() const { return wordy_; }
  [[nodiscard]] bool was_late() const { return late_; }
  [[nodiscard]] std::chrono::milliseconds time() const { return time_; }

 private:
  std::chrono::steady_clock::time_point until_;
  std::stop_token stop_;
  std::chrono::milliseconds time_{};
  std::size_t steps_ = 0;
  std::size_t words_ = 0;  ///< of full-text queries since the last tick: those of about one query
  bool late_ = false;
  bool wordy_ = false;
};

}  // namespace rondo
