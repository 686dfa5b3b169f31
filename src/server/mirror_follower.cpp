#include "server/mirror_follower.h"

#include <chrono>

namespace rondo::server {

MirrorFollower::MirrorFollower(Collection collection)
    : collection_(std::move(collection)), thread_([this](const std::stop_token& stop) { follow(stop); }) {}

void MirrorFollower::follow(const std::stop_token& stop) {
  constexpr std::chrono::seconds kPause(1);
  constexpr std::chrono::seconds kPauseAfterError(5);
  while (!stop.stop_requested()) {
    const bool reached = collection_.refresh().has_value();
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, stop, reached ? kPause : kPauseAfterError, [] { return false; });
  }
}

}  // namespace rondo::server
