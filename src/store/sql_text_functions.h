#pragma once

#include <span>
#include <string_view>

#include "store/sql_clock.h"
#include "store/sqlite.h"

namespace rondo {

/// Replaces those of SQLite's text functions that take more than linear time (instr, replace, trim, ltrim, rtrim, like,
/// glob) by equivalent ones that are linear, or end when the time is up. `clock` must outlive the connection.
[[nodiscard]] Result<void> register_text_functions(Database& database, SqlClock& clock);

/// Ends the statement that is running with the error of a time limit.
void stop_for_time(sqlite3_context* context);

}  // namespace rondo
