#include "similarity/fusion.h"

#include <algorithm>
#include <numeric>

namespace rondo::fusion {

void min_max(std::vector<Score>& scores) {
  Stretch stretch;
  for (const Score& score : scores) {
    if (score.comparable) stretch.show(score.value);
  }
  for (Score& score : scores) {
    if (score.comparable) score.value = stretch(score.value);
  }
}

void mean_ranks(std::vector<Score>& scores) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].comparable) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a].value > scores[b].value; });
  for (std::size_t begin = 0; begin < order.size();) {
    const double shared = scores[order[begin]].value;
    std::size_t end = begin;
    while (end < order.size() && scores[order[end]].value == shared) ++end;
    // Ranks begin + 1 to end.
    const double mean = static_cast<double>(begin + 1 + end) / 2;
    for (; begin < end; ++begin) scores[order[begin]].value = mean;
  }
}

void sum_of(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out, std::vector<std::size_t>* found) {
  const std::size_t documents = part_scores.empty() ? 0 : part_scores.front().size();
  out.assign(documents, Mixed{.score = {0, false}});
  if (found != nullptr) found->assign(documents, 0);
  for (std::size_t part = 0; part < part_scores.size(); ++part) {
    for (std::size_t i = 0; i < documents; ++i) {
      const Score& score = part_scores[part][i];
      if (!score.comparable) continue;
      if (!out[i].score.comparable) out[i].part = part;
      out[i].score.comparable = true;
      out[i].score.value += score.value;
      if (found != nullptr) ++(*found)[i];
    }
  }
}

void comb_sum(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out,
              std::vector<std::size_t>* found) {
  std::vector<std::vector<Score>> scaled(part_scores.begin(), part_scores.end());
  for (std::vector<Score>& scores : scaled) min_max(scores);
  sum_of(scaled, out, found);
}

std::vector<Part> standard_parts() {
  std::vector<Part> parts;
  for (std::string_view rest = kStandardParts; !rest.empty();) {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    parts.push_back(standard_part(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

}  // namespace rondo::fusion
