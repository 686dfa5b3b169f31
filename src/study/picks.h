#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "search/candidates.h"
#include "study/studies.h"

/// The step that Typke and others did by hand (2005): of about 150 candidates that filters and systems propose, a
/// researcher picks about 50 that participants are to compare. The decisions are stored in the studies' file, not in
/// the collection: each is saved at once, and must not invalidate the server's snapshots of the collection.
namespace rondo::study {

enum class Pick : std::uint8_t { undecided, keep, drop };
/// "undecided", "keep", "drop".
[[nodiscard]] std::string_view to_string(Pick pick);
[[nodiscard]] std::optional<Pick> pick_of(std::string_view word);

/// Decisions by id; missing ids are undecided.
using Picks = std::map<std::string, Pick, std::less<>>;

/// The decisions about a set. They belong to its name and its query: a set of that name with another query has none.
[[nodiscard]] Result<Picks> load_picks(Studies& studies, const CandidateSet& set);

/// Saves decisions on candidates of the set, atomically. Error `pick-candidate`: not a chosen candidate of the set, or
/// its query, which cannot be picked.
[[nodiscard]] Result<void> save_picks(Studies& studies, const CandidateSet& set, const std::vector<std::string>& ids,
                                      Pick pick);

struct PickCounts {
  std::size_t keep = 0;
  std::size_t drop = 0;
  std::size_t undecided = 0;
  /// The number of candidates that participants would see: all but the dropped.
  [[nodiscard]] std::size_t shown() const { return keep + undecided; }
};
/// Counts the candidates that were not folded or excluded before, without the query.
[[nodiscard]] PickCounts count_picks(const CandidateSet& set, const Picks& picks);
/// Whether a candidate can be kept or dropped.
[[nodiscard]] bool can_be_picked(const CandidateSet& set, const rondo::Candidate& candidate);

/// Removes the dropped ones from the set, together with those folded into them.
void apply_picks(CandidateSet& set, const Picks& picks);

}  // namespace rondo::study
