#include "store/open.h"

#include "base/collection_files.h"
#include "store/schema.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

// foreign_keys: off by default in SQLite. synchronous = NORMAL: with a write-ahead log a killed process loses nothing
// and a power failure at most the last commits, never the file; an import syncs its last. secure_delete costs writes,
// and there are no secrets here.
constexpr const char* kEveryConnection =
    "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF; PRAGMA trusted_schema = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;"
    "PRAGMA journal_size_limit = 67108864";

/// Checks for which the file system gives better errors than SQLite.
Result<void> check_place(const fs::path& path, OpenMode mode) {
  if (path.empty())
    return fail("store-missing", "the name of the collection is empty", {}, "name a file, such as music.db");
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::exists(status)) return {};  // Database::open says if it is no file
  if (mode != OpenMode::create) {
    return fail("store-missing", "there is no such collection", {},
                "make it from files of music: rondo import FILES --db " + path.string());
  }
  const fs::path folder = fs::absolute(path, problem).parent_path();
  if (!fs::is_directory(folder, problem)) {
    return fail("store-no-folder", "there is no folder " + folder.string(), {}, "create the folder first");
  }
  if (const fs::path other = database_of_companion(fs::absolute(path, problem)); !other.empty()) {
    return fail("store-foreign", "a file of this name belongs to the collection " + other.filename().string(), {},
                "choose another name, such as music.db");
  }
  return {};
}

Result<Database> connect(const std::string& name, int flags, const char* file_system = nullptr) {
  auto database = Database::open(name, flags, file_system);
  if (!database) return database;
  wait_while_busy(*database);
  // No statement may change the text of the schema or the shadow tables of the full-text index.
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto done = database->execute(kEveryConnection); !done) return fail(std::move(done.error()));
  return database;
}

Result<Database> connect_to_read(const std::string& name, int flags, const char* file_system) {
  auto database = connect(name, flags, file_system);
  if (!database) return database;
  if (auto done = check_version(*database); !done) return fail(std::move(done.error()));
  return database;
}

/// A URI for SQLite to read a file that nobody changes.
std::string immutable_address(const std::string& path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string address = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      const auto byte = static_cast<unsigned char>(c);
      ((address += '%') += kHex[byte >> 4]) += kHex[byte & 15U];
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

Result<Database> open_to_read(const std::string& name, const char* file_system) {
  auto database = connect_to_read(name, SQLITE_OPEN_READONLY, file_system);
  if (database) return database;
  // A file with a write-ahead log needs auxiliary files, which cannot be created on a read-only medium. Without a log
  // or journal the file is complete, and if nobody may write it, nobody changes it.
  const std::string& code = database.error().code;
  std::error_code problem;
  const bool barred = code == "store-unreadable" || code == "store-read-only";
  if (!barred || fs::exists(name + "-wal", problem) || fs::exists(name + "-journal", problem)) return database;
  auto again = connect_to_read(immutable_address(name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, file_system);
  return again ? std::move(again) : std::move(database);
}

Result<Database> open_to_write(const std::string& name, OpenMode mode, const UpgradeWatcher& watch) {
  auto database = connect(name, SQLITE_OPEN_READWRITE | (mode == OpenMode::create ? SQLITE_OPEN_CREATE : 0));
  if (!database) return database;
  if (sqlite3_db_readonly(database->handle(), "main") == 1) {
    return fail("store-read-only", "the collection may only be read", {}, "check the permissions of the file");
  }
  // Checked before any setting is changed, so that another program's file is not modified.
  auto mark = read_mark(*database);
  if (!mark) return fail(std::move(mark.error()));
  if (mark->application == kApplicationId || (mark->fresh() && mode == OpenMode::create)) {
    auto done = database->execute("PRAGMA auto_vacuum = NONE");
    if (done) done = keep_log(*database);
    if (!done) return fail(std::move(done.error()));
  } else if (mark->tables == 0) {
    return fail("store-foreign", "the file is empty, not a Rondo collection", {}, "import into it to make it one");
  }
  if (auto done = migrate(*database, migrations(), watch); !done) return fail(std::move(done.error()));
  return database;
}

/// Absolute, so that no name is mistaken for one of SQLite's special names (":memory:", "file:...").
std::string name_of(const fs::path& path) {
  std::error_code problem;
  return fs::absolute(path, problem).string();
}

}  // namespace

Result<Database> open_database(const fs::path& path, OpenMode mode, const UpgradeWatcher& watch) {
  if (mode == OpenMode::read) return open_database(path, nullptr);
  if (auto done = check_place(path, mode); !done) return fail(std::move(done.error()));
  return open_to_write(name_of(path), mode, watch);
}

Result<Database> open_database(const fs::path& path, const char* file_system) {
  if (auto done = check_place(path, OpenMode::read); !done) return fail(std::move(done.error()));
  return open_to_read(name_of(path), file_system);
}

}  // namespace rondo
