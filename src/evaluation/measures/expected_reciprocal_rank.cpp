#include <algorithm>
#include <cmath>

#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

/// The user stops at a document of gain g with probability (2^g - 1) / 2^highest, else reads on.
std::optional<double> err_of(const JudgedList& list, std::size_t cutoff) {
  if (list.gains.empty()) return 0;
  const double highest = *std::max_element(list.gains.begin(), list.gains.end());
  double sum = 0;
  double reads_on = 1;
  for (const Hit& hit : list.hits) {
    if (cutoff != 0 && hit.rank > cutoff) break;
    const double gain = list.gains[hit.group - 1];
    const double stops = std::exp2(gain - highest) - std::exp2(-highest);
    sum += reads_on * stops / static_cast<double>(hit.rank);
    reads_on *= 1 - stops;
  }
  return sum;
}

}  // namespace

constinit const Measure kExpectedReciprocalRank{
    .name = "ERR",
    .aliases = "err",
    .definition =
        "Expected reciprocal rank of the document at which a user stops, if the user stops at a document of gain g "
        "with probability (2^g - 1) / 2^h, where h is the highest gain of the query (ERR@k: within the first k "
        "documents).",
    .reference =
        "Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance, CIKM 2009; h of the query "
        "rather than of the scale",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = err_of,
};

}  // namespace rondo::evaluation::measures
