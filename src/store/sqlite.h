#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "rondo/base/result.h"

/// A thin wrapper of SQLite: owned handles, Result instead of codes, no exceptions.
namespace rondo {

/// Bytes that are not text.
struct Blob {
  std::string_view bytes;
};

/// A key, or NULL for 0: SQLite numbers rows from 1.
struct KeyOrNull {
  std::int64_t key = 0;
};

/// A prepared statement. Bound texts and blobs are not copied: they must live until the statement has run.
///
///     statement.bind(1, id);
///     for (;;) {
///       auto row = statement.step();
///       if (!row) return fail(row.error());
///       if (!*row) break;
///       use(statement.text(0));
///     }
///
/// A statement that has not been stepped to its end holds a read lock: reset it, or let a ResetLater do so.
class Statement {
 public:
  Statement() = default;

  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view text);
  void bind(int index, Blob blob);
  void bind(int index, KeyOrNull value);

  /// true: there is a row; false: the end, and the statement is reset.
  [[nodiscard]] Result<bool> step();
  /// Runs a statement and ignores its rows.
  [[nodiscard]] Result<void> run();
  void reset();

  /// Columns of the current row; views are valid until the next step.
  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  [[nodiscard]] double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
  /// The raw bytes of a text or blob.
  [[nodiscard]] std::string_view bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bind_problem_ = SQLITE_OK;
};

/// Resets a statement at the end of a scope (RAII).
class ResetLater {
 public:
  explicit ResetLater(Statement& statement) : statement_(statement) {}
  ~ResetLater() { statement_.reset(); }
  ResetLater(const ResetLater&) = delete;
  ResetLater& operator=(const ResetLater&) = delete;

 private:
  Statement& statement_;
};

class Database;

/// Observes the write transactions of a connection: this is how writes to a mirror reach its server.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  /// The transaction has begun and nothing is changed yet. An error rolls it back.
  [[nodiscard]] virtual Result<void> begun(Database& database) = 0;
  /// All changes are made and are about to be committed. An error rolls them back.
  [[nodiscard]] virtual Result<void> committing(Database& database) = 0;
  /// The transaction was committed or rolled back.
  virtual void ended() noexcept = 0;
};

/// A connection. Not thread-safe; every thread opens its own.
class Database {
 public:
  /// `flags` and `file_system` as of sqlite3_open_v2, a URI where they say so; null: the one that verifies pages.
  [[nodiscard]] static Result<Database> open(const std::string& name, int flags, const char* file_system = nullptr);

  /// Statements without parameters, separated by semicolons.
  [[nodiscard]] Result<void> execute(const std::string& sql);
  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  /// The same, prepared once and cached. `sql` must be a literal: its address is the key. The caller must leave the
  /// statement reset.
  [[nodiscard]] Result<Statement*> cached(const char* sql);
  /// A cached statement with its parameters bound, ready to be stepped.
  template <typename... Values>
  [[nodiscard]] Result<Statement*> query(const char* sql, const Values&... values) {
    auto statement = cached(sql);
    int index = 0;
    if (statement) ((*statement)->bind(++index, values), ...);
    return statement;
  }
  /// The same, run to completion.
  template <typename... Values>
  [[nodiscard]] Result<void> run(const char* sql, const Values&... values) {
    auto statement = query(sql, values...);
    if (!statement) return fail(std::move(statement.error()));
    return (*statement)->run();
  }
  /// The first column of the first row; 0 if there is no row.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql);
  [[nodiscard]] Result<std::string> text(std::string_view sql);

  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

  /// The observer must outlive the connection.
  void observe_writes(WriteObserver* observer) { observer_ = observer; }
  [[nodiscard]] WriteObserver* observer() const { return observer_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::unordered_map<const char*, std::unique_ptr<Statement>> cache_;
  WriteObserver* observer_ = nullptr;
};

/// Calls `visit` with each row of a query; `visit` returns a Result<void>, and an error ends the loop.
template <typename Visit, typename... Values>
[[nodiscard]] Result<void> each_row(Database& database, const char* sql, const Visit& visit, const Values&... values) {
  auto statement = database.query(sql, values...);
  if (!statement) return fail(std::move(statement.error()));
  const ResetLater later(**statement);
  for (;;) {
    auto more = (*statement)->step();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return {};
    if (auto done = visit(**statement); !done) return done;
  }
}

/// Sets how long the connection waits for another writer.
void wait_while_busy(Database& database);

/// Switches to a write-ahead log. Waits for others like statements do: SQLite itself gives up at once when two programs
/// switch at the same moment.
[[nodiscard]] Result<void> keep_log(Database& database);

/// Application id and version of a file, read consistently while others write.
struct FileMark {
  std::int64_t application = 0;
  std::int64_t version = 0;
  std::int64_t tables = 0;

  /// An empty file: just created by us or by a killed program.
  [[nodiscard]] bool fresh() const { return application == 0 && version == 0 && tables == 0; }
};
[[nodiscard]] Result<FileMark> read_mark(Database& database);

/// The last error of SQLite as an Error: `disk-full`, `store-busy`, `store-corrupt`, `store-not-sqlite`,
/// `store-read-only`, `store-unreadable`, `disk-error`, else `store-error`.
[[nodiscard]] Error sqlite_error(sqlite3* database, int code);

/// Rolled back at the end of its scope unless committed. A nested transaction has no effect: only the outer one commits
/// or rolls back.
class Transaction {
 public:
  enum class Kind { read, write };

  [[nodiscard]] static Result<Transaction> begin(Database& database, Kind kind);
  ~Transaction();
  Transaction(Transaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)), observer_(std::exchange(other.observer_, nullptr)) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  [[nodiscard]] Result<void> commit();

 private:
  explicit Transaction(Database* database, WriteObserver* observer = nullptr)
      : database_(database), observer_(observer) {}
  Database* database_;       ///< nullptr: nothing to undo
  WriteObserver* observer_;  ///< notified at the end
};

}  // namespace rondo
