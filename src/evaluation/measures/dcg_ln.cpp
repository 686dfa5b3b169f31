#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> dcg_ln_of(const JudgedList& list, std::size_t cutoff) {
  return discounted_gain(list, cutoff,
                         [](std::size_t rank) { return rank == 1 ? 1 : 1 / std::log(static_cast<double>(rank)); });
}

}  // namespace

constinit const Measure kDcgLn{
    .name = "DCG[ln]",
    .aliases = "",
    .definition =
        "Discounted cumulative gain as defined in the cover song paper: the gain counts in full at rank 1, else "
        "divided by "
        "the natural logarithm of the rank.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = dcg_ln_of,
};

}  // namespace rondo::evaluation::measures
