#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> reciprocal_rank_of(const JudgedList& list, std::size_t cutoff) {
  return list.hits_within(cutoff) == 0 ? 0 : ratio(1, list.hits.front().rank);
}

}  // namespace

constinit const Measure kReciprocalRank{
    .name = "RR",
    .aliases = "MRR recip_rank",
    .definition =
        "Reciprocal rank: 1 divided by the rank of the first relevant document; 0 if there is none (RR@k: "
        "among the first k).",
    .reference = "Voorhees: The TREC-8 question answering track report, 1999; as trec_eval's recip_rank",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = reciprocal_rank_of,
};

}  // namespace rondo::evaluation::measures
