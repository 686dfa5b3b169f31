#pragma once

#include <functional>
#include <optional>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo {

/// Fewer melodies say nothing about how scores are spread.
inline constexpr std::size_t kLeastSample = 30;

/// How a query's scores are spread over an index: of 500 melodies from the shortest to the longest in each segment,
/// the same ones for every query; of fewer where they are long. Nothing: too few can be compared, or time was up.
[[nodiscard]] std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                                      std::size_t query_notes, const std::function<bool()>& stopped);

}  // namespace rondo
