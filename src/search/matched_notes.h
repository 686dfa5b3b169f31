#pragma once

#include <cstdint>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// The notes of two voices that a system matched, as ascending indices: for highlighting.
struct MatchedNotes {
  std::vector<std::uint32_t> query;
  std::vector<std::uint32_t> document;
};
/// `why` explains the lines that the options make of the two voices.
[[nodiscard]] MatchedNotes matched_notes(const Explanation& why, const Voice& query, const LineOptions& query_heard,
                                         const Voice& document, const LineOptions& heard);

}  // namespace rondo
