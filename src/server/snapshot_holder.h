#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "server/server_snapshot.h"

namespace rondo::server {

/// Identity of the file at a path: changes when the file is replaced or another one is copied over it. (A checkpoint of
/// its log changes it, too.)
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: there is no file
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  ///< nanoseconds
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& path);
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Holds the current snapshot. After a change of the collection, a separate thread makes and warms a new one and then
/// replaces the current one; requests use the old one until then. An import in another process changes the file
/// continuously: new snapshots are then made at limited intervals.
class SnapshotHolder {
 public:
  /// Opens and warms the first snapshot.
  [[nodiscard]] static Result<std::unique_ptr<SnapshotHolder>> open(Collection& collection,
                                                                    Device device = Device::cpu);
  ~SnapshotHolder();
  SnapshotHolder(const SnapshotHolder&) = delete;
  SnapshotHolder& operator=(const SnapshotHolder&) = delete;

  [[nodiscard]] std::shared_ptr<ServerSnapshot> current() const;
  /// Call when the collection has changed, or the file was replaced. Returns at once.
  void renew();
  /// Call when another file has the collection from now on.
  void use_file(std::filesystem::path path);

 private:
  SnapshotHolder(std::filesystem::path path, Device device, std::shared_ptr<ServerSnapshot> first);
  void watch(const std::stop_token& stop);
  void make_snapshot();

  std::filesystem::path path_;
  Device device_;  ///< for searches
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool asked_ = false;
  std::shared_ptr<ServerSnapshot> current_;
  std::jthread thread_;  ///< last: joined while the rest is still there
};

}  // namespace rondo::server
