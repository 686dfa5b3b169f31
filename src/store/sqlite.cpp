#include "store/sqlite.h"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "store/checked_files.h"

namespace rondo {
namespace {

constexpr std::chrono::milliseconds kBusyTime(10'000);
constexpr std::chrono::milliseconds kBusyPause(5);

constexpr const char* kRestore =
    "'rondo check' lists all damage; restore the file from a backup: rondo backup --restore COPY FILE";

struct Meaning {
  int code;
  const char* name;
  const char* message;
  const char* hint;
};

constexpr Meaning kMeanings[] = {
    {SQLITE_FULL, "disk-full", "there is no room left for the collection", "free some space and run the import again"},
    {SQLITE_BUSY, "store-busy", "another program is writing to the collection", "wait until it has finished"},
    {SQLITE_LOCKED, "store-busy", "another program is writing to the collection", "wait until it has finished"},
    {SQLITE_CORRUPT, "store-corrupt", "the file is damaged", kRestore},
    {SQLITE_NOTADB, "store-not-sqlite", "the file is not an SQLite database", "name another file"},
    {SQLITE_READONLY, "store-read-only", "the collection may only be read", "check the permissions of the file"},
    {SQLITE_PERM, "store-read-only", "the collection may only be read", "check the permissions of the file"},
    {SQLITE_CANTOPEN, "store-unreadable", "the file cannot be opened",
     "check the path and the permissions of the file and its folder"},
    // An exceeded quota or limit is reported as this, not as a full disk.
    {SQLITE_IOERR, "disk-error", "reading or writing the collection failed",
     "check the disk, the room on it and your quota"},
    {SQLITE_TOOBIG, "too-large", "a text or melody is larger than the collection can hold", ""},
    {SQLITE_NOMEM, "out-of-memory", "there is not enough memory", ""},
};

}  // namespace

Error sqlite_error(sqlite3* database, int code) {
  if (code == SQLITE_IOERR_DATA) {
    const char* name = database == nullptr ? nullptr : sqlite3_db_filename(database, "main");
    return {"store-corrupt",
            "the file is damaged: page " + std::to_string(damaged_page(database)) + " is not as Rondo wrote it",
            {name == nullptr ? "" : name, {}, {}, 0, 0},
            kRestore};
  }
  Error error{"store-error", "the collection gave an error", {}, ""};
  for (const Meaning& meaning : kMeanings) {
    if (meaning.code != (code & 0xFF)) continue;
    error = Error{meaning.name, meaning.message, {}, meaning.hint};
    break;
  }
  // The system's error is more specific than "unable to open database file".
  const int reason = database == nullptr || (code & 0xFF) != SQLITE_CANTOPEN ? 0 : sqlite3_system_errno(database);
  const std::string system = reason == 0 ? "" : std::generic_category().message(reason);
  const char* detail = database == nullptr ? nullptr : reason != 0 ? system.c_str() : sqlite3_errmsg(database);
  if (detail != nullptr) error.message += std::string(" (") + detail + ")";
  return error;
}

void Statement::bind(int index, std::int64_t value) {
  bind_problem_ |= sqlite3_bind_int64(handle_.get(), index, value);
}

void Statement::bind(int index, double value) { bind_problem_ |= sqlite3_bind_double(handle_.get(), index, value); }

void Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL, and an empty view may have one.
  bind_problem_ |= sqlite3_bind_text64(handle_.get(), index, text.data() == nullptr ? "" : text.data(), text.size(),
                                       SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int index, Blob blob) {
  const std::string_view bytes = blob.bytes;
  bind_problem_ |= sqlite3_bind_blob64(handle_.get(), index, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                                       SQLITE_STATIC);
}

void Statement::bind(int index, KeyOrNull value) {
  if (value.key != 0) return bind(index, value.key);
  bind_problem_ |= sqlite3_bind_null(handle_.get(), index);
}

Result<bool> Statement::step() {
  if (bind_problem_ != SQLITE_OK) {
    Error error = sqlite_error(sqlite3_db_handle(handle_.get()), bind_problem_);
    reset();
    return fail(std::move(error));
  }
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(handle_.get());
    return false;
  }
  sqlite3* database = sqlite3_db_handle(handle_.get());
  Error error = sqlite_error(database, sqlite3_extended_errcode(database));
  reset();
  return fail(std::move(error));
}

Result<void> Statement::run() {
  for (;;) {
    auto row = step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
  }
}

void Statement::reset() {
  if (handle_ == nullptr) return;
  sqlite3_reset(handle_.get());
  bind_problem_ = SQLITE_OK;
}

std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return data == nullptr ? std::string_view()
                         : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

Result<Database> Database::open(const std::string& name, int flags, const char* file_system) {
  std::error_code problem;
  const auto status = std::filesystem::status(name, problem);
  if (std::filesystem::is_directory(status)) {
    return fail("store-unreadable", "this is a folder, not a collection", {}, "name a file in it, such as music.db");
  }
  // SQLite would wait for the other end of a pipe.
  if (std::filesystem::is_other(status)) {
    return fail("store-not-sqlite", "this is a pipe, device or socket, not a file", {}, "name another file");
  }
  if (file_system == nullptr) file_system = checked_files();
  if (file_system == nullptr) return fail(sqlite_error(nullptr, SQLITE_NOMEM));
  // What a crash left half-written must be rolled back before anything is read, which a connection that may only read
  // cannot do.
  std::error_code ignored;
  if ((flags & SQLITE_OPEN_READONLY) != 0 && std::filesystem::exists(name + "-journal", ignored)) {
    auto writer = open(name, SQLITE_OPEN_READWRITE);
    if (writer) wait_while_busy(*writer);
    if (writer) (void)writer->number("PRAGMA schema_version");
  }
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, file_system);
  Database database;
  database.handle_.reset(raw);
  if (code != SQLITE_OK) return fail(sqlite_error(raw, code));
  if ((flags & SQLITE_OPEN_CREATE) != 0) reserve_trailers(database);
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(sqlite_error(handle_.get(), code));
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  Statement statement;
  statement.handle_.reset(raw);
  if (code != SQLITE_OK) return fail(sqlite_error(handle_.get(), code));
  return statement;
}

