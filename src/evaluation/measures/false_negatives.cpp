#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> false_negatives_of(const JudgedList& list, std::size_t cutoff) {
  return static_cast<double>(list.relevant - list.hits_within(cutoff));
}

}  // namespace

constinit const Measure kFalseNegatives{
    .name = "FN",
    .aliases = "",
    .definition = "Relevant documents not returned.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = false,
    .takes_cutoff = true,
    .value = false_negatives_of,
};

}  // namespace rondo::evaluation::measures
