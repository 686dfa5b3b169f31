#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> average_precision_of(const JudgedList& list, std::size_t cutoff) {
  if (list.relevant == 0) return 0;
  return precision_sum(list, cutoff) / static_cast<double>(list.relevant);
}

}  // namespace

constinit const Measure kAveragePrecision{
    .name = "AP",
    .aliases = "MAP map average_precision",
    .definition =
        "Average precision: the precision at the rank of each relevant document that was returned, summed and "
        "divided by the number of all relevant documents. AP@k stops at rank k.",
    .reference = "Voorhees, Harman: TREC, 2005; as trec_eval's map and map_cut",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = average_precision_of,
};

}  // namespace rondo::evaluation::measures
