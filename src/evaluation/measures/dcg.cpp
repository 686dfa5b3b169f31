#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> dcg_of(const JudgedList& list, std::size_t cutoff) {
  return discounted_gain(list, cutoff, log2_discount);
}

}  // namespace

constinit const Measure kDcg{
    .name = "DCG",
    .aliases = "dcg",
    .definition =
        "Discounted cumulative gain: sum of gain / log2(rank + 1). The gain of a document is its grade where "
        "the truth has grades, else the number of groups from its group to the last: 1 in a binary truth.",
    .reference =
        "Jarvelin, Kekalainen: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20, 2002; discount "
        "as trec_eval's ndcg",
    .low = 0,
    .high = kNoBound,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = dcg_of,
};

}  // namespace rondo::evaluation::measures
