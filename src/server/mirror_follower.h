#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "rondo/store/collection.h"

namespace rondo::server {

/// Keeps the mirror of a collection on a PostgreSQL server up to date while the mirror is served. A server that cannot
/// be reached is asked again; the mirror is served meanwhile as it is.
class MirrorFollower {
 public:
  explicit MirrorFollower(Collection collection);

 private:
  void follow(const std::stop_token& stop);

  Collection collection_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  ///< last: joined while the rest is still there
};

}  // namespace rondo::server
