#include "store/import_log.h"

#include <nlohmann/json.hpp>

namespace rondo {
namespace {

/// Runs a statement that returns the key of the row it has written.
Result<std::int64_t> returned_key(Result<Statement*> statement) {
  if (!statement) return fail(std::move(statement.error()));
  auto row = (*statement)->step();
  if (!row) return fail(std::move(row.error()));
  const std::int64_t key = (*statement)->integer(0);
  if (auto done = (*statement)->run(); !done) return fail(std::move(done.error()));
  return key;
}

}  // namespace

Result<std::int64_t> ImportLog::start(std::span<const std::string> paths) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& path : paths) list.push_back(path);
  // A path need not be UTF-8; malformed bytes are replaced, because the column is for people to read.
  const std::string text = list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // Problems of folders belong to no file that is read again: those of the last import are deleted.
  auto done = database_.run("DELETE FROM import_problem WHERE path IS NULL");
  if (done) {
    done = database_.run("INSERT INTO import_run (started, paths) VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?1)",
                         text);
  }
  if (!done) return fail(std::move(done.error()));
  return sqlite3_last_insert_rowid(database_.handle());
}

Result<void> ImportLog::count(const ImportSummary& s) {
  return database_.run(
      "UPDATE import_run SET files = ?2, files_unchanged = ?3, files_failed = ?4, records = ?5, added = ?6,"
      " updated = ?7, unchanged = ?8, skipped = ?9, warned = ?10, warnings = ?11 WHERE key = ?1",
      s.run, s.files, s.files_unchanged, s.files_failed, s.records, s.added, s.updated, s.unchanged, s.skipped,
      s.warned, s.warnings);
}

Result<void> ImportLog::finish(const ImportSummary& summary, std::string_view outcome) {
  auto done = count(summary);
  if (done) {
    done = database_.run(
        "UPDATE import_run SET outcome = ?2, finished = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE key = ?1",
        summary.run, outcome);
  }
  return done;
}

Result<std::optional<ImportLog::Path>> ImportLog::find_path(std::string_view path) {
  auto statement = database_.query("SELECT key, fingerprint FROM import_path WHERE path = ?1", path);
  if (!statement) return fail(std::move(statement.error()));
  const ResetLater later(**statement);
  auto row = (*statement)->step();
  if (!row) return fail(std::move(row.error()));
  if (!*row) return std::nullopt;
  return Path{(*statement)->integer(0), std::string((*statement)->bytes(1))};
}

Result<std::int64_t> ImportLog::begin_path(std::int64_t run, std::string_view path, std::int64_t size) {
  auto key = returned_key(
      database_.query("INSERT INTO import_path (path, run, size) VALUES (?1, ?2, ?3)"
                      " ON CONFLICT (path) DO UPDATE SET run = ?2, size = ?3, fingerprint = NULL RETURNING key",
                      path, run, size));
  if (!key) return key;
  auto done = database_.run("DELETE FROM import_problem WHERE path = ?1", *key);
  if (!done) return fail(std::move(done.error()));
  return key;
}

Result<void> ImportLog::see_path(std::int64_t run, std::int64_t key) {
  return database_.run("UPDATE import_path SET run = ?2 WHERE key = ?1", key, run);
}

Result<void> ImportLog::end_path(std::int64_t key, std::string_view fingerprint) {
  return database_.run("UPDATE import_path SET fingerprint = nullif(?2, '') WHERE key = ?1", key, fingerprint);
}

Result<std::int64_t> ImportLog::begin_file(std::int64_t path, std::string_view location, std::string_view name) {
  return returned_key(
      database_.query("INSERT INTO import_file (location, name, path) VALUES (?1, ?2, ?3)"
                      " ON CONFLICT (location) DO UPDATE SET name = ?2, path = ?3 RETURNING key",
                      location, name, path));
}

Result<void> ImportLog::end_file(std::int64_t key, std::string_view format, std::int64_t records) {
  return database_.run("UPDATE import_file SET format = ?2, records = ?3 WHERE key = ?1", key, format, records);
}

Result<ImportLog::FileOnDisk> ImportLog::path_of_file(std::int64_t file) {
  auto statement = database_.query(
      "SELECT p.key, p.path, f.name FROM import_file f JOIN import_path p ON p.key = f.path WHERE f.key = ?1", file);
  if (!statement) return fail(std::move(statement.error()));
  const ResetLater later(**statement);
  auto row = (*statement)->step();
  if (!row) return fail(std::move(row.error()));
  if (!*row) return FileOnDisk{};
  return FileOnDisk{(*statement)->integer(0), std::string((*statement)->bytes(1)), std::string((*statement)->bytes(2))};
}

Result<void> ImportLog::problem(std::int64_t run, std::int64_t path, Severity severity, const Diagnostic& what) {
  return database_.run(
      "INSERT INTO import_problem (run, path, severity, code, message, hint, file, record, field, line, column)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      run, KeyOrNull{path}, severity_name(severity), what.code, what.message, what.hint, what.place.file,
      what.place.record, what.place.field, static_cast<std::int64_t>(what.place.line),
      static_cast<std::int64_t>(what.place.column));
}

}  // namespace rondo
