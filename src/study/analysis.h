#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/figures.h"
#include "study/grouping.h"
#include "study/study.h"

namespace rondo::study {

/// Agreement of the participants on one query. Candidates that a participant left unranked count, for that participant,
/// as tied with each other and less similar than all ranked ones; so every participant has ranked all candidates.
struct Agreement {
  std::optional<double> kendall_w;  ///< from 0 (none) to 1 (complete); nullopt with fewer than two raters or without
                                    ///< any order
  std::optional<double> mean_tau;   ///< tau-b, mean over the pairs of raters who both ranked something
  std::size_t raters = 0;
};

/// With more raters there are too many pairs, and mean_tau is not computed.
inline constexpr std::size_t kMostTauRaters = 500;

/// Which votes count. Those of an excluded participant never do.
struct VoteOptions {
  /// Also count unfinished rankings. Paper 002 left out aborted experiments, and kept participants who did not reach
  /// every query: so each ranking counts separately.
  bool unfinished = false;
  /// A candidate ranked by fewer participants is not tested and not grouped: it is unjudged.
  std::size_t minimum_votes = 1;
  friend bool operator==(const VoteOptions&, const VoteOptions&) = default;
};

/// A candidate that somebody ranked, and how it compares with those above it.
struct Judged {
  std::size_t candidate = 0;  ///< index in the query
  Figures figures;
};

/// The analysis of the votes on one query, independent of the grouping rule.
struct QueryAnalysis {
  std::size_t answers = 0;            ///< rankings that count
  std::size_t unfinished = 0;         ///< rankings that do not, because they are unfinished
  std::size_t excluded = 0;           ///< rankings that do not, because their participants were excluded
  std::vector<Judged> judged;         ///< sorted by median rank, then mean, then number of votes (descending), then as
                                      ///< in the study
  PValues p;                          ///< of `judged`, in its order: Wilcoxon's rank sum test, two-sided
  std::vector<std::size_t> too_few;   ///< candidates with fewer votes than `minimum_votes`
  std::vector<std::size_t> unranked;  ///< candidates that nobody ranked
  Agreement agreement;
};

/// The musical background of the participants.
struct Experience {
  std::vector<double> years;                                     ///< ascending
  std::vector<std::pair<std::string, std::size_t>> instruments;  ///< most frequent first
};

struct Analysis {
  std::vector<QueryAnalysis> queries;
  Experience experience;  ///< of those who were not excluded
  VoteOptions votes;
};

/// Expensive if there are many votes (two seconds for a query with 50 candidates all ranked by 35 people), but
/// independent of rule and threshold, so cache it. Uses all cores, one query each. Tests are exact up to about 35 votes
/// on each side; beyond that they use the normal approximation.
[[nodiscard]] Analysis analyse(const Study& study, const VoteOptions& options = {});

/// One query alone, from ballots that name candidates by index.
[[nodiscard]] QueryAnalysis analyse(const std::vector<Tiers>& ballots, std::size_t candidates,
                                    std::size_t minimum_votes = 1);

}  // namespace rondo::study
