#include <algorithm>
#include <cmath>

#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

/// Gains as shares of the query's highest, weighted (1 - p) p^(rank - 1).
double rank_biased(const JudgedList& list, std::size_t cutoff, double persistence) {
  if (list.gains.empty()) return 0;
  const double highest = *std::max_element(list.gains.begin(), list.gains.end());
  if (!(highest > 0)) return 0;
  double sum = 0;
  for (const Hit& hit : list.hits) {
    if (cutoff != 0 && hit.rank > cutoff) break;
    const double weight = std::pow(persistence, static_cast<double>(hit.rank - 1));
    sum += list.gains[hit.group - 1] / highest * weight;
  }
  return (1 - persistence) * sum;
}

std::optional<double> rbp_80(const JudgedList& list, std::size_t cutoff) { return rank_biased(list, cutoff, 0.8); }
std::optional<double> rbp_95(const JudgedList& list, std::size_t cutoff) { return rank_biased(list, cutoff, 0.95); }

}  // namespace

constinit const Measure kRankBiasedPrecision{
    .name = "RBP",
    .aliases = "RBP[.8] rbp_80",
    .definition =
        "Rank-biased precision with persistence .8: (1 - p) times the sum of gain times p^(rank - 1), gains as shares "
        "of "
        "the query's highest gain (RBP@k: the first k documents).",
    .reference = "Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27, 2008",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = rbp_80,
};

constinit const Measure kRankBiasedPrecisionPatient{
    .name = "RBP[.95]",
    .aliases = "rbp_95",
    .definition = "Rank-biased precision as RBP, with persistence .95: for users who read far down.",
    .reference = "Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27, 2008",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = rbp_95,
};

}  // namespace rondo::evaluation::measures
