#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> bpref_paper_of(const JudgedList& list, std::size_t /*cutoff*/) {
  return mean_credit(list, [&](std::size_t n) { return 1 - ratio(n, list.relevant); });
}

}  // namespace

constinit const Measure kBprefPaper{
    .name = "bpref[paper]",
    .aliases = "",
    .definition =
        "bpref as defined in the cover song paper: (1/R) sum of 1 - n / R, where n is not capped, so that it may fall "
        "below "
        "0.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = -kNoBound,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = bpref_paper_of,
};

}  // namespace rondo::evaluation::measures
