#include "server/snapshot_holder.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <utility>

#include "store/sqlite.h"

namespace rondo::server {
namespace {

std::string stamp_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return "-";
  return fmt::format("{} {}.{} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino);
}

/// Keys change with notes; the modification times of the file and its log change with texts too. A checkpoint also
/// changes them, which invalidates clients' caches once without need.
Result<std::string> version_of(Collection& collection) {
  auto last = database_of(collection).number("SELECT coalesce(max(key), 0) FROM voice");
  if (!last) return fail(std::move(last.error()));
  const std::string path = collection.path().string();
  const std::string text = fmt::format("{}|{}|{}", *last, stamp_of(path), stamp_of(path + "-wal"));
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// Opens and warms a snapshot.
Result<std::shared_ptr<ServerSnapshot>> snapshot_of(Collection& collection, Device device) {
  auto version = version_of(collection);
  if (!version) return fail(std::move(version.error()));
  auto snapshot = ServerSnapshot::of(collection, std::move(*version), device);
  if (!snapshot) return snapshot;
  if (auto done = (*snapshot)->warm(collection); !done) return fail(std::move(done.error()));
  return snapshot;
}

}  // namespace

FileIdentity FileIdentity::of(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return {};
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino), status.st_size,
          status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

Result<std::unique_ptr<SnapshotHolder>> SnapshotHolder::open(Collection& collection, Device device) {
  auto first = snapshot_of(collection, device);
  if (!first) return fail(std::move(first.error()));
  return std::unique_ptr<SnapshotHolder>(new SnapshotHolder(collection.path(), device, std::move(*first)));
}

SnapshotHolder::SnapshotHolder(std::filesystem::path path, Device device, std::shared_ptr<ServerSnapshot> first)
    : path_(std::move(path)),
      device_(device),
      current_(std::move(first)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

SnapshotHolder::~SnapshotHolder() = default;

std::shared_ptr<ServerSnapshot> SnapshotHolder::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void SnapshotHolder::renew() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  changed_.notify_all();
}

void SnapshotHolder::use_file(std::filesystem::path path) {
  {
    const std::lock_guard lock(mutex_);
    path_ = std::move(path);
  }
  renew();
}

void SnapshotHolder::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!changed_.wait(lock, stop, [this] { return asked_; })) return;
    asked_ = false;
    lock.unlock();
    const auto start = Clock::now();
    make_snapshot();
    constexpr int kPauses = 5;
    const auto until =
        Clock::now() + std::max<Clock::duration>(std::chrono::seconds(2), kPauses * (Clock::now() - start));
    lock.lock();
    // Waits even if requested again, to limit how often snapshots are made.
    changed_.wait_until(lock, stop, until, [] { return false; });
    if (stop.stop_requested()) return;
  }
}

void SnapshotHolder::make_snapshot() {
  // A new connection each time, because the file may have been replaced.
  std::filesystem::path path;
  {
    const std::lock_guard lock(mutex_);
    path = path_;
  }
  auto collection = Collection::open(path, OpenMode::read);
  if (!collection) return;
  auto version = version_of(*collection);
  if (!version || *version == current()->version()) return;
  // If the snapshot cannot be made now (the file is busy), it is made at the next change.
  auto made = snapshot_of(*collection, device_);
  if (!made) return;
  std::shared_ptr<ServerSnapshot> old;
  const std::lock_guard lock(mutex_);
  old = std::exchange(current_, std::move(*made));
}

}  // namespace rondo::server
