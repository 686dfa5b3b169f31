#pragma once

#include "rondo/search/corpus.h"
#include "rondo/store/collection.h"

namespace rondo {

/// Reads a whole collection into memory, in the order of the store.
[[nodiscard]] Result<Corpus> load_corpus(Collection& collection, const LineOptions& options = {});

}  // namespace rondo
