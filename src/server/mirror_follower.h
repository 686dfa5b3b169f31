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

/// How the mirror of a collection on a server is kept up to date.
struct FollowState {
  std::chrono::steady_clock::time_point current;  ///< when the mirror last had what the server has
  std::optional<Error> error;                     ///< of the last try; nothing: it succeeded
  std::uint64_t failures = 0;                     ///< tries that failed since the start
};

/// Keeps the mirror of a collection on a PostgreSQL server up to date while the mirror is served. A server that cannot
/// be reached is asked again; the mirror, which always is one state that the server had, is served meanwhile. When the
/// server was set back to an earlier state (a restored backup), a new mirror is made and served in its place.
class MirrorFollower {
 public:
  struct Watchers {
    /// Gets a line when following fails for another reason than before, and when it works again.
    std::function<void(std::string_view line)> notice;
    /// Another file is the mirror from now on.
    std::function<void(const std::filesystem::path& file)> replaced;
  };
  /// `address` is the one that the collection was opened with. The watchers are called by a thread of its own.
  MirrorFollower(Collection collection, std::filesystem::path address, Watchers watchers);

  [[nodiscard]] FollowState state() const;

 private:
  void follow(const std::stop_token& stop);
  void succeeded();
  void failed(Error error);
  /// Opens the collection anew.
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
