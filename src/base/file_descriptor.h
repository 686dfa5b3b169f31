#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace rondo {

/// A descriptor that closes itself, which also gives up its locks.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { (void)close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool ok() const { return number_ >= 0; }
  /// False: the system reports an error of an earlier write.
  [[nodiscard]] bool close();

 private:
  int number_ = -1;
};

/// Writes everything at an offset, however many calls that takes. False: errno says why.
[[nodiscard]] bool write_all(int file, std::string_view bytes, off_t at);

/// Afterwards the names in the folder of this file are on the disk, also that of a new or renamed file. False: errno
/// says why.
[[nodiscard]] bool sync_folder_of(const std::filesystem::path& file);

}  // namespace rondo
