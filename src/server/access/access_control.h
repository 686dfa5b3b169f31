#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "search/shared_cache.h"
#include "server/access/rate_limit.h"
#include "study/studies.h"

namespace rondo::server {

/// Lets one in after the other, each of whom waits only so long. A std::timed_mutex would do, but the thread sanitizer
/// does not know what it calls.
class TimedMutex {
 public:
  class Lock {
   public:
    explicit Lock(TimedMutex* of) : of_(of) {}
    ~Lock() {
      if (of_ != nullptr) of_->leave();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    /// False: the time was up.
    explicit operator bool() const { return of_ != nullptr; }

   private:
    TimedMutex* of_;
  };
  [[nodiscard]] Lock lock_for(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!free_again_.wait_for(lock, patience, [this] { return !taken_; })) return Lock(nullptr);
    taken_ = true;
    return Lock(this);
  }

 private:
  void leave() {
    {
      const std::lock_guard lock(mutex_);
      taken_ = false;
    }
    free_again_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable free_again_;
  bool taken_ = false;
};

/// What all threads share of the studies: limits, the token that was checked last, analysed studies.
struct AccessControl {
  /// Wrong codes or tokens of one address that begin alike: ten at once, then one in ten seconds. Whoever knows the
  /// beginning of a code is slowed down; all other codes of a class behind the same address are not concerned.
  RateLimit beginnings{10, std::chrono::seconds(10)};
  /// All wrong ones of one address. Codes have 80 random bits and are checked in no time, so that a right one is let in
  /// whatever was tried before it; only wrong ones are told to wait.
  RateLimit wrong{10, std::chrono::seconds(10)};
  /// Checks of tokens that were not right lately: each takes a tenth of a second and 64 MiB.
  RateLimit checks{60, std::chrono::seconds(2)};
  /// Newcomers by an open link; each is a new participant in the file.
  RateLimit newcomers{60, std::chrono::seconds(10)};

  /// Whether this is the researcher's token. One check takes a tenth of a second and 64 MiB, so only one runs at a
  /// time, and a token that was right is known again without. Error `server-busy` when another one's check takes too
  /// long.
  [[nodiscard]] Result<bool> is_researcher(study::Studies& studies, std::string_view token);
  /// Whether this token was right lately.
  [[nodiscard]] Result<bool> is_known(study::Studies& studies, std::string_view token);

  /// The same with all limits of an address: `rate-limited`, `token-wrong`, or nothing wrong.
  [[nodiscard]] Result<void> admit_token(study::Studies& studies, std::string_view address, std::string_view token);

  /// The analysis of the votes, for each state of a study.
  struct AnalysedStudy;
  SharedCache<std::string, AnalysedStudy> analysed{8};

 private:
  TimedMutex checking_;
  std::mutex known_mutex_;
  std::string known_;  ///< fingerprint of hash and token that fit together
};

/// The address, and the first letters of a code or token that came from it: what `AccessControl::beginnings` counts.
[[nodiscard]] std::string beginning_of(std::string_view address, std::string_view secret);

}  // namespace rondo::server
