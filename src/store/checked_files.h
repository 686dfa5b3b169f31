#pragma once

#include <cstdint>
#include <vector>

#include "rondo/base/result.h"

struct sqlite3;

/// An SQLite VFS: SQLite's own, except that each page gets its checksum (store/page_checksum.h) when it is written, to
/// the file or to the write-ahead log, and is verified when it is read from the file. A page that does not fit is an
/// error of the statement that reads it, so that no wrong row is returned. Files without room for checksums are read
/// and written as they are.
namespace rondo {

class Database;

/// The name to open files with; registers the VFS at the first call. nullptr: there is not enough memory.
[[nodiscard]] const char* checked_files();

/// Makes a new file, and VACUUM, leave room for the checksums.
void reserve_trailers(Database& database);

/// The page that the last statement failed on because it does not fit its checksum; 0: it failed otherwise.
[[nodiscard]] std::uint32_t damaged_page(sqlite3* database);

struct PageScan {
  bool checked = false;                ///< false: the file has no checksums
  std::vector<std::uint32_t> damaged;  ///< ascending
};
/// Verifies every page of the file, used or not. Pages whose current state is in the write-ahead log are left out.
[[nodiscard]] Result<PageScan> scan_pages(Database& database);

/// Gives damaged pages the checksum of what they contain now, which the caller has verified otherwise. Not within a
/// transaction.
[[nodiscard]] Result<void> accept_pages(Database& database, const std::vector<std::uint32_t>& pages);

/// Rewrites a file of an earlier version so that its pages have checksums; does nothing if they have. Not within a
/// transaction.
[[nodiscard]] Result<void> add_trailers(Database& database);

/// To be called before all pages of one file are copied over another, of a perhaps different version.
void share_layout(Database& from, Database& to);

/// While one exists, the connection reads damaged pages as they are: to find out what is left of them.
class TolerateDamage {
 public:
  explicit TolerateDamage(Database& database);
  ~TolerateDamage();
  TolerateDamage(const TolerateDamage&) = delete;
  TolerateDamage& operator=(const TolerateDamage&) = delete;

 private:
  Database& database_;
};

}  // namespace rondo
