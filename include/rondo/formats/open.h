#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"
#include "rondo/formats/format.h"

namespace rondo {

/// Receives the files below a path, one after the other.
class FileVisitor {
 public:
  virtual ~FileVisitor() = default;
  FileVisitor() = default;
  FileVisitor(const FileVisitor&) = delete;
  FileVisitor& operator=(const FileVisitor&) = delete;

  /// A file on disk is about to be opened: `path` is its location ("-" for standard input), `name` the name of it, and
  /// the prefix of the names of files in it. false skips it: nothing of it is read.
  virtual bool wanted(const std::string& /*path*/, const std::string& /*name*/) { return true; }
  /// A file: on disk, or inside a zip or gzip. The source must be read during the call: reading a file of an archive
  /// later gives the error `file-closed`. false ends the walk.
  virtual bool file(const std::string& name, std::unique_ptr<ByteSource> source) = 0;
  /// A file, folder or archive that cannot be opened; the walk continues without it. false ends the walk.
  virtual bool problem(Diagnostic why) = 0;
  /// That many more bytes have been read from disk: for a progress bar, together with `bytes_below`.
  virtual void progress(std::uint64_t /*bytes*/) {}
};

/// How far one archive may expand; beyond that is an error, so that an archive cannot fill disk or memory.
struct OpenLimits {
  /// Times its size on disk, looked at after the first 16 MB. Music in any text form stays below 30.
  std::uint64_t ratio = 250;
  std::uint64_t total_bytes = std::uint64_t{256} << 30U;
};

/// Passes every file at `path` to the visitor: the file itself; a folder's files, recursively and sorted by name; "-"
/// for standard input. Archives are recognised by content and read in place: gzip, zip (a zip within it too, no
/// deeper), and .mxl and .mscz, which are one document: the score that the container names.
///
/// Names are stable, because ids are made from them. The name of a file is the path given ("stdin" for "-"); of a file
/// below a folder, the path from that folder on, including its name ("songs/erk5.abc" for the argument "/data/songs");
/// of a file in a zip, the zip's name and its own ("songs.zip/a/b.abc"); of the content of a gzip, the gzip's name.
///
/// Hidden files and folders are skipped, and so are folders visited before (links may form loops). Pipes, devices and
/// sockets are a problem and are never opened. The function fails only if there is nothing at `path`.
[[nodiscard]] Result<void> open_path(const std::string& path, FileVisitor& visitor, const OpenLimits& limits = {});

/// The same for bytes from another source, under the given name: a file, or an archive read in place.
void open_bytes(const std::string& name, std::unique_ptr<ByteSource> source, FileVisitor& visitor,
                const OpenLimits& limits = {});

/// Size on disk of what `open_path` will pass on, approximately the sum of all `progress` (the directory of a zip is
/// read twice); 0 if unknown.
[[nodiscard]] std::uint64_t bytes_below(const std::string& path);

/// Recognises the format by the first 64 kB, reads everything, and says which format it was. Errors: `file-empty`,
/// `format-unknown` (the message lists the known formats), or those of the reader; their place has options.file.
[[nodiscard]] Result<const Format*> read_any(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                             PieceSink& sink);

}  // namespace rondo
