#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> false_positives_of(const JudgedList& list, std::size_t cutoff) {
  return static_cast<double>(depth_of(list, cutoff) - list.hits_within(cutoff));
}

}  // namespace

constinit const Measure kFalsePositives{
    .name = "FP",
    .aliases = "",
    .definition = "Returned documents that are not known to be relevant.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = false,
    .takes_cutoff = true,
    .value = false_positives_of,
};

}  // namespace rondo::evaluation::measures
