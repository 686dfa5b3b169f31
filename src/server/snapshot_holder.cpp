#include "server/snapshot_holder.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
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
Result<std::shared_ptr<ServerSnapshot>> snapshot_of(Collection& collection, const FileIdentity& file, Device device,
                                                    const MakeBackground& background) {
  auto version = version_of(collection);
  if (!version) return fail(std::move(version.error()));
  auto snapshot = ServerSnapshot::of(collection, file, std::move(*version), device, background);
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

Result<std::unique_ptr<SnapshotHolder>> SnapshotHolder::open(Collection& collection, Device device,
                                                             MakeBackground background) {
  auto first = snapshot_of(collection, FileIdentity::of(collection.path()), device, background);
  if (!first) return fail(std::move(first.error()));
  return std::unique_ptr<SnapshotHolder>(
      new SnapshotHolder(collection.path(), device, std::move(background), std::move(*first)));
}

SnapshotHolder::SnapshotHolder(std::filesystem::path path, Device device, MakeBackground background,
                               std::shared_ptr<ServerSnapshot> first)
    : path_(std::move(path)),
      device_(device),
      background_(std::move(background)),
      current_(std::move(first)),
      queue_(make_background(background_, BackgroundTask::snapshot)) {}

SnapshotHolder::~SnapshotHolder() = default;

std::shared_ptr<ServerSnapshot> SnapshotHolder::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void SnapshotHolder::renew() {
  const std::lock_guard lock(mutex_);
  asked_ = true;
  if (std::exchange(queued_, true)) return;
  queue_->run([this] { follow(); }, next_);
}

void SnapshotHolder::use_file(std::filesystem::path path) {
  {
    const std::lock_guard lock(mutex_);
    path_ = std::move(path);
  }
  renew();
}

void SnapshotHolder::follow() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = false;
  }
  const auto start = Clock::now();
  const bool made = make_snapshot();
  constexpr int kPauses = 5;
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  // Waits even if requested again, to limit how often snapshots are made.
  next_ = now + std::max<Clock::duration>(std::chrono::seconds(2), kPauses * (now - start));
  queued_ = asked_ || !made;
  if (queued_) queue_->run([this] { follow(); }, next_);
}

bool SnapshotHolder::make_snapshot() {
  // A new connection each time, because the file may have been replaced.
  std::filesystem::path path;
  {
    const std::lock_guard lock(mutex_);
    path = path_;
  }
  const FileIdentity file = FileIdentity::of(path);
  auto collection = Collection::open(path, OpenMode::read);
  if (!collection) return false;
  auto version = version_of(*collection);
  if (!version) return false;
  if (*version == current()->version()) return true;
  auto made = snapshot_of(*collection, file, device_, background_);
  if (!made || !FileIdentity::of(path).same_file(file)) return false;  // the file is busy, or was replaced meanwhile
  std::shared_ptr<ServerSnapshot> old;
  const std::lock_guard lock(mutex_);
  old = std::exchange(current_, std::move(*made));
  return true;
}

}  // namespace rondo::server
