#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"
#include "rondo/formats/format.h"

namespace rondo {

/// Who the files below a path are shown to, one after the other.
class FileVisitor {
 public:
  virtual ~FileVisitor() = default;
  FileVisitor() = default;
  FileVisitor(const FileVisitor&) = delete;
  FileVisitor& operator=(const FileVisitor&) = delete;

  /// A file on disk is about to be opened: `path` is where it lies ("-" for standard input), `name` what it and the
  /// files in it will go by. false passes over it: nothing of it is read.
  virtual bool wanted(const std::string& /*path*/, const std::string& /*name*/) { return true; }
  /// A file: on disk, or inside a zip or gzip. The source is to be read now: what is kept of an archive's file beyond
  /// the call gives the error `file-closed`. false ends the walk.
  virtual bool file(const std::string& name, std::unique_ptr<ByteSource> source) = 0;
  /// A file, folder or archive that cannot be opened; the walk goes on without it. false ends the walk.
  virtual bool problem(Diagnostic why) = 0;
  /// So many more bytes have been read from disk: for a progress bar beside `bytes_below`.
  virtual void progress(std::uint64_t /*bytes*/) {}
};

/// What one archive may unfold to; beyond it lies an error, never a full disk or memory.
struct OpenLimits {
  /// Times its size on disk, looked at after the first 16 MB. Music in any text form stays below 30.
  std::uint64_t ratio = 250;
  std::uint64_t total_bytes = std::uint64_t{256} << 30U;
};

/// Shows every file at `path`: the file itself; a folder's files, recursively and sorted by name; "-" for standard
/// input. Archives are recognised by content and read in place: gzip, zip (a zip within it too, no deeper), and .mxl
/// and .mscz, which are one document: the score that the container names.
///
/// Names are stable, as ids are made from them: a file goes by the path given ("stdin" for "-"); one below a folder by
/// the path from that folder on, its own name included ("songs/erk5.abc" for the argument "/data/songs"); one in a zip
/// by the zip's name and its own ("songs.zip/a/b.abc"); what a gzip holds by the gzip's name.
///
/// Hidden files and folders are passed over. So are folders met before (links may form loops); pipes, devices and
/// sockets are a problem, never waited for. An error is given only when there is nothing at `path`.
[[nodiscard]] Result<void> open_path(const std::string& path, FileVisitor& visitor, const OpenLimits& limits = {});

/// The same for bytes that came from elsewhere, by the name they are to go by: a file, or an archive read in place.
void open_bytes(const std::string& name, std::unique_ptr<ByteSource> source, FileVisitor& visitor,
                const OpenLimits& limits = {});

/// Size on disk of what `open_path` will show, about what `progress` will add up to (the directory of a zip is read
/// twice); 0 when that cannot be known.
[[nodiscard]] std::uint64_t bytes_below(const std::string& path);

/// Recognises the format by the first 64 kB, reads everything, and says which format it was. Errors: `file-empty`,
/// `format-unknown` (the message names what is read), or the reader's own; they carry options.file.
[[nodiscard]] Result<const Format*> read_any(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                             PieceSink& sink);

}  // namespace rondo
