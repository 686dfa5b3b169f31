#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace rondo::slow {

/// Inner metric analysis by its definition: all sets of three or more equally distant onsets, those that are part of
/// another struck out. Onsets ascend strictly and lie near together, but for the last.
inline std::vector<double> metric_weights(const std::vector<std::int64_t>& onsets) {
  const std::set<std::int64_t> there(onsets.begin(), onsets.end());
  std::vector<std::set<std::int64_t>> sets;
  for (const std::int64_t start : onsets) {
    for (const std::int64_t second : onsets) {
      if (second <= start) continue;
      std::set<std::int64_t> members;
      for (std::int64_t t = start; there.count(t) != 0; t += second - start) members.insert(t);
      if (members.size() >= 3) sets.push_back(members);
    }
  }
  std::vector<double> weights(onsets.size(), 0);
  for (const auto& set : sets) {
    const bool part = std::any_of(sets.begin(), sets.end(), [&](const auto& other) {
      return other.size() > set.size() && std::includes(other.begin(), other.end(), set.begin(), set.end());
    });
    if (part) continue;
    const auto steps = static_cast<double>(set.size() - 1);
    for (std::size_t i = 0; i < onsets.size(); ++i) {
      if (set.count(onsets[i]) != 0) weights[i] += steps * steps;
    }
  }
  const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) {
    if (largest > 0) weight /= largest;
  }
  return weights;
}

}  // namespace rondo::slow
