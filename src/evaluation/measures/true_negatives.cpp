#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> true_negatives_of(const JudgedList& list, std::size_t cutoff) {
  const auto table = contingency(list, cutoff);
  if (!table) return std::nullopt;
  return static_cast<double>(table->tn);
}

}  // namespace

constinit const Measure kTrueNegatives{
    .name = "TN",
    .aliases = "",
    .definition = "Documents neither relevant nor returned. Needs the collection's size.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = true_negatives_of,
};

}  // namespace rondo::evaluation::measures
