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
  bool strict = false;  ///< the first problem ends the import with an error; what came before it is kept
  bool reread = false;  ///< read files again that have not changed since they were imported
  /// Of the program: a file that an older one has read is read again.
  std::string version;
  /// Where to write one CSV line per problem (RFC 4180); empty: nowhere.
  std::filesystem::path report;
  /// A batch is committed after so many records or so much time, whichever is first.
  std::size_t batch_records = 10'000;
  std::chrono::milliseconds batch_time{500};
};

struct ImportProgress {
  std::uint64_t bytes_done = 0;   ///< on disk
  std::uint64_t bytes_total = 0;  ///< 0: not known
  std::int64_t records = 0;       ///< read so far
  std::int64_t committed = 0;     ///< of these, safe whatever happens
  double seconds = 0;
  std::string_view file;

  [[nodiscard]] double rate() const { return seconds > 0 ? static_cast<double>(records) / seconds : 0; }
  /// Seconds; negative when it cannot be told.
  [[nodiscard]] double remaining() const {
    if (bytes_total == 0 || bytes_done == 0 || seconds <= 0) return -1;
    const double left = bytes_done < bytes_total ? static_cast<double>(bytes_total - bytes_done) : 0;
    return left * seconds / static_cast<double>(bytes_done);
  }
};

/// Called after each batch, and a few times a second. false ends the import after the batch at hand.
using ImportWatcher = std::function<bool(const ImportProgress&)>;

struct ImportSummary {
  std::int64_t run = 0;  ///< row of import_run
  std::int64_t files = 0;
  std::int64_t files_unchanged = 0;  ///< not read, as they were imported before
  std::int64_t files_failed = 0;     ///< could not be opened, recognised or read to the end
  std::int64_t files_other = 0;      ///< of no format we read, met in a folder or archive; no problem
  std::int64_t records = 0;          ///< added + updated + unchanged + skipped
  std::int64_t added = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t skipped = 0;
  std::int64_t warned = 0;    ///< records stored with a warning
  std::int64_t warnings = 0;  ///< all of them
  std::map<std::string, std::int64_t> by_code;
  /// The first files and records that were lost, to be told at once; all of them are in the table and the report.
  Diagnostics first_losses;
  static constexpr std::size_t kFirst = 10;
  bool stopped = false;  ///< by the watcher
  double seconds = 0;
};

/// Reads everything at `paths` (see open_path) into the collection, in one pass and in constant memory.
///
/// Records are committed in batches. Killed at any moment, the file is good and holds every batch the watcher was told
/// of; the same call again completes it. A file that was read to its end by the same version with the same options is
/// recognised by its content and passed over; nothing is read there but the bytes. Any other is read again: a record
/// whose content has not changed costs a lookup.
///
/// An id is the identity of a record: what is stored under it is replaced by what a later import brings, wherever that
/// lies. But no record is lost because two claim one id:
/// - Two in one import: the first keeps the id; another with the same content is kept once; one with another content
///   goes by "id@file#number". Both give the warning `id-duplicate`.
/// - So do two files of one name in different places, both there, whose records have no ids of their own.
/// - A file whose records were replaced by another file's gives the warning `id-taken-over` with their number (no
///   problem in the sense of `strict`) and is not passed over the next time.
/// What comes from standard input goes by "stdin-" and a few digits that stand for the content, as two different
/// inputs must not go by one name.
///
/// Problems of records and files never fail the import, unless it is strict: they are counted, written to the table
/// import_problem (in place of those of the last time the file was read) and to the report. An error of the store
/// (`disk-full`, `store-busy`) ends it; what was committed stays. For one thread at a time.
[[nodiscard]] Result<ImportSummary> import_paths(Collection& collection, std::span<const std::string> paths,
                                                 const ImportOptions& options = {}, const ImportWatcher& watch = {});

}  // namespace rondo
