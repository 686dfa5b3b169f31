#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "formats/open/file_source.h"
#include "rondo/formats/open.h"

struct archive;

namespace rondo::open {

/// Bytes read from disk and expanded so far, over all nesting levels of one file.
struct Budget {
  OpenLimits limits;
  std::uint64_t read = 0;
  std::uint64_t unfolded = 0;

  [[nodiscard]] Result<void> unfold(std::size_t bytes);
  [[nodiscard]] bool exceeded() const;
};

enum class ArchiveKind : std::uint8_t { none, gzip, zip };
/// By the first bytes.
[[nodiscard]] ArchiveKind archive_kind(std::string_view head);

/// The files of a zip, or the one of a gzip, front to back, without unpacking anything to disk.
class Archive {
 public:
  /// `seekable`: the same source as `source`, where it can seek; a zip is then read by its directory at the end.
  Archive(std::unique_ptr<ByteSource> source, FileSource* seekable, ArchiveKind kind, Budget& budget);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Goes to the next file; false at the end. After an error there is no next.
  [[nodiscard]] Result<bool> next();
  /// Path of the current file within the archive, as UTF-8 with slashes. "data" in a gzip.
  [[nodiscard]] const std::string& name() const;
  /// The current file; gives `file-closed` once `next` was called or the archive is gone.
  [[nodiscard]] std::unique_ptr<ByteSource> source();

  /// Shared with the sources that were handed out.
  struct State;

 private:
  std::shared_ptr<State> state_;
};

/// A normalised path within an archive: no leading / or ./, no backslashes, always UTF-8.
[[nodiscard]] std::string clean_path(std::string_view path);
/// Bytes that are not UTF-8 as %E9, so that different names stay different.
[[nodiscard]] std::string printable_name(std::string_view name);

}  // namespace rondo::open
