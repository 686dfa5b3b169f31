#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "rondo/formats/open.h"
#include "rondo/store/import.h"
#include "store/import_log.h"
#include "store/import_report.h"
#include "store/piece_writer.h"

namespace rondo {

/// One import from beginning to end: receives files from open_path and records from the readers. import_paths documents
/// the rules.
class Importer final : public FileVisitor, private PieceSink {
 public:
  Importer(Collection& collection, const ImportOptions& options, const ImportWatcher& watch, ImportReport report);

  [[nodiscard]] Result<ImportSummary> run(std::span<const std::string> paths);

  bool wanted(const std::string& path, const std::string& name) override;
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override;
  bool problem(Diagnostic why) override;
  void progress(std::uint64_t bytes) override { bytes_done_ += bytes; }

 private:
  using Clock = std::chrono::steady_clock;

  /// The current file on disk, and the current file in it (mostly the same).
  struct Current {
    std::int64_t path = 0;
    std::string where;
    std::string path_name;
    std::string fingerprint;  ///< stored once the file is completely read
    bool complete = true;     ///< and it may be skipped the next time
    std::int64_t file = 0;
    std::string location;
    std::string name;
    std::int64_t record = 0;
    bool warned = false;                              ///< the record that comes next
    std::map<std::int64_t, std::int64_t> taken_over;  ///< other file: how many of its records this one replaced
  };

  bool piece(Piece&& piece) override;
  void warn(Diagnostic warning) override;
  bool skip(Diagnostic why) override;
  bool leave_out(Diagnostic why);

  [[nodiscard]] Result<void> begin(std::span<const std::string> paths);
  [[nodiscard]] Result<ImportSummary> finish();
  [[nodiscard]] Result<bool> begin_path(const std::string& path, const std::string& name);
  void end_path();
  [[nodiscard]] Result<void> begin_file(const std::string& name);
  void end_file(std::string_view format);

  [[nodiscard]] Result<PutOutcome> store(const Piece& piece, std::int64_t hash);
  [[nodiscard]] Result<PutOutcome> store_duplicate(const Piece& piece, std::int64_t hash,
                                                   const PieceWriter::Known& first);
  [[nodiscard]] Result<bool> is_duplicate(std::string_view id, const PieceWriter::Known& known);
  [[nodiscard]] Result<void> take_over(const PieceWriter::Known& known, std::int64_t hash);
  void count(PutOutcome outcome);

  [[nodiscard]] Result<void> open_batch();
  [[nodiscard]] Result<void> close_batch();
  /// Called after each record and file: commits and reports at intervals. false: stop.
  bool go_on();
  void tell_watcher();
  void note(Severity severity, Diagnostic what, bool counts_as_problem = true);
  /// Stores the first error; the import stops at the next check.
  bool check(Result<void> done);
  [[nodiscard]] bool stopping() const { return error_ || strict_error_ || summary_.stopped; }

  Collection& collection_;
  const ImportOptions& options_;
  const ImportWatcher& watch_;
  ImportReport report_;
  ImportLog log_;
  PieceWriter& writer_;

  ImportSummary summary_;
  ImportSummary committed_;  ///< as it was after the last batch
  ImportProgress progress_;
  std::atomic<std::uint64_t> bytes_done_ = 0;  ///< updated by the reading thread
  std::string given_;                          ///< the path given by the caller that is being walked
  Current at_;
  std::set<std::int64_t> passed_over_;  ///< paths whose content was recognised
  std::optional<Error> error_;          ///< of the store
  std::optional<Error> strict_error_;   ///< of the input
  std::optional<Collection::Batch> batch_;
  std::size_t in_batch_ = 0;  ///< records
  Clock::time_point started_ = Clock::now();
  Clock::time_point batch_began_;
  Clock::time_point last_told_;
};

}  // namespace rondo
