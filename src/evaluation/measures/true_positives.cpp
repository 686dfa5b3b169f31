#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> true_positives_of(const JudgedList& list, std::size_t cutoff) {
  return static_cast<double>(list.hits_within(cutoff));
}

}  // namespace

constinit const Measure kTruePositives{
    .name = "TP",
    .aliases = "num_rel_ret",
    .definition = "Relevant documents returned.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = true_positives_of,
};

}  // namespace rondo::evaluation::measures
