#include "concordances/length_bound.h"

#include <algorithm>
#include <functional>

namespace rondo::concordances {

void append_alike_needs(const explained::Costs& costs, std::span<const std::int8_t> lengths, std::int32_t least_total,
                        std::vector<std::uint8_t>& out) {
  using explained::Costs;
  const explained::Settings& settings = costs.settings();
  const std::int32_t other = std::max({0, settings.near, settings.far});
  const std::int32_t unlike = std::max(other, explained::kFine - (kAlikeSteps + 1) * settings.length);
  // The greatest worth goes to the greatest weights: by the number of notes, what they add at most.
  thread_local std::vector<std::int32_t> weights, alike_sum, unlike_sum, other_sum;
  weights.clear();
  for (const std::int8_t length : lengths) weights.push_back(costs.weight(length));
  std::sort(weights.begin(), weights.end(), std::greater<>());
  for (auto* sums : {&alike_sum, &unlike_sum, &other_sum}) sums->assign(1, 0);
  for (const std::int32_t weight : weights) {
    alike_sum.push_back(alike_sum.back() + Costs::weighted(explained::kFine, weight));
    unlike_sum.push_back(unlike_sum.back() + Costs::weighted(unlike, weight));
    other_sum.push_back(other_sum.back() + Costs::weighted(other, weight));
  }
  const std::size_t notes = lengths.size();
  for (std::size_t common = 0; common <= notes; ++common) {
    // Rounding may take or add a half a note.
    const std::int32_t rest = other_sum[notes] - other_sum[common] + static_cast<std::int32_t>(notes);
    std::size_t alike = 0;
    while (alike <= common && alike_sum[alike] + unlike_sum[common] - unlike_sum[alike] + rest < least_total) ++alike;
    out.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(alike, 255)));
  }
}

}  // namespace rondo::concordances
