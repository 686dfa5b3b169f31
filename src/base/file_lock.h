#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace rondo {

/// A lock between processes, held while a file is being changed: an empty file beside it, locked and gone when the lock
/// is given up. The lock belongs to the process: one that is killed leaves the empty file, which locks nothing and goes
/// with the next lock.
class FileLock {
 public:
  /// Waits for another process, without `patience` for ever. Nothing: errno says why, EWOULDBLOCK that patience ended.
  [[nodiscard]] static std::optional<FileLock> of(const std::filesystem::path& file,
                                                  std::optional<std::chrono::milliseconds> patience);
  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}
  FileLock& operator=(FileLock&&) = delete;

 private:
  FileLock(int descriptor, std::filesystem::path name) : descriptor_(descriptor), name_(std::move(name)) {}
  int descriptor_;
  std::filesystem::path name_;
};

}  // namespace rondo
