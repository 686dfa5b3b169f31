#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "similarity/mixture.h"

/// How the list of a mixture is computed from those of its parts: shared by scoring every document and searching an
/// index.
namespace rondo {

/// Removes all entries below the k-th best score, keeping every entry that ties with the k-th.
template <typename Entry>
void keep_best(std::vector<Entry>& entries, std::size_t k) {
  if (k == 0) entries.clear();
  if (entries.size() <= k) return;
  std::vector<double> scores;
  scores.reserve(entries.size());
  for (const Entry& entry : entries) scores.push_back(entry.score);
  const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(scores.begin(), kth, scores.end(), std::greater<>());
  std::erase_if(entries, [threshold = *kth](const Entry& entry) { return entry.score < threshold; });
}

/// The list of a system: every document that reaches its score at rank k, in no particular order.
///
/// `Source` has
///   Entry: with `document` (unique), `score`, and other data of a hit;
///   std::vector<Entry> list(row, system, k): the same for a system that is searched as one;
///   std::vector<std::optional<Entry>> scores(row, system, documents): given entries of other systems, the same
///     documents under this one; nothing where it cannot compare them;
///   bool searched_as_one(system): whether `list` takes a mixture as it is.
template <typename Source>
std::vector<typename Source::Entry> list_of(Source& source, const SystemRow& row, const System& system, std::size_t k) {
  using Entry = typename Source::Entry;
  const Mixture* mixture = system.mixture();
  if (mixture == nullptr || source.searched_as_one(system)) return source.list(row, system, k);

  const std::span<const Part> parts = mixture->parts();
  std::vector<std::vector<std::optional<Entry>>> found(parts.size());
  std::vector<Entry> candidates;
  std::unordered_map<std::uint64_t, std::size_t> numbers;
  std::vector<std::vector<Entry>> lists(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!mixture->proposes(p)) continue;
    lists[p] = list_of(source, *parts[p].row, *parts[p].system, mixture->depth(k));
    for (const Entry& entry : lists[p]) {
      if (numbers.try_emplace(entry.document, candidates.size()).second) candidates.push_back(entry);
    }
  }
  std::vector<std::vector<Score>> scores(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (mixture->proposes(p)) {
      found[p].resize(candidates.size());
      for (Entry& entry : lists[p]) found[p][numbers[entry.document]] = std::move(entry);
    } else {
      found[p] = source.scores(*parts[p].row, *parts[p].system, candidates);
    }
    for (const std::optional<Entry>& one : found[p]) {
      scores[p].push_back(one ? Score{one->score, true} : Score{0, false});
    }
  }
  std::vector<Mixed> mixed;
  mixture->mix(scores, k, mixed);
  std::vector<Entry> out;
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    if (!mixed[i].score.comparable) continue;
    out.push_back(*found[mixed[i].part][i]);
    out.back().score = mixed[i].score.value;
  }
  keep_best(out, k);
  return out;
}

}  // namespace rondo
