#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

#include "rondo/base/result.h"

namespace rondo::server {

/// Things that are dear to make, made once and shared: whoever asks first makes it, others wait for it, but not beyond
/// their time. Of more than `most` things those not asked for the longest go; who has one keeps it.
template <typename Key, typename Value>
class Shelf {
 public:
  using Shared = std::shared_ptr<const Value>;
  using Clock = std::chrono::steady_clock;

  explicit Shelf(std::size_t most) : most_(most) {}

  /// `make` gives a Result<Shared>. An error is not kept: the next one tries again. Error `server-preparing` when
  /// another one's making takes too long.
  template <typename Make>
  [[nodiscard]] Result<Shared> get(const Key& key, Clock::time_point until, const Make& make) {
    std::unique_lock lock(mutex_);
    for (;;) {
      Place& place = places_[key];
      place.used = ++now_;
      if (place.value) return place.value;
      if (!place.making) {
        place.making = true;
        break;
      }
      if (changed_.wait_until(lock, until) == std::cv_status::timeout) {
        return fail("server-preparing", "this kind of search is being prepared", {}, "ask again in a moment");
      }
    }
    lock.unlock();
    Result<Shared> made = make();
    lock.lock();
    if (made) {
      Place& place = places_[key];
      place.value = *made;
      place.making = false;
      drop_oldest();
    } else {
      places_.erase(key);
    }
    changed_.notify_all();
    return made;
  }

 private:
  struct Place {
    Shared value;
    bool making = false;
    std::uint64_t used = 0;
  };

  void drop_oldest() {
    while (places_.size() > most_) {
      auto oldest = places_.end();
      for (auto it = places_.begin(); it != places_.end(); ++it) {
        if (it->second.value && (oldest == places_.end() || it->second.used < oldest->second.used)) oldest = it;
      }
      if (oldest == places_.end()) return;
      places_.erase(oldest);
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Place> places_;
  std::uint64_t now_ = 0;
};

}  // namespace rondo::server
