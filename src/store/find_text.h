#pragma once

#include <vector>

#include "rondo/store/collection.h"
#include "store/sqlite.h"

namespace rondo {

/// Collection::find. If the collection has no index of CJK bigrams, or with `scan`, the texts of all pieces are
/// searched instead: the reference for the index.
[[nodiscard]] Result<std::vector<TextHit>> find_text(Database& database, std::string_view words, std::size_t limit,
                                                     std::size_t offset, bool scan = false);
/// The keys of all that Collection::find finds, ascending, in a fraction of the time.
[[nodiscard]] Result<std::vector<PieceKey>> find_keys(Database& database, std::string_view words);

}  // namespace rondo
