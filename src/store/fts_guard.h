#pragma once

#include "store/sql_clock.h"
#include "store/sqlite.h"

namespace rondo {

/// Limits how many words a MATCH of the full text may have on this connection: FTS5 reads the lists of all words before
/// it returns to SQLite's machine, and cannot be interrupted meanwhile. Must be called before the full text is first
/// used; `clock` must outlive the connection.
[[nodiscard]] Result<void> limit_full_text_words(Database& database, SqlClock& clock);

}  // namespace rondo
