#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> accuracy_of(const JudgedList& list, std::size_t cutoff) {
  const auto table = contingency(list, cutoff);
  if (!table) return std::nullopt;
  return ratio(table->tp + table->tn, list.collection_size);
}

}  // namespace

constinit const Measure kAccuracy{
    .name = "accuracy",
    .aliases = "",
    .definition = "(TP + TN) divided by the number of documents. Needs the collection's size.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = accuracy_of,
};

}  // namespace rondo::evaluation::measures
