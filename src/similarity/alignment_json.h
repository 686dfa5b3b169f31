#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "rondo/similarity/system.h"

/// An alignment as JSON.
namespace rondo {

/// Names of the kinds of steps: in words, from the query's side ("only query"), or as identifiers (gap_in_document), as
/// in the HTTP API.
enum class StepNames : std::uint8_t { words, identifiers };
[[nodiscard]] std::string_view step_name(Step::Kind kind, StepNames names);

/// A list of {kind, query, document, score}; spans are [begin, end], or null for a gap.
[[nodiscard]] nlohmann::ordered_json steps_json(const Explanation& why, StepNames names);
/// {summary, total, steps}, in words.
[[nodiscard]] nlohmann::ordered_json alignment_json(const Explanation& why);

}  // namespace rondo
