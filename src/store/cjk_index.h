#pragma once

#include "store/schema.h"
#include "store/sqlite.h"

/// The table cjk_bigram: an index of Chinese, Japanese and Korean character bigrams. It stores the terms of piece_words
/// (store/cjk_bigrams.h), not the texts.
namespace rondo {

extern const char* const kCjkTable;

/// False in collections of version 3 opened for reading: their texts are then searched one by one.
[[nodiscard]] Result<bool> has_cjk_index(Database& database);

/// Indexes a piece that was not indexed yet.
[[nodiscard]] Result<void> index_cjk(Database& database, std::int64_t piece, const std::string& terms);
/// The same for a piece whose rows are already written.
[[nodiscard]] Result<void> index_cjk(Database& database, std::int64_t piece);
/// Call before any row of the piece is changed: the terms to be removed are computed from the rows.
[[nodiscard]] Result<void> forget_cjk(Database& database, std::int64_t piece);

/// Indexes all pieces into an empty table.
[[nodiscard]] Result<void> fill_cjk_index(Database& database, const MigrationWatcher& watch);
/// Rebuilds the table.
[[nodiscard]] Result<void> rebuild_cjk_index(Database& database);
/// Whether the table has the terms of all pieces and no others.
[[nodiscard]] Result<bool> cjk_index_agrees(Database& database);

}  // namespace rondo
