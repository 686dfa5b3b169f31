#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "rondo/store/collection.h"

namespace rondo::server {

/// The state of following a PostgreSQL server.
struct FollowState {
  std::chrono::steady_clock::time_point current;  ///< when the mirror was last up to date
  std::optional<Error> error;                     ///< of the last attempt; nullopt: it succeeded
  std::uint64_t failures = 0;                     ///< failed attempts since the start
};

/// Keeps the mirror of a collection on a PostgreSQL server up to date while it is served. If the server cannot be
/// reached, it retries; meanwhile the mirror, which is always a state that the server had, is served. If the server was
/// reset to an earlier state (a restored backup), a new mirror is made and replaces the old one.
class MirrorFollower {
 public:
  struct Watchers {
    /// Receives a line when updates fail for a new reason, and when they work again.
    std::function<void(std::string_view line)> notice;
    /// Called when another file becomes the mirror.
    std::function<void(const std::filesystem::path& file)> replaced;
  };
  /// `address` is the one with which the collection was opened. The watchers are called from the follower's thread.
  MirrorFollower(Collection collection, std::filesystem::path address, Watchers watchers);

  [[nodiscard]] FollowState state() const;

 private:
  void follow(const std::stop_token& stop);
  void succeeded();
  void failed(Error error);
  /// Reopens the collection.
  [[nodiscard]] Result<void> replace_mirror();

  Collection collection_;
  std::filesystem::path address_;
  Watchers watchers_;
  mutable std::mutex mutex_;
  std::condition_variable_any ended_;
  FollowState state_;
  std::jthread thread_;  ///< last: joined while the rest is still there
};

}  // namespace rondo::server
