#pragma once

#include "store/sql_clock.h"
#include "store/sqlite.h"

namespace rondo {

/// Limits the number of words of a full-text MATCH on this connection: FTS5 reads the lists of all words before it
/// returns to SQLite's virtual machine, and cannot be interrupted meanwhile. Must be called before the full-text index
/// is first used; `clock` must outlive the connection.
[[nodiscard]] Result<void> limit_full_text_words(Database& database, SqlClock& clock);

}  // namespace rondo
