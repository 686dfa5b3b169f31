#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo {

/// Fewer melodies say nothing about how scores are spread.
inline constexpr std::size_t kLeastSample = 30;

/// Of the scores of a sample, at least kLeastSample; their order changes.
[[nodiscard]] ScoreSpread spread_of(std::vector<double>& scores);
/// How many melodies a sample has: fewer where notes (`pairs` of them for each melody) would take too long to compare.
[[nodiscard]] std::size_t sample_size(std::size_t melodies, std::size_t pairs);

/// How a query's scores are spread over an index: of 500 melodies from the shortest to the longest in each segment,
/// the same ones for every query; of fewer where they are long. Nothing: too few can be compared, or time was up.
[[nodiscard]] std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                                      std::size_t query_notes, const std::function<bool()>& stopped);

}  // namespace rondo
