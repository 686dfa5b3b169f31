#include <numeric>
#include <vector>

#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

double ideal_gain(const JudgedList& list, std::size_t cutoff) {
  std::vector<std::size_t> order(list.gains.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return list.gains[a] > list.gains[b]; });
  double sum = 0;
  std::size_t rank = 0;
  for (const std::size_t group : order) {
    for (std::size_t i = 0; i < list.group_sizes[group]; ++i) {
      if (cutoff != 0 && rank == cutoff) return sum;
      sum += list.gains[group] * log2_discount(++rank);
    }
  }
  return sum;
}

std::optional<double> ndcg_of(const JudgedList& list, std::size_t cutoff) {
  const double ideal = ideal_gain(list, cutoff);
  return ideal > 0 ? discounted_gain(list, cutoff, log2_discount) / ideal : 0;
}

}  // namespace

constinit const Measure kNdcg{
    .name = "nDCG",
    .aliases = "ndcg ndcg_cut",
    .definition =
        "DCG divided by the DCG of the best possible answer, which returns all relevant documents by falling "
        "gain (nDCG@k: the first k of them).",
    .reference =
        "Jarvelin, Kekalainen: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20, 2002; as "
        "trec_eval's ndcg and ndcg_cut",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = ndcg_of,
};

}  // namespace rondo::evaluation::measures
