#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "search/candidates.h"
#include "study/studies.h"

/// The step that Typke and others did by hand (2005): of the some 150 candidates that filters and systems propose, a
/// researcher picks the some 50 that participants are to compare. The decisions lie in the studies' file, not in the
/// collection: each is saved as it is made, and must not make the server's snapshots of the collection stale.
namespace rondo::study {

enum class Pick : std::uint8_t { undecided, keep, drop };
/// "undecided", "keep", "drop".
[[nodiscard]] std::string_view to_string(Pick pick);
[[nodiscard]] std::optional<Pick> pick_of(std::string_view word);

/// Decisions by id; what is missing is undecided.
using Picks = std::map<std::string, Pick, std::less<>>;

/// Those about a set. They belong to its name and its query: a set of that name about another query has none.
[[nodiscard]] Result<Picks> load_picks(Studies& studies, const CandidateSet& set);

/// Decides on candidates of the set, all or none of them. Error `pick-candidate`: not a chosen candidate of the set, or
/// its query, on which there is nothing to decide.
[[nodiscard]] Result<void> save_picks(Studies& studies, const CandidateSet& set, const std::vector<std::string>& ids,
                                      Pick pick);

struct PickCounts {
  std::size_t keep = 0;
  std::size_t drop = 0;
  std::size_t undecided = 0;
  /// What participants of a study of this set would see: all but the dropped.
  [[nodiscard]] std::size_t shown() const { return keep + undecided; }
};
/// Of the candidates that were not folded or excluded before, the query apart.
[[nodiscard]] PickCounts count_picks(const CandidateSet& set, const Picks& picks);
/// Whether there is something to decide about a candidate.
[[nodiscard]] bool can_be_picked(const CandidateSet& set, const rondo::Candidate& candidate);

/// Takes the dropped ones out of the set, and with them whatever was folded into them.
void apply_picks(CandidateSet& set, const Picks& picks);

}  // namespace rondo::study
