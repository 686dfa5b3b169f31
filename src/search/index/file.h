#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_lock.h"
#include "rondo/base/result.h"

/// The file of an index: two superblocks, then segments and tables of contents in sequence. Nothing that a superblock
/// refers to is ever overwritten: an update appends to the file and writes the inactive superblock last. So a process
/// killed at any moment leaves the old state or the new one.
namespace rondo::index {

/// A voice of the collection that the index was built from, to recognise the collection: the voice of a key never
/// changes.
struct Sample {
  std::int64_t voice = 0;
  std::uint64_t hash = 0;
};

/// The table of contents of one state of the file.
struct Contents {
  struct Part {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::vector<std::uint32_t> removed;  ///< removed documents, ascending
    std::uint64_t head = 0;              ///< head_checksum of it; 0: an earlier version wrote it
  };
  std::vector<Part> parts;
  std::int64_t last_voice = 0;       ///< the highest key of a voice when it was made
  std::uint64_t removed_voices = 0;  ///< how many the collection had removed by then
  std::vector<Sample> samples;
};

/// A copy of a file in memory, reference-counted.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keeper;
};

struct OpenFile {
  Mapping mapping;
  Contents contents;
};

/// Of the first bytes of a segment: its header and table of sections, which have no checksum themselves.
[[nodiscard]] std::uint64_t head_checksum(std::span<const std::byte> segment);

/// Errors: `index-missing`, `index-unreadable`, `index-damaged`, `index-version`.
[[nodiscard]] Result<OpenFile> open_file(const std::filesystem::path& path);

/// Replaces the file. Fills in the offset of the part.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view segment, Contents contents);
/// Appends a segment; if it is empty, only the contents change. The last part of `contents` describes it; its offset is
/// filled in.
[[nodiscard]] Result<void> append_to_file(const std::filesystem::path& path, std::string_view segment,
                                          Contents contents);

/// Held while the file is being changed. Waits a few seconds at most, then fails with `index-busy`.
[[nodiscard]] Result<FileLock> lock_file(const std::filesystem::path& path);

}  // namespace rondo::index
