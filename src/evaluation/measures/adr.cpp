#include <numeric>

#include "all.h"
#include "evaluation/curves.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> adr_of(const JudgedList& list, std::size_t cutoff) {
  const std::vector<double> recalls = dynamic_recalls(list, cutoff);
  if (recalls.empty()) return 0;
  return std::accumulate(recalls.begin(), recalls.end(), 0.0) / static_cast<double>(recalls.size());
}

}  // namespace

constinit const Measure kAdr{
    .name = "ADR",
    .aliases = "AverageDynamicRecall",
    .definition =
        "Average dynamic recall: mean over positions i = 1..n of r_i, the documents among the first i that "
        "belong to the groups the truth has begun by position i, divided by i. n is the number of relevant "
        "documents; ADR@k averages over k positions instead. A short answer still divides by n.",
    .reference =
        "Typke, Veltkamp, Wiering: A measure for evaluating retrieval techniques based on partially ordered "
        "ground truth lists, ICME 2006",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = adr_of,
};

}  // namespace rondo::evaluation::measures
