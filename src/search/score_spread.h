#pragma once

#include <functional>
#include <optional>
#include <span>
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

/// The melodies whose scores say how those of a query are spread: at most so many.
inline constexpr std::size_t kSample = 500;

struct SampleDocument {
  std::size_t segment = 0;
  index::DocumentId document = 0;
};
/// From the shortest to the longest of each segment, removed ones too.
[[nodiscard]] std::vector<SampleDocument> sample_documents(const index::Snapshot& snapshot, std::size_t wanted);

/// How a query's scores are spread over an index: of 500 melodies from the shortest to the longest in each segment,
/// the same ones for every query; of fewer where they are long. Nothing: too few can be compared, or time was up.
/// `known` has their scores where somebody else has computed them (NaN: not this one), if there are as many.
[[nodiscard]] std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                                      std::size_t query_notes, const std::function<bool()>& stopped,
                                                      std::span<const double> known = {});

}  // namespace rondo
