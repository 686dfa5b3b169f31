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

/// SQLite as the rest of the store wants it: owned handles, Result instead of codes, nothing thrown.
namespace rondo {

/// Bytes that are not text.
struct Blob {
  std::string_view bytes;
};

/// A key, or NULL for 0: SQLite numbers rows from 1.
struct KeyOrNull {
  std::int64_t key = 0;
};

/// A prepared statement. Bound texts and blobs are not copied: they live until the statement has run.
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
  /// Runs a statement whose rows, if any, are of no interest.
  [[nodiscard]] Result<void> run();
  void reset();

  /// Of the row at hand; views are valid until the next step.
  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  [[nodiscard]] double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
  /// A text or blob as the bytes it is.
  [[nodiscard]] std::string_view bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bind_problem_ = SQLITE_OK;
};

/// Resets a statement at the end of a scope, however that is left.
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

/// Told of the write transactions of a connection: how a collection on a server follows from its mirror.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  /// The transaction has begun and nothing is changed yet. An error undoes it.
  [[nodiscard]] virtual Result<void> begun(Database& database) = 0;
  /// All changes are made and will be committed. An error undoes them.
  [[nodiscard]] virtual Result<void> committing(Database& database) = 0;
  /// It was committed or undone.
  virtual void ended() noexcept = 0;
};

/// A connection. For one thread at a time; every thread opens its own.
class Database {
 public:
  /// `flags` as of sqlite3_open_v2; a URI where they say so.
  [[nodiscard]] static Result<Database> open(const std::string& name, int flags);

  /// Statements without parameters, separated by semicolons.
  [[nodiscard]] Result<void> execute(const std::string& sql);
  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  /// The same, prepared once and kept. `sql` is a literal: it is recognised by its address. Whoever uses the
  /// statement leaves it reset.
  [[nodiscard]] Result<Statement*> cached(const char* sql);
  /// A cached statement with its parameters bound, ready to be stepped.
  template <typename... Values>
  [[nodiscard]] Result<Statement*> query(const char* sql, const Values&... values) {
    auto statement = cached(sql);
    int index = 0;
    if (statement) ((*statement)->bind(++index, values), ...);
    return statement;
  }
  /// The same, run to its end.
  template <typename... Values>
  [[nodiscard]] Result<void> run(const char* sql, const Values&... values) {
    auto statement = query(sql, values...);
    if (!statement) return fail(std::move(statement.error()));
    return (*statement)->run();
  }
  /// The first column of the first row; 0 where there is none.
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

/// Calls `visit` with each row of a question; `visit` gives a Result<void> that may end it.
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

/// Lets the database wait this long for another program that writes.
void wait_while_busy(Database& database);

/// Keeps a write-ahead log from now on. Waits for others as the statements do: SQLite itself gives up at once when
/// two programs turn to the log at the same moment.
[[nodiscard]] Result<void> keep_log(Database& database);

/// Whose file it is, and of which version; all read at one moment, whatever others are writing.
struct FileMark {
  std::int64_t application = 0;
  std::int64_t version = 0;
  std::int64_t tables = 0;

  /// A file of nobody: one that we, or a killed program, have just created.
  [[nodiscard]] bool fresh() const { return application == 0 && version == 0 && tables == 0; }
};
[[nodiscard]] Result<FileMark> read_mark(Database& database);

/// What SQLite says went wrong last, in our words: `disk-full`, `store-busy`, `store-corrupt`, `store-not-sqlite`,
/// `store-read-only`, `store-unreadable`, `disk-error`, else `store-error`.
[[nodiscard]] Error sqlite_error(sqlite3* database, int code);

/// Undone at the end of its scope unless committed. Inside another one it does nothing of its own: all or nothing
/// is then the outer one's affair.
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
  WriteObserver* observer_;  ///< to be told of its end
};

}  // namespace rondo
