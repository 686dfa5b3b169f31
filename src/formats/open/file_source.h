#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rondo/base/bytes.h"

namespace rondo::open {

using Progress = std::function<void(std::uint64_t bytes)>;

/// A file on disk, or a pipe that is already open.
class FileSource final : public ByteSource {
 public:
  /// Errors: `file-not-found`, `file-unreadable`, `not-a-file` (a folder, pipe, device or socket).
  [[nodiscard]] static Result<std::unique_ptr<FileSource>> open(const std::string& path, Progress progress);
  /// A descriptor that somebody else owns; `seek` fails.
  [[nodiscard]] static std::unique_ptr<FileSource> borrow(int descriptor, Progress progress);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  [[nodiscard]] Result<std::size_t> read(std::span<char> into) override;
  /// As lseek; -1 when it cannot.
  [[nodiscard]] std::int64_t seek(std::int64_t offset, int whence);
  /// The first bytes, without moving.
  [[nodiscard]] std::string head(std::size_t size) const;

 private:
  FileSource(int descriptor, bool owned, Progress progress)
      : descriptor_(descriptor), owned_(owned), progress_(std::move(progress)) {}

  int descriptor_;
  bool owned_;
  Progress progress_;
};

/// "No such file or directory" and the like for an error number of the system.
[[nodiscard]] Error system_error(int number, const std::string& name);

}  // namespace rondo::open
