#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> r_precision_of(const JudgedList& list, std::size_t /*cutoff*/) {
  if (list.relevant == 0) return 0;
  return precision_at(list, list.relevant);
}

}  // namespace

constinit const Measure kRPrecision{
    .name = "R-precision",
    .aliases = "Rprec",
    .definition = "Precision at rank R, where R is the number of relevant documents.",
    .reference = "Voorhees, Harman: TREC, 2005; as trec_eval's Rprec",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = r_precision_of,
};

}  // namespace rondo::evaluation::measures
