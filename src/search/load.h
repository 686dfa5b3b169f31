#pragma once

#include <span>

#include "rondo/store/collection.h"
#include "search/corpus.h"

namespace rondo {

/// Reads a whole collection into memory, in the order of the store.
[[nodiscard]] Result<Corpus> load_corpus(Collection& collection, const LineOptions& options = {});
/// Only these pieces, in this order; one that is no longer there is an empty document, which is no hit.
[[nodiscard]] Result<Corpus> load_corpus(Collection& collection, std::span<const PieceKey> pieces,
                                         const LineOptions& options);

}  // namespace rondo
