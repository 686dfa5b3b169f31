#include "store/backup.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/collection_files.h"
#include "base/file_descriptor.h"
#include "base/output_file.h"
#include "store/checked_files.h"
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
  if (auto seen = from.number("PRAGMA schema_version"); !seen) return fail(std::move(seen.error()));
  // What is replaced may be damaged.
  const TolerateDamage tolerant(to);
  (void)to.number("PRAGMA schema_version");
  share_layout(from, to);
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

/// Nobody else's file of this name is replaced. errno, or 0.
int rename_to_new(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot promise it.
  std::error_code problem;
  if (fs::exists(to, problem)) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
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

Result<void> check_backup(const fs::path& to) {
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(to, problem))) return check_output(to);
  return fail("backup-exists", "the file already exists", Place{to.string(), {}, {}, 0, 0},
              "name a file that does not exist, such as one with the date in its name");
}

Result<std::uint64_t> back_up(const fs::path& from, const fs::path& to) {
  if (auto fine = check_backup(to); !fine) return fail(std::move(fine.error()));
  std::error_code problem;
  const fs::path part = unused_name_beside(to);
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
    if (const int reason = rename_to_new(part, to); reason != 0) {
      bytes = fail("backup-failed", "the copy cannot get its name: " + std::generic_category().message(reason),
                   Place{to.string(), {}, {}, 0, 0});
    }
  }
  if (!bytes) {
    fs::remove(part, problem);
    for (const std::string_view log : kDatabaseLogs) fs::remove(fs::path(part) += log, problem);
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
  auto pages = scan_pages(*database);
  if (!pages) return about_file(std::move(pages.error()), file);
  if (!pages->damaged.empty()) {
    const std::size_t others = pages->damaged.size() - 1;
    return fail("store-corrupt",
                "the file is damaged: page " + std::to_string(pages->damaged.front()) + " is not as Rondo wrote it" +
                    (others == 0 ? "" : ", nor are " + std::to_string(others) + " more"),
                Place{file.string(), {}, {}, 0, 0}, "restore it from a backup");
  }
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
