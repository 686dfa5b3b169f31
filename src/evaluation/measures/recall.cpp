#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> recall_of(const JudgedList& list, std::size_t cutoff) { return recall_at(list, cutoff); }

}  // namespace

constinit const Measure kRecall{
    .name = "R",
    .aliases = "recall set_recall",
    .definition = "Recall: share of the relevant documents that were returned (R@k: among the first k).",
    .reference = "van Rijsbergen: Information Retrieval, 1979; as trec_eval's recall and set_recall",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = recall_of,
};

}  // namespace rondo::evaluation::measures
