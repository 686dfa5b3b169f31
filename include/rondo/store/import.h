#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "rondo/base/result.h"
#include "rondo/formats/format.h"
#include "rondo/store/collection.h"

namespace rondo {

struct ImportOptions {
  ReadOptions read;     ///< its `file` is set for each file
  bool strict = false;  ///< the first problem ends the import with an error; records before it are kept
  bool reread = false;  ///< also read files that have not changed since they were imported
  /// Version of the program: files that another version imported are read again.
  std::string version;
  /// Where to write one CSV line per problem (RFC 4180); empty: nowhere.
  std::filesystem::path report;
  /// A batch is committed after this many records or this time, whichever comes first.
  std::size_t batch_records = 10'000;
  std::chrono::milliseconds batch_time{500};
};

struct ImportProgress {
  std::uint64_t bytes_done = 0;   ///< on disk
  std::uint64_t bytes_total = 0;  ///< 0: not known
  std::int64_t records = 0;       ///< read so far
  std::int64_t committed = 0;     ///< of these, committed
  double seconds = 0;
  std::string_view file;

  [[nodiscard]] double rate() const { return seconds > 0 ? static_cast<double>(records) / seconds : 0; }
  /// Seconds; negative if unknown.
  [[nodiscard]] double remaining() const {
    if (bytes_total == 0 || bytes_done == 0 || seconds <= 0) return -1;
    const double left = bytes_done < bytes_total ? static_cast<double>(bytes_total - bytes_done) : 0;
    return left * seconds / static_cast<double>(bytes_done);
  }
};

/// Called after each batch, and a few times a second. false ends the import after the current batch.
using ImportWatcher = std::function<bool(const ImportProgress&)>;

struct ImportSummary {
  std::int64_t run = 0;  ///< row of import_run
  std::int64_t files = 0;
  std::int64_t files_unchanged = 0;  ///< skipped because they were imported before
  std::int64_t files_failed = 0;     ///< could not be opened, recognised or read to the end
  std::int64_t files_other = 0;      ///< of an unknown format, in a folder or archive; not a problem
  std::int64_t records = 0;          ///< added + updated + unchanged + skipped
  std::int64_t added = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t skipped = 0;
  std::int64_t warned = 0;    ///< records stored with a warning
  std::int64_t warnings = 0;  ///< all of them
  std::map<std::string, std::int64_t> by_code;
  /// The first files and records that could not be read, for immediate display; the table and the report have all.
  Diagnostics first_losses;
  static constexpr std::size_t kFirst = 10;
  bool stopped = false;  ///< by the watcher
  double seconds = 0;
};

/// Imports everything at `paths` (see open_path) into the collection, in one pass and in constant memory.
///
/// Records are committed in batches. If the process is killed, the collection is valid and has every batch that was
/// reported to the watcher; the same call again completes the import. A file that the same version has completely read
/// with the same options is recognised by a hash of its content and skipped. Any other is read again; a record whose
/// content has not changed costs only a lookup.
///
/// An id identifies a record: a later import of the same id, from any place, replaces the stored record. But no record
/// is lost because two have the same id:
/// - Two records of one import: the first keeps the id; another with the same content is not stored again; one with
///   other content gets the id "id@file#number". Both give the warning `id-duplicate`.
/// - The same applies to two existing files of the same name in different folders whose records have no ids.
/// - A file whose records were replaced by those of another file gives the warning `id-taken-over` with their number
///   (not a problem in the sense of `strict`) and is read again the next time.
/// Standard input gets the name "stdin-" and some digits of a hash of its content, so that different inputs have
/// different names.
///
/// Problems of records and files never fail the import, unless it is strict: they are counted and written to the table
/// import_problem (replacing those of the last import of the file) and to the report. An error of the store
/// (`disk-full`, `store-busy`) ends it; what was committed stays. Not thread-safe.
[[nodiscard]] Result<ImportSummary> import_paths(Collection& collection, std::span<const std::string> paths,
                                                 const ImportOptions& options = {}, const ImportWatcher& watch = {});

}  // namespace rondo
