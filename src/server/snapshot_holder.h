#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "server/server_snapshot.h"

namespace rondo::server {

/// Holds the current snapshot. After a change of the collection, a new one is made and warmed in the background and
/// then replaces the current one; requests use the old one until then. An import in another process changes the file
/// continuously: new snapshots are then made at limited intervals.
class SnapshotHolder {
 public:
  /// Opens and warms the first snapshot.
  [[nodiscard]] static Result<std::unique_ptr<SnapshotHolder>> open(Collection& collection, Device device = Device::cpu,
                                                                    MakeBackground background = {});
  ~SnapshotHolder();
  SnapshotHolder(const SnapshotHolder&) = delete;
  SnapshotHolder& operator=(const SnapshotHolder&) = delete;

  [[nodiscard]] std::shared_ptr<ServerSnapshot> current() const;
  /// Call when the collection has changed, or the file was replaced. Returns at once.
  void renew();
  /// Call when another file has the collection from now on.
  void use_file(std::filesystem::path path);

 private:
  SnapshotHolder(std::filesystem::path path, Device device, MakeBackground background,
                 std::shared_ptr<ServerSnapshot> first);
  void follow();
  /// False: it cannot be made now, and must be tried again.
  [[nodiscard]] bool make_snapshot();

  std::filesystem::path path_;
  Device device_;  ///< for searches
  MakeBackground background_;
  mutable std::mutex mutex_;  ///< guards the path and what follows
  bool asked_ = false;        ///< the collection has changed since the last snapshot was begun
  bool queued_ = false;       ///< `follow` runs or will run
  Clock::time_point next_{};  ///< when the next snapshot may be made
  std::shared_ptr<ServerSnapshot> current_;
  std::unique_ptr<Background> queue_;  ///< last: its work uses the rest
};

}  // namespace rondo::server
