#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/search/corpus.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"

/// What search, run and compare share.
namespace rondo::cli {

/// The row of that name, or an error that lists the names.
[[nodiscard]] Result<const SystemRow*> system_row(std::string_view name);

/// A system with parameters given as NAME=VALUE.
[[nodiscard]] Result<std::unique_ptr<System>> make_system(const SystemRow& row,
                                                          const std::vector<std::string>& settings);

/// The steps of an alignment as lines for a terminal: query notes, document notes, what the step scored.
[[nodiscard]] std::string alignment_text(const Explanation& why, const Line& query, const Line& document);
[[nodiscard]] nlohmann::ordered_json alignment_json(const Explanation& why);

/// Leaves only the pieces in the corpus that `--where` selects; all of them where it is empty.
[[nodiscard]] Result<void> keep_where(Collection& collection, const std::string& where, Corpus& corpus);

}  // namespace rondo::cli
