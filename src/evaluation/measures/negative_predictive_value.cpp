#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> negative_predictive_value_of(const JudgedList& list, std::size_t cutoff) {
  const auto table = contingency(list, cutoff);
  if (!table) return std::nullopt;
  return ratio(table->tn, table->tn + table->fn);
}

}  // namespace

constinit const Measure kNegativePredictiveValue{
    .name = "NPV",
    .aliases = "specificity[paper]",
    .definition =
        "Negative predictive value, TN / (TN + FN): share of the documents not returned that are not "
        "relevant. It is what the cover song paper prints as specificity. Needs the collection's size.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = negative_predictive_value_of,
};

}  // namespace rondo::evaluation::measures
