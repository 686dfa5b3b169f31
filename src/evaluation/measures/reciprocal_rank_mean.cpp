#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> reciprocal_rank_mean_of(const JudgedList& list, std::size_t /*cutoff*/) {
  double sum = 0;
  for (const Hit& hit : list.hits) sum += ratio(1, hit.rank);
  return list.retrieved() == 0 ? 0 : sum / static_cast<double>(list.retrieved());
}

}  // namespace

constinit const Measure kReciprocalRankMean{
    .name = "RR[mean]",
    .aliases = "",
    .definition =
        "Reciprocal rank as defined in the cover song paper: the sum of 1 / rank over all relevant documents returned, "
        "divided by the length of the answer.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = reciprocal_rank_mean_of,
};

}  // namespace rondo::evaluation::measures
