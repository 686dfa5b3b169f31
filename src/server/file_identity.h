#pragma once

#include <cstdint>
#include <filesystem>

namespace rondo::server {

/// Identity of the file at a path, independent of its content: changes when the file is replaced.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: there is no file
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& path);
  /// Whether it is the same file, whatever is in it by now.
  [[nodiscard]] bool same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

}  // namespace rondo::server
