#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/base/result.h"

/// The file of an index: two superblocks, then segments and tables of contents one behind the other. Nothing that a
/// superblock refers to is ever overwritten: an addition goes to the end of the file, and the superblock that is not
/// in force is written last. So a process killed at any moment leaves the old state or the new one.
namespace rondo::index {

/// Some voices of the collection an index was made from, to recognise it by: what a key names never changes.
struct Sample {
  std::int64_t voice = 0;
  std::uint64_t hash = 0;
};

/// What a state of the file consists of.
struct Contents {
  struct Part {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::vector<std::uint32_t> removed;  ///< documents that count no more, ascending
  };
  std::vector<Part> parts;
  std::int64_t last_voice = 0;       ///< the highest key of a voice when it was made
  std::uint64_t removed_voices = 0;  ///< how many the collection had removed by then
  std::vector<Sample> samples;
};

/// A copy of a file in memory, kept as long as somebody refers to it.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keeper;
};

struct OpenFile {
  Mapping mapping;
  Contents contents;
};

/// Errors: `index-missing`, `index-unreadable`, `index-damaged`, `index-version`.
[[nodiscard]] Result<OpenFile> open_file(const std::filesystem::path& path);

/// A new file in place of whatever is there. The offset of the part is filled in.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view segment, Contents contents);
/// A segment behind the others; an empty one: only the contents change. The last part of `contents` is its, the
/// offset filled in.
[[nodiscard]] Result<void> append_to_file(const std::filesystem::path& path, std::string_view segment,
                                          Contents contents);

/// Held while a file is being changed, so that no two processes do it at once.
class FileLock {
 public:
  /// Waits for at most some seconds; the error `index-busy`.
  [[nodiscard]] static Result<FileLock> of(const std::filesystem::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}
  FileLock& operator=(FileLock&&) = delete;

 private:
  FileLock(int descriptor, std::filesystem::path name) : descriptor_(descriptor), name_(std::move(name)) {}
  int descriptor_;
  std::filesystem::path name_;
};

}  // namespace rondo::index
