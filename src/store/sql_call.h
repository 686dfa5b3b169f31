#pragma once

#include <sqlite3.h>

#include <new>

namespace rondo {

/// A function of SQL as SQLite calls it. An exception must not leave it: the frames of SQLite would not release what
/// they hold.
template <void (*call)(sqlite3_context*, int, sqlite3_value**)>
void sql_call(sqlite3_context* context, int count, sqlite3_value** values) noexcept {
  try {
    call(context, count, values);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

}  // namespace rondo
