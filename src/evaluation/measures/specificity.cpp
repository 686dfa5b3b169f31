#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> specificity_of(const JudgedList& list, std::size_t cutoff) {
  const auto table = contingency(list, cutoff);
  if (!table) return std::nullopt;
  return ratio(table->tn, table->tn + table->fp);
}

}  // namespace

constinit const Measure kSpecificity{
    .name = "specificity",
    .aliases = "",
    .definition =
        "TN / (TN + FP): share of the non-relevant documents that were not returned, 1 - fallout. Needs the "
        "collection's size.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = specificity_of,
};

}  // namespace rondo::evaluation::measures
