#include "store/backup.h"

#include <cerrno>
#include <system_error>

#include "base/file_descriptor.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

Failure about_file(Error error, const fs::path& file) {
  if (error.place.file.empty()) error.place.file = file.string();
  return fail(std::move(error));
}

Result<Database> open_plain(const fs::path& file, int flags) {
  std::error_code problem;
  if ((flags & SQLITE_OPEN_CREATE) == 0 && !fs::exists(file, problem)) {
    return fail("store-missing", "there is no such file", Place{file.string(), {}, {}, 0, 0});
  }
  auto database = Database::open(fs::absolute(file, problem).string(), flags);
  if (!database) return about_file(std::move(database.error()), file);
  wait_while_busy(*database);
  return database;
}

/// Copies all pages in one step, which sees one state of the source; with a write-ahead log, writers are not blocked
/// meanwhile.
Result<std::uint64_t> copy_pages(Database& from, Database& to) {
  sqlite3_backup* copy = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
  if (copy == nullptr) return fail(sqlite_error(to.handle(), sqlite3_errcode(to.handle())));
  const int code = sqlite3_backup_step(copy, -1);
  const auto pages = static_cast<std::uint64_t>(sqlite3_backup_pagecount(copy));
  const int ended = sqlite3_backup_finish(copy);
  if (code != SQLITE_DONE) return fail(sqlite_error(to.handle(), code));
  if (ended != SQLITE_OK) return fail(sqlite_error(to.handle(), ended));
  auto size = to.number("PRAGMA page_size");
  if (!size) return fail(std::move(size.error()));
  return pages * static_cast<std::uint64_t>(*size);
}

Result<std::uint64_t> copy_into(const fs::path& from, const fs::path& to) {
  auto source = open_plain(from, SQLITE_OPEN_READONLY);
  if (!source) return fail(std::move(source.error()));
  auto target = open_plain(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!target) return fail(std::move(target.error()));
  auto bytes = copy_pages(*source, *target);
  if (!bytes) return about_file(std::move(bytes.error()), to);
  return bytes;
}

}  // namespace

Result<std::uint64_t> back_up(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  if (fs::exists(to, problem)) {
    return fail("backup-exists", "the file already exists", Place{to.string(), {}, {}, 0, 0},
                "name a file that does not exist, such as one with the date in its name");
  }
  const fs::path part = to.string() + ".part";
  for (const char* left_over : {"", "-wal", "-shm", "-journal"}) fs::remove(part.string() + left_over, problem);
  auto bytes = copy_into(from, part);
  if (bytes) {
    // Without a write-ahead log, so that the backup is a single file.
    auto copy = open_plain(part, SQLITE_OPEN_READWRITE);
    auto single = copy ? copy->execute("PRAGMA journal_mode = DELETE") : Result<void>(fail(copy.error()));
    if (!single) bytes = fail(std::move(single.error()));
  }
  if (bytes) {
    if (auto sound = check_pages(part); !sound) bytes = fail(std::move(sound.error()));
  }
  if (bytes) {
    fs::rename(part, to, problem);
    if (problem) {
      bytes =
          fail("backup-failed", "the copy cannot get its name: " + problem.message(), Place{to.string(), {}, {}, 0, 0});
    }
  }
  if (!bytes) {
    for (const char* left_over : {"", "-wal", "-shm", "-journal"}) fs::remove(part.string() + left_over, problem);
    return bytes;
  }
  if (!sync_folder_of(to)) {
    return fail("backup-failed",
                "whether the copy survives a power failure is not known: " + std::generic_category().message(errno),
                Place{to.string(), {}, {}, 0, 0}, "remove it and repeat the command");
  }
  return bytes;
}

Result<std::uint64_t> restore(const fs::path& copy, const fs::path& to) {
  if (auto sound = check_pages(copy); !sound) return fail(std::move(sound.error()));
  // A new file gets its name when it is complete.
  std::error_code problem;
  if (!fs::exists(to, problem)) return back_up(copy, to);
  return copy_into(copy, to);
}

Result<void> check_pages(const fs::path& file) {
  auto database = open_plain(file, SQLITE_OPEN_READONLY);
  if (!database) return fail(std::move(database.error()));
  auto verdict = database->text("PRAGMA integrity_check(1)");
  if (!verdict) return about_file(std::move(verdict.error()), file);
  if (*verdict != "ok") {
    return fail("store-corrupt", "the file is damaged: " + *verdict, Place{file.string(), {}, {}, 0, 0},
                "restore it from a backup");
  }
  auto orphans = database->number("SELECT count(*) FROM pragma_foreign_key_check");
  if (!orphans) return about_file(std::move(orphans.error()), file);
  if (*orphans != 0) {
    return fail("store-corrupt", "rows of the file point to rows that are not there",
                Place{file.string(), {}, {}, 0, 0}, "restore it from a backup");
  }
  return {};
}

}  // namespace rondo
