#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include "store/sql_clock.h"

namespace rondo {

/// The temporary files of a connection on which users run SQL: SQLite writes large sorts and intermediate results to
/// them. It asks nobody while it sorts, so they are where a sort can be ended: their size is limited, and every access
/// to them checks the clock of the statement. Must outlive the connection; not thread-safe.
class TempFiles {
 public:
  TempFiles(SqlClock& clock, std::uint64_t most_bytes);
  ~TempFiles();
  TempFiles(const TempFiles&) = delete;
  TempFiles& operator=(const TempFiles&) = delete;

  /// The file system to open the connection with.
  [[nodiscard]] const char* name() const { return name_.c_str(); }
  /// Whether the current statement wanted more space; reset it before the next one.
  [[nodiscard]] bool was_full() const { return full_; }
  void reset() { full_ = false; }
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  struct File;
  struct Methods;

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags);

  SqlClock& clock_;
  std::uint64_t most_bytes_;
  std::uint64_t used_ = 0;
  bool full_ = false;
  std::string name_;
  sqlite3_vfs* base_;
  sqlite3_vfs vfs_;
};

}  // namespace rondo
