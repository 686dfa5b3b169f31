#include "store/importer.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/collection_files.h"
#include "base/streams.h"
#include "store/content_hash.h"
#include "store/read_ahead.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

constexpr auto kTellEvery = std::chrono::milliseconds(100);
/// From this size on a fingerprint takes so long that other programs should be able to write meanwhile.
constexpr std::uintmax_t kLargeFile = std::uintmax_t{64} << 20U;

std::string absolute(const std::string& path) {
  std::error_code problem;
  const fs::path full = fs::absolute(path, problem);
  return (problem ? fs::path(path) : full).lexically_normal().string();
}

/// A hash of everything that a file's records depend on: its content, the program's version and the options.
std::string fingerprint(const std::string& path, const ImportOptions& options) {
  std::string content = file_fingerprint(path);
  if (content.empty()) return content;
  return fmt::format("{};{};{};{}", content, options.version, options.read.expand_repeats ? "played" : "written",
                     options.read.keep_source ? "source" : "notes") +
         (options.read.as_played ? ";as-played" : "") +
         (options.read.voices == VoiceSelection::melody ? ";melody" : "");
}

/// Whether a file is the collection, or belongs to one. It must not even be opened: to close it would give up the locks
/// that SQLite holds on it (POSIX locks belong to the process), and two imports could write at the same time.
bool is_in_use(const fs::path& file, const fs::path& collection) {
  std::error_code problem;
  return fs::equivalent(file, collection, problem) || !database_of_companion(file).empty();
}

double seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Importer::Importer(Collection& collection, const ImportOptions& options, const ImportWatcher& watch,
                   ImportReport report)
    : collection_(collection),
      options_(options),
      watch_(watch),
      report_(std::move(report)),
      log_(database_of(collection)),
      writer_(writer_of(collection)) {}

Result<ImportSummary> Importer::run(std::span<const std::string> paths) {
  for (const std::string& path : paths) progress_.bytes_total += bytes_below(path);
  if (auto done = begin(paths); !done) return fail(std::move(done.error()));
  for (const std::string& path : paths) {
    if (stopping()) break;
    given_ = path;
    auto opened = open_path(path, *this);
    end_path();
    if (!opened) problem(std::move(opened.error()));
  }
  return finish();
}

Result<void> Importer::begin(std::span<const std::string> paths) {
  auto done = open_batch();
  if (!done) return done;
  auto run = log_.start(paths);
  if (!run) return fail(std::move(run.error()));
  summary_.run = *run;
  return close_batch();
}

