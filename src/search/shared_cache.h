#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/interrupt.h"
#include "rondo/base/result.h"

namespace rondo {

/// An LRU cache of values that are expensive to make. The first caller makes the value; others wait for it until their
/// deadline. If there are more than `most` values, the least recently used are dropped; callers keep the values they
/// hold.
template <typename Key, typename Value>
class SharedCache {
 public:
  using Shared = std::shared_ptr<const Value>;
  using Make = std::function<Result<Shared>()>;
  using Clock = std::chrono::steady_clock;
  /// Runs the work at once, or on another thread: the caller waits for it, up to its deadline, either way.
  using Run = std::function<void(std::function<void()> work)>;

  explicit SharedCache(std::size_t most) : most_(most) {}
  static void at_once(const std::function<void()>& work) { work(); }

  /// An error of `make` is not cached: the next caller tries again. Error `search-preparing` at the deadline; the value
  /// is then still finished for later callers.
  [[nodiscard]] Result<Shared> get(const Key& key, Clock::time_point until, Make make, const Run& run = at_once) {
    std::unique_lock lock(mutex_);
    for (bool mine = false;;) {
      Place& place = places_[key];
      place.used = ++now_;
      if (place.value) return place.value;
      if (mine && place.failure) {
        Error error = *place.failure;
        places_.erase(key);
        return fail(std::move(error));
      }
      if (!place.making) {
        place.making = true;
        place.failure.reset();
        mine = true;
        lock.unlock();
        run([this, key, make] {
          const UninterruptedScope scope;  // others may wait for it
          finish(key, make());
        });
        lock.lock();
        continue;
      }
      const bool in_time = until == Clock::time_point::max()
                               ? (changed_.wait(lock), true)
                               : changed_.wait_until(lock, until) == std::cv_status::no_timeout;
      if (!in_time && !places_[key].value) {
        return fail("search-preparing", "this kind of search is being prepared", {}, "ask again in a moment");
      }
    }
  }
  /// Null: not cached.
  [[nodiscard]] Shared find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    return found == places_.end() ? nullptr : found->second.value;
  }

 private:
  struct Place {
    Shared value;
    bool making = false;
    std::optional<Error> failure;
    std::uint64_t used = 0;
  };

  void finish(const Key& key, Result<Shared> made) {
    {
      const std::lock_guard lock(mutex_);
      Place& place = places_[key];
      place.making = false;
      if (made) {
        place.value = std::move(*made);
        drop_oldest();
      } else {
        place.failure = std::move(made.error());
      }
    }
    changed_.notify_all();
  }

  void drop_oldest() {
    while (places_.size() > most_) {
      auto oldest = places_.end();
      for (auto it = places_.begin(); it != places_.end(); ++it) {
        if (!it->second.making && (oldest == places_.end() || it->second.used < oldest->second.used)) oldest = it;
      }
      if (oldest == places_.end()) return;
      places_.erase(oldest);
    }
  }

  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Place> places_;
  std::uint64_t now_ = 0;
};

}  // namespace rondo
