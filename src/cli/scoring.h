#pragma once

#include <string>

#include "rondo/search/service.h"
#include "rondo/similarity/system.h"

/// What search, run and compare share.
namespace rondo::cli {

/// The steps of an alignment as lines for a terminal: query notes, document notes, what the step scored.
[[nodiscard]] std::string alignment_text(const Explanation& why, const Line& query, const Line& document);

/// Opens a collection to be searched, with a progress bar if its index must be made first.
[[nodiscard]] Result<std::shared_ptr<CollectionSnapshot>> open_snapshot(Collection& collection,
                                                                        SnapshotOptions options = {});
/// Makes what a request needs, with a progress bar: what it takes is not part of the search.
[[nodiscard]] Result<void> prepare(CollectionSnapshot& snapshot, Collection& collection, const SearchRequest& request);

/// Adds what became of the melodies of one search to that of others.
void add_counts(const SearchResult& of, SearchResult& to);
/// What became of the melodies of a search, in words: "59,999 melodies compared, 12 too short".
[[nodiscard]] std::string counts_text(const SearchResult& result);

}  // namespace rondo::cli
