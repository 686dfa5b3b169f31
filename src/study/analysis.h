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

/// How far the participants agree on one query. A candidate that somebody left unranked counts, for this somebody, as
/// less similar than all the ranked ones and as equal to the others left out; so every participant has ordered all.
struct Agreement {
  std::optional<double> kendall_w;  ///< 0 none to 1 complete; nothing with fewer than two raters or nothing ordered
  std::optional<double> mean_tau;   ///< tau-b, mean over the pairs of raters who both ordered something
  std::size_t raters = 0;
};

/// More raters than this make too many pairs: mean_tau is then left out.
inline constexpr std::size_t kMostTauRaters = 500;

/// Whose votes count. A participant who was left out never does.
struct VoteOptions {
  /// Rankings count that nobody declared finished, too. Paper 002 left out aborted experiments, and kept those who did
  /// not reach every query: so each ranking counts by itself.
  bool unfinished = false;
  /// A candidate that fewer participants ranked is not tested and not grouped: nothing is known of it.
  std::size_t minimum_votes = 1;
  friend bool operator==(const VoteOptions&, const VoteOptions&) = default;
};

/// A candidate that somebody ranked, and how it compares with those above it.
struct Judged {
  std::size_t candidate = 0;  ///< index in the query
  Figures figures;
};

/// What the votes say of one query, whatever rule may group it.
struct QueryAnalysis {
  std::size_t answers = 0;            ///< rankings that count
  std::size_t unfinished = 0;         ///< rankings that do not, because nobody declared them finished
  std::size_t excluded = 0;           ///< rankings that do not, because their participants were left out
  std::vector<Judged> judged;         ///< by median rank, then mean, then the more votes; of equals as in the study
  PValues p;                          ///< of `judged`, in its order: Wilcoxon's rank sum test, two-sided
  std::vector<std::size_t> too_few;   ///< candidates that somebody ranked, but fewer than were asked for
  std::vector<std::size_t> unranked;  ///< candidates that nobody ranked
  Agreement agreement;
};

/// The participants' musical lives.
struct Experience {
  std::vector<double> years;                                     ///< ascending
  std::vector<std::pair<std::string, std::size_t>> instruments;  ///< most frequent first
};

struct Analysis {
  std::vector<QueryAnalysis> queries;
  Experience experience;  ///< of those who were not left out
  VoteOptions votes;
};

/// Expensive where there are many votes (two seconds for a query with 50 candidates that 35 people all ranked), and the
/// same for every rule and threshold: keep it. As many queries at once as there are cores. Tests are exact up to some
/// 35 votes on each side, beyond that by the normal approximation.
[[nodiscard]] Analysis analyse(const Study& study, const VoteOptions& options = {});

/// One query alone, from ballots that name candidates by index.
[[nodiscard]] QueryAnalysis analyse(const std::vector<Tiers>& ballots, std::size_t candidates,
                                    std::size_t minimum_votes = 1);

}  // namespace rondo::study