Result<Statement*> Database::cached(const char* sql) {
  std::unique_ptr<Statement>& place = cache_[sql];
  if (place == nullptr) {
    auto statement = prepare(sql);
    if (!statement) return fail(std::move(statement.error()));
    place = std::make_unique<Statement>(std::move(*statement));
  }
  return place.get();
}

Result<std::int64_t> Database::number(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return fail(std::move(statement.error()));
  auto row = statement->step();
  if (!row) return fail(std::move(row.error()));
  return *row ? statement->integer(0) : 0;
}

Result<std::string> Database::text(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return fail(std::move(statement.error()));
  auto row = statement->step();
  if (!row) return fail(std::move(row.error()));
  return *row ? std::string(statement->bytes(0)) : std::string();
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  if (database.in_transaction()) return Transaction(nullptr);
  auto done = database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!done) return fail(std::move(done.error()));
  if (kind == Kind::read || database.observer() == nullptr) return Transaction(&database);
  if (done = database.observer()->begun(database); !done) {
    (void)database.execute("ROLLBACK");
    return fail(std::move(done.error()));
  }
  return Transaction(&database, database.observer());
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself, as it does when the disk is full.
  if (database_ != nullptr && database_->in_transaction()) (void)database_->execute("ROLLBACK");
  if (observer_ != nullptr) observer_->ended();
}

Result<void> Transaction::commit() {
  if (database_ == nullptr) return {};
  if (!database_->in_transaction()) {
    database_ = nullptr;
    return fail("store-error", "the changes were undone by an earlier error");
  }
  if (observer_ != nullptr) {
    if (auto agreed = observer_->committing(*database_); !agreed) return agreed;
  }
  auto done = database_->execute("COMMIT");
  if (done) database_ = nullptr;
  if (done && observer_ != nullptr) std::exchange(observer_, nullptr)->ended();
  return done;
}

void wait_while_busy(Database& database) {
  sqlite3_busy_timeout(database.handle(), static_cast<int>(kBusyTime.count()));
}

Result<void> keep_log(Database& database) {
  const auto end = std::chrono::steady_clock::now() + kBusyTime;
  for (;;) {
    auto done = database.execute("PRAGMA journal_mode = WAL");
    if (done || done.error().code != "store-busy" || std::chrono::steady_clock::now() > end) return done;
    std::this_thread::sleep_for(kBusyPause);
  }
}

Result<FileMark> read_mark(Database& database) {
  auto moment = Transaction::begin(database, Transaction::Kind::read);
  if (!moment) return fail(std::move(moment.error()));
  FileMark mark;
  const std::pair<const char*, std::int64_t*> questions[] = {{"PRAGMA application_id", &mark.application},
                                                             {"PRAGMA user_version", &mark.version},
                                                             {"SELECT count(*) FROM sqlite_schema", &mark.tables}};
  for (const auto& [question, place] : questions) {
    auto answer = database.number(question);
    if (!answer) return fail(std::move(answer.error()));
    *place = *answer;
  }
  return mark;
}

}  // namespace rondo
