#include <algorithm>
#include <vector>

#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

constexpr double kPersistence = 0.95;
constexpr std::size_t kDepth = 1000;

/// Rank-biased overlap to `kDepth`, of an answer with an ideal one of `ideal` documents; `both[d]` is how many
/// documents enter the intersection at depth d (from 1).
double overlap(const std::vector<std::size_t>& both) {
  double sum = 0;
  double weight = 1;
  std::size_t common = 0;
  for (std::size_t depth = 1; depth <= kDepth; ++depth) {
    common += depth < both.size() ? both[depth] : 0;
    sum += weight * static_cast<double>(common) / static_cast<double>(depth);
    weight *= kPersistence;
  }
  return sum;
}

std::optional<double> compatibility_of(const JudgedList& list, std::size_t /*cutoff*/) {
  if (list.relevant == 0) return 0;
  // Of the orders that the truth allows, the one closest to the answer has each group's documents in the order of the
  // answer, those that were not returned last.
  std::vector<std::size_t> next(list.group_sizes.size(), 1);
  for (std::size_t g = 1; g < next.size(); ++g) next[g] = next[g - 1] + list.group_sizes[g - 1];
  std::vector<std::size_t> both(kDepth + 1, 0);
  for (const Hit& hit : list.hits) {
    const std::size_t met = std::max(hit.rank, next[hit.group - 1]++);
    if (met <= kDepth) ++both[met];
  }
  std::vector<std::size_t> all(kDepth + 1, 0);
  for (std::size_t d = 1; d <= std::min(list.relevant, kDepth); ++d) all[d] = 1;
  return overlap(both) / overlap(all);
}

}  // namespace

constinit const Measure kCompatibility{
    .name = "compatibility",
    .aliases = "compat",
    .definition =
        "Rank-biased overlap (persistence .95, to depth 1000) of the answer with the ideal answer that is closest to "
        "it, "
        "divided by the overlap of the ideal with itself. The ideal answer has the groups in order; within a group any "
        "order is ideal.",
    .reference = "Clarke, Vtyurina, Smucker: Assessing top-k preferences, ACM TOIS 39, 2021",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = compatibility_of,
};

}  // namespace rondo::evaluation::measures
