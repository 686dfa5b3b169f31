#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> average_precision_retrieved_of(const JudgedList& list, std::size_t /*cutoff*/) {
  if (list.hits.empty()) return 0;
  return precision_sum(list, 0) / static_cast<double>(list.hits.size());
}

}  // namespace

constinit const Measure kAveragePrecisionRetrieved{
    .name = "AP[retrieved]",
    .aliases = "",
    .definition =
        "Average precision as defined in the cover song paper: divided by the number of relevant documents returned, "
        "so "
        "that "
        "what was not found costs nothing.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = average_precision_retrieved_of,
};

}  // namespace rondo::evaluation::measures
