#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/base/result.h"
#include "rondo/search/corpus.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"

/// What search, run and compare share.
namespace rondo::cli {

/// The steps of an alignment as lines for a terminal: query notes, document notes, what the step scored.
[[nodiscard]] std::string alignment_text(const Explanation& why, const Line& query, const Line& document);
[[nodiscard]] nlohmann::ordered_json alignment_json(const Explanation& why);

/// Leaves only the pieces in the corpus that `--where` selects; all of them where it is empty.
[[nodiscard]] Result<void> keep_where(Collection& collection, const std::string& where, Corpus& corpus);

}  // namespace rondo::cli
