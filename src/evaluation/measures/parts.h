#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "rondo/evaluation/evaluate.h"

/// Building blocks of several measures.
namespace rondo::evaluation {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// 0 / 0 is 0 here: nothing is relevant, or nothing was returned.
inline double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The number of ranks of the answer that count.
inline std::size_t depth_of(const JudgedList& list, std::size_t cutoff) {
  return cutoff == 0 ? list.retrieved() : std::min(cutoff, list.retrieved());
}

/// The answer as a classification of the whole collection: retrieved means "classified as relevant". Unjudged documents
/// count as not relevant, as they do in precision.
struct Contingency {
  std::size_t tp = 0;
  std::size_t fp = 0;
  std::size_t fn = 0;
  std::size_t tn = 0;
};

/// nullopt if the collection's size is unknown.
inline std::optional<Contingency> contingency(const JudgedList& list, std::size_t cutoff) {
  if (list.collection_size == 0) return std::nullopt;
  Contingency table;
  table.tp = list.hits_within(cutoff);
  table.fp = depth_of(list, cutoff) - table.tp;
  table.fn = list.relevant - table.tp;
  const std::size_t rest = table.tp + table.fp + table.fn;
  table.tn = list.collection_size > rest ? list.collection_size - rest : 0;
  return table;
}

/// P@k divides by k even if fewer were returned; without k, by the number returned.
inline double precision_at(const JudgedList& list, std::size_t cutoff) {
  return ratio(list.hits_within(cutoff), cutoff == 0 ? list.retrieved() : cutoff);
}

inline double recall_at(const JudgedList& list, std::size_t cutoff) {
  return ratio(list.hits_within(cutoff), list.relevant);
}

/// Sum of the precisions at the ranks of the hits.
inline double precision_sum(const JudgedList& list, std::size_t cutoff) {
  const std::size_t count = list.hits_within(cutoff);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += ratio(i + 1, list.hits[i].rank);
  return sum;
}

/// Sum of gain times discount(rank) over the hits down to the cut-off.
template <typename Discount>
double discounted_gain(const JudgedList& list, std::size_t cutoff, const Discount& discount) {
  double sum = 0;
  for (const Hit& hit : list.hits) {
    if (cutoff != 0 && hit.rank > cutoff) break;
    sum += list.gains[hit.group - 1] * discount(hit.rank);
  }
  return sum;
}

/// 1 / log2(rank + 1).
inline double log2_discount(std::size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 1); }

/// (1/R) sum over the hits of `credit(judged non-relevant documents before it)`.
template <typename Credit>
double mean_credit(const JudgedList& list, const Credit& credit) {
  if (list.relevant == 0) return 0;
  double sum = 0;
  for (const Hit& hit : list.hits) sum += credit(hit.nonrelevant_before);
  return sum / static_cast<double>(list.relevant);
}

}  // namespace rondo::evaluation
