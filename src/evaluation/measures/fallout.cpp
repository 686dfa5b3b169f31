#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> fallout_of(const JudgedList& list, std::size_t cutoff) {
  const auto table = contingency(list, cutoff);
  if (!table) return std::nullopt;
  return ratio(table->fp, table->fp + table->tn);
}

}  // namespace

constinit const Measure kFallout{
    .name = "fallout",
    .aliases = "fallout-rate",
    .definition =
        "FP / (FP + TN): share of the non-relevant documents that were returned. Needs the collection's size.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = false,
    .takes_cutoff = true,
    .value = fallout_of,
};

}  // namespace rondo::evaluation::measures