Result<ImportSummary> Importer::finish() {
  if (!error_) check(close_batch());
  if (error_) {
    batch_.reset();  // roll back first
    summary_ = committed_;
  }
  summary_.seconds = seconds(Clock::now() - started_);
  // Best effort after an error, for readers of the table: it may fail as well.
  const char* outcome = error_ || strict_error_ ? "failed" : summary_.stopped ? "stopped" : "complete";
  // The last commit is synced, and with it all before: an import that is reported as done survives a power failure.
  auto ended = database_of(collection_).execute("PRAGMA synchronous = FULL");
  if (ended) ended = open_batch();
  if (ended) ended = log_.finish(summary_, outcome);
  if (ended) ended = close_batch();
  (void)database_of(collection_).execute("PRAGMA synchronous = NORMAL");
  // What was reported is worth having, whatever ended the import.
  if (auto written = report_.finish(); !written && ended) ended = std::move(written);
  if (error_) {
    error_->message += "; the first " + std::to_string(progress_.committed) + " records of this import are stored";
    return fail(std::move(*error_));
  }
  if (strict_error_) return fail(std::move(*strict_error_));
  if (!ended) return fail(std::move(ended.error()));
  // Checkpoints the write-ahead log; if readers prevent it, a later import does.
  sqlite3_wal_checkpoint_v2(database_of(collection_).handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return std::move(summary_);
}

bool Importer::wanted(const std::string& path, const std::string& name) {
  if (stopping()) return false;
  end_path();
  if (path != "-" && is_in_use(path, collection_.path())) {
    if (path == given_) problem({"format-unknown", "this file belongs to a collection", {name, {}, {}, 0, 0}, {}});
    return false;
  }
  auto yes = begin_path(path, name);
  if (!yes) return check(fail(std::move(yes.error())));
  return go_on() && *yes;
}

Result<bool> Importer::begin_path(const std::string& path, const std::string& name) {
  const bool standard_input = path == "-";
  at_.where = standard_input ? path : absolute(path);
  at_.path_name = name;
  std::error_code problem;
  std::uintmax_t size = standard_input ? 0 : fs::file_size(at_.where, problem);
  if (problem) size = 0;
  if (size > kLargeFile) {
    if (auto done = close_batch(); !done) return fail(std::move(done.error()));
  }
  if (!standard_input) at_.fingerprint = fingerprint(at_.where, options_);
  if (auto done = open_batch(); !done) return fail(std::move(done.error()));
  auto known = log_.find_path(at_.where);
  if (!known) return fail(std::move(known.error()));
  if (*known && !at_.fingerprint.empty() && (*known)->fingerprint == at_.fingerprint && !options_.reread) {
    passed_over_.insert((*known)->key);
    bytes_done_ += size;
    ++summary_.files_unchanged;
    auto done = log_.see_path(summary_.run, (*known)->key);
    at_ = Current{};
    if (!done) return fail(std::move(done.error()));
    return false;
  }
  auto key = log_.begin_path(summary_.run, at_.where, static_cast<std::int64_t>(size));
  if (!key) return fail(std::move(key.error()));
  at_.path = *key;
  passed_over_.erase(*key);
  return true;
}

void Importer::end_path() {
  if (at_.path != 0 && at_.complete && !at_.fingerprint.empty() && !stopping()) {
    auto done = open_batch();
    if (done) done = log_.end_path(at_.path, at_.fingerprint);
    check(std::move(done));
  }
  at_ = Current{};
}

bool Importer::file(const std::string& name, std::unique_ptr<ByteSource> source) {
  if (stopping()) return false;
  std::string known_as = name;
  if (at_.where == "-") {
    auto peeked = std::make_unique<PeekedSource>(std::move(source));
    auto head = peeked->head();
    ContentHash hash;
    if (head) hash.bytes(*head);
    known_as.insert(at_.path_name.size(), fmt::format("-{:.8}", to_hex(hash.value())));
    source = std::move(peeked);
  }
  if (!check(begin_file(known_as))) return false;
  ++summary_.files;
  ReadOptions options = options_.read;
  options.file = known_as;
  auto read = read_ahead(std::move(source), options, *this);
  if (!read && read.error().code == "format-unknown" && name != given_ && at_.where != "-") {
    // Found in a folder or an archive: a README beside the music is not a problem.
    ++summary_.files_other;
  } else if (!read) {
    problem(std::move(read.error()));
  }
  end_file(read && *read != nullptr ? (*read)->name : std::string_view());
  return go_on();
}

Result<void> Importer::begin_file(const std::string& name) {
  if (auto done = open_batch(); !done) return done;
  at_.name = name;
  // The location of a file in an archive begins with that of the archive.
  at_.location = at_.where + name.substr(std::min(at_.path_name.size(), name.size()));
  at_.record = 0;
  at_.warned = false;
  at_.taken_over.clear();
  auto key = log_.begin_file(at_.path, at_.location, name);
  if (!key) return fail(std::move(key.error()));
  at_.file = *key;
  return {};
}

void Importer::end_file(std::string_view format) {
  if (error_) return;
  for (const auto& [other, records] : at_.taken_over) {
    if (records == 0) continue;
    auto known = log_.path_of_file(other);
    if (!known) {
      check(fail(std::move(known.error())));
      return;
    }
    Place place;
    place.file = at_.name;
    note(Severity::warning,
         {"id-taken-over",
          std::to_string(records) + " records replaced others with the same ids, which came from " + known->where,
          std::move(place), "import both files at once to keep both versions"},
         false);
  }
  auto done = open_batch();
  if (done) done = log_.end_file(at_.file, format, at_.record);
  check(std::move(done));
}

bool Importer::problem(Diagnostic why) {
  ++summary_.files_failed;
  at_.complete = false;
  note(Severity::failed, std::move(why));
  return !stopping();
}

bool Importer::piece(Piece&& piece) {
  if (stopping()) return false;
  ++at_.record;
  if (piece.id.empty()) piece.id = at_.name + "#" + std::to_string(at_.record);
  auto hash = writer_.prepare(piece);
  if (!hash) {
    hash.error().place.file = at_.name;
    hash.error().place.record = piece.id;
    return leave_out(std::move(hash.error()));
  }
  if (!check(open_batch())) return false;
  auto outcome = store(piece, *hash);
  if (!outcome) return check(fail(std::move(outcome.error())));
  if (stopping()) return false;  // a strict import does not store a record with a problem
  count(*outcome);
  return go_on();
}

void Importer::count(PutOutcome outcome) {
  ++in_batch_;
  ++summary_.records;
  switch (outcome) {
    case PutOutcome::added: ++summary_.added; break;
    case PutOutcome::updated: ++summary_.updated; break;
    case PutOutcome::unchanged: ++summary_.unchanged; break;
  }
  if (at_.warned) ++summary_.warned;
  at_.warned = false;
}

void Importer::warn(Diagnostic warning) {
  at_.warned = true;
  note(Severity::warning, std::move(warning));
}

bool Importer::skip(Diagnostic why) {
  if (stopping()) return false;
  ++at_.record;
  return leave_out(std::move(why));
}

bool Importer::leave_out(Diagnostic why) {
  ++in_batch_;
  ++summary_.records;
  ++summary_.skipped;
  at_.warned = false;
  note(Severity::skipped, std::move(why));
  return go_on();
}

Result<PutOutcome> Importer::store(const Piece& piece, std::int64_t hash) {
  auto known = writer_.find(piece.id);
  if (!known) return fail(std::move(known.error()));
  if (*known) {
    auto duplicate = is_duplicate(piece.id, **known);
    if (!duplicate) return fail(std::move(duplicate.error()));
    if (*duplicate) return store_duplicate(piece, hash, **known);
    if (auto done = take_over(**known, hash); !done) return fail(std::move(done.error()));
  }
  return writer_.store(piece, piece.id, *known, {summary_.run, at_.file, at_.record});
}

Result<bool> Importer::is_duplicate(std::string_view id, const PieceWriter::Known& known) {
  const bool same_file = known.origin.file == at_.file;
  if (known.origin.run == summary_.run) return !same_file || known.origin.record != at_.record;
  if (same_file || known.origin.file == 0) return false;
  auto other = log_.path_of_file(known.origin.file);
  if (!other) return fail(std::move(other.error()));
  if (passed_over_.contains(other->path)) return true;
  // Two files may have the same name, and so the same id made from it. If the other file no longer exists, it has
  // probably been moved here.
  const bool made_of_name = id.starts_with(at_.name) && (id.size() == at_.name.size() || id[at_.name.size()] == '#');
  std::error_code problem;
  return made_of_name && other->where != at_.where && fs::exists(other->where, problem);
}

Result<PutOutcome> Importer::store_duplicate(const Piece& piece, std::int64_t hash, const PieceWriter::Known& first) {
  auto other = log_.path_of_file(first.origin.file);
  if (!other) return fail(std::move(other.error()));
  const bool same = first.hash == hash;
  const std::string own_id = piece.id + "@" + at_.location + "#" + std::to_string(at_.record);
  Place place;
  place.file = at_.name;
  place.record = piece.id;
  std::string message = "record " + std::to_string(first.origin.record) + " of " + other->name + " has the same id";
  message += same ? " and the same content: it is stored once" : "; this one is stored as " + own_id;
  warn({"id-duplicate", std::move(message), std::move(place), "give one of them another id"});
  // The shared record belongs to the other file: if that file changes, this one must be read again.
  if (same) at_.complete = false;
  if (same || stopping()) return PutOutcome::unchanged;
  auto known = writer_.find(own_id);
  if (!known) return fail(std::move(known.error()));
  return writer_.store(piece, own_id, *known, {summary_.run, at_.file, at_.record});
}

Result<void> Importer::take_over(const PieceWriter::Known& known, std::int64_t hash) {
  if (known.origin.file == 0 || known.origin.file == at_.file) return {};
  const auto [entry, first_time] = at_.taken_over.try_emplace(known.origin.file, 0);
  if (known.hash != hash) ++entry->second;
  return first_time ? writer_.forget_file(known.origin.file) : Result<void>();
}

Result<void> Importer::open_batch() {
  if (batch_) return {};
  auto batch = collection_.begin();
  if (!batch) return fail(std::move(batch.error()));
  batch_.emplace(std::move(*batch));
  batch_began_ = Clock::now();
  in_batch_ = 0;
  return {};
}

Result<void> Importer::close_batch() {
  if (!batch_) return {};
  Result<void> done;
  if (summary_.run != 0) done = log_.count(summary_);
  if (done) done = batch_->commit();
  batch_.reset();
  if (!done) return done;
  committed_ = summary_;
  progress_.committed = summary_.records;
  if (done = report_.flush(); !done) return done;
  tell_watcher();
  return {};
}

bool Importer::go_on() {
  if (stopping()) return false;
  const Clock::time_point now = Clock::now();
  if (in_batch_ >= options_.batch_records || now - batch_began_ >= options_.batch_time) {
    check(close_batch());
  } else if (now - last_told_ >= kTellEvery) {
    tell_watcher();
  }
  return !stopping();
}

void Importer::tell_watcher() {
  if (!watch_) return;
  last_told_ = Clock::now();
  progress_.bytes_done = bytes_done_;
  progress_.records = summary_.records;
  progress_.seconds = seconds(last_told_ - started_);
  progress_.file = at_.name;
  if (!watch_(progress_)) summary_.stopped = true;
}

void Importer::note(Severity severity, Diagnostic what, bool counts_as_problem) {
  if (error_ || strict_error_) return;
  if (severity == Severity::warning) ++summary_.warnings;
  ++summary_.by_code[what.code];
  if (severity != Severity::warning && summary_.first_losses.size() < ImportSummary::kFirst) {
    summary_.first_losses.push_back(what);
  }
  report_.add(severity, what);
  // A problem of a folder is reported while the previous file is still the current one.
  const std::int64_t path = what.place.file.starts_with(at_.path_name) ? at_.path : 0;
  auto done = open_batch();
  if (done) done = log_.problem(summary_.run, path, severity, what);
  check(std::move(done));
  if (options_.strict && counts_as_problem) strict_error_ = std::move(what);
}

bool Importer::check(Result<void> done) {
  if (!done && !error_) error_ = std::move(done.error());
  return !stopping();
}

Result<ImportSummary> import_paths(Collection& collection, std::span<const std::string> paths,
                                   const ImportOptions& options, const ImportWatcher& watch) {
  if (database_of(collection).in_transaction()) {
    return fail("store-busy", "an import cannot be part of a batch or snapshot: it commits batches of its own", {},
                "end the batch or snapshot first");
  }
  auto report = ImportReport::open(options.report);
  if (!report) return fail(std::move(report.error()));
  return Importer(collection, options, watch, std::move(*report)).run(paths);
}

}  // namespace rondo
