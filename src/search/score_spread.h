#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo {

/// With fewer melodies the distribution of scores cannot be estimated.
inline constexpr std::size_t kLeastSample = 30;

/// The distribution of a sample of at least kLeastSample scores, which are reordered.
[[nodiscard]] ScoreSpread spread_of(std::vector<double>& scores);
/// The size of the sample: smaller if the comparisons (`pairs` of notes for each melody) would take too long.
[[nodiscard]] std::size_t sample_size(std::size_t melodies, std::size_t pairs);

/// The largest sample of melodies for the distribution of scores.
inline constexpr std::size_t kSample = 500;

struct SampleDocument {
  std::size_t segment = 0;
  index::DocumentId document = 0;
};
/// Evenly over the lengths of each segment, including removed documents.
[[nodiscard]] std::vector<SampleDocument> sample_documents(const index::Snapshot& snapshot, std::size_t wanted);

/// The distribution of a query's scores over an index, from a sample of 500 melodies of all lengths in each segment,
/// the same for every query; fewer if they are long. nullopt: too few can be compared, or the time was up. `known` has
/// their scores if they were computed elsewhere (NaN: not this one), if there are as many.
[[nodiscard]] std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                                      std::size_t query_notes, const std::function<bool()>& stopped,
                                                      std::span<const double> known = {});

}  // namespace rondo
