#pragma once

#include "store/schema.h"
#include "store/sqlite.h"

/// The table cjk_bigram: which pieces have which pairs of Chinese, Japanese or Korean signs. It keeps the terms of
/// piece_words (store/cjk_bigrams.h) and nothing of the texts.
namespace rondo {

extern const char* const kCjkTable;

/// False in collections of version 3 that are only read: texts are searched one by one then.
[[nodiscard]] Result<bool> has_cjk_index(Database& database);

/// Of a piece that was not indexed yet.
[[nodiscard]] Result<void> index_cjk(Database& database, std::int64_t piece, const std::string& terms);
/// The same for a piece whose rows are written.
[[nodiscard]] Result<void> index_cjk(Database& database, std::int64_t piece);
/// Before any row of the piece is changed: the terms to be removed follow from them.
[[nodiscard]] Result<void> forget_cjk(Database& database, std::int64_t piece);

/// All pieces into an empty table.
[[nodiscard]] Result<void> fill_cjk_index(Database& database, const MigrationWatcher& watch);
/// All pieces again, whatever the table has.
[[nodiscard]] Result<void> rebuild_cjk_index(Database& database);
/// Whether the table has the terms of all pieces and no others.
[[nodiscard]] Result<bool> cjk_index_agrees(Database& database);

}  // namespace rondo
