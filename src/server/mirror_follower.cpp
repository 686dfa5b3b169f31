#include "server/mirror_follower.h"

#include <fmt/format.h>

#include <algorithm>

namespace rondo::server {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kPause(1);
constexpr std::chrono::seconds kMostPause(5);
/// A replica that lags behind the primary looks like a server that was reset to an earlier state. A new mirror requires
/// a full copy, so this must be seen this many times in a row.
constexpr int kTriesBeforeNewMirror = 3;

std::int64_t seconds_since(Steady::time_point moment) {
  return std::chrono::duration_cast<std::chrono::seconds>(Steady::now() - moment).count();
}

}  // namespace

MirrorFollower::MirrorFollower(Collection collection, std::filesystem::path address, Watchers watchers)
    : collection_(std::move(collection)),
      address_(std::move(address)),
      watchers_(std::move(watchers)),
      state_{Steady::now(), std::nullopt, 0},
      thread_([this](const std::stop_token& stop) { follow(stop); }) {}

FollowState MirrorFollower::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void MirrorFollower::succeeded() {
  std::unique_lock lock(mutex_);
  const bool again = state_.error.has_value();
  const std::int64_t seconds = seconds_since(state_.current);
  state_.current = Steady::now();
  state_.error.reset();
  lock.unlock();
  if (again && watchers_.notice) {
    watchers_.notice(fmt::format("the mirror follows the server again, after {} s", seconds));
  }
}

void MirrorFollower::failed(Error error) {
  std::unique_lock lock(mutex_);
  const bool new_reason = !state_.error || state_.error->code != error.code;
  ++state_.failures;
  state_.error = error;
  lock.unlock();
  if (new_reason && watchers_.notice) {
    // A single line, although the client library writes one per host.
    std::replace(error.message.begin(), error.message.end(), '\n', ' ');
    watchers_.notice(
        fmt::format("the mirror cannot be updated: {} [{}]{}{}; its last state is served, and the server is asked "
                    "again",
                    error.message, error.code, error.hint.empty() ? "" : "; ", error.hint));
  }
}

Result<void> MirrorFollower::replace_mirror() {
  auto again = Collection::open(address_, OpenMode::read);
  if (!again) return fail(std::move(again.error()));
  const bool another = again->path() != collection_.path();
  collection_ = std::move(*again);
  if (!another) return {};
  if (watchers_.replaced) watchers_.replaced(collection_.path());
  if (watchers_.notice) watchers_.notice("the server was restored to an earlier state: a new mirror is served");
  return {};
}

void MirrorFollower::follow(const std::stop_token& stop) {
  auto pause = kPause;
  int set_back = 0;
  while (!stop.stop_requested()) {
    auto done = collection_.refresh();
    const bool diverged = !done && done.error().code == "store-diverged";
    set_back = diverged ? set_back + 1 : 0;
    if (set_back >= kTriesBeforeNewMirror) {
      auto replaced = replace_mirror();
      if (replaced) {
        done = true;
        set_back = 0;
      } else {
        done = fail(std::move(replaced.error()));
      }
    }
    if (done) {
      succeeded();
      pause = kPause;
    } else {
      failed(std::move(done.error()));
      pause = diverged ? kPause : std::min(2 * pause, kMostPause);
    }
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace rondo::server
