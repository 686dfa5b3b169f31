#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/search/engine.h"
#include "rondo/similarity/system.h"

/// What search, run and compare share.
namespace rondo::cli {

/// The steps of an alignment as lines for a terminal: query notes, document notes, what the step scored.
[[nodiscard]] std::string alignment_text(const Explanation& why, const Line& query, const Line& document);
[[nodiscard]] nlohmann::ordered_json alignment_json(const Explanation& why);

/// Opens the index of a collection, with a progress bar if it must be made first.
[[nodiscard]] Result<Engine> open_engine(Collection& collection, const LineOptions& line = {});

}  // namespace rondo::cli
