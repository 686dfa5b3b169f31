#pragma once

#include <cstdint>
#include <filesystem>

namespace rondo::server {

/// Identity of the file at a path: changes when the file is replaced or another one is copied over it. (A checkpoint of
/// its log changes it, too.)
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: there is no file
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  ///< nanoseconds
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& path);
  /// Whether it is the same file, whatever is in it by now.
  [[nodiscard]] bool same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

}  // namespace rondo::server
