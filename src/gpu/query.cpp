#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "gpu/card.h"

namespace rondo::gpu {
namespace {

/// Lengths that are at most so many steps apart are alike, as in concordances/length_bound.h, whose bound this is.
constexpr std::int32_t kAlikeSteps = 5;

void bound_by_length(Query& query, const QueryCosts& costs) {
  const std::size_t notes = query.melody.notes;
  std::vector<std::int32_t> weights;
  for (std::size_t i = 0; i < notes; ++i) {
    const std::int32_t length = query.note[i].length;
    weights.push_back(costs.weight[length + kMostLengthSteps]);
    for (std::int32_t other = -kMostLengthSteps; other <= kMostLengthSteps; ++other) {
      const std::int32_t apart = other < length ? length - other : other - length;
      if (apart <= kAlikeSteps) query.alike[other + kMostLengthSteps] |= std::uint64_t{1} << i;
    }
  }
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const std::int32_t other = std::max({0, costs.near, costs.far});
  const std::int32_t unlike = std::max(other, kEqualPitch - (kAlikeSteps + 1) * costs.length);
  std::vector<std::int32_t> alike_sum(1, 0);
  std::vector<std::int32_t> unlike_sum(1, 0);
  std::vector<std::int32_t> other_sum(1, 0);
  for (const std::int32_t weight : weights) {
    alike_sum.push_back(alike_sum.back() + weighted(kEqualPitch, weight));
    unlike_sum.push_back(unlike_sum.back() + weighted(unlike, weight));
    other_sum.push_back(other_sum.back() + weighted(other, weight));
  }
  for (std::size_t common = 0; common <= notes; ++common) {
    query.least_alike[common] = 255;
    for (std::size_t alike = 0; alike <= common; ++alike) {
      // The greatest worth goes to the greatest weights; rounding may take or add a half a note.
      const std::int32_t most = alike_sum[alike] + unlike_sum[common] - unlike_sum[alike] + other_sum[notes] -
                                other_sum[common] + static_cast<std::int32_t>(notes);
      if (most < query.melody.least_total) continue;
      query.least_alike[common] = static_cast<std::uint8_t>(alike);
      break;
    }
  }
  query.by_length = 1;
}

}  // namespace

std::uint32_t least_common_for(const QueryCosts& costs, std::span<const Note> notes, std::int32_t total) {
  const std::int32_t other_pitch = std::max({0, costs.near, costs.far});
  std::array<std::int32_t, kMostNotes> gain{};
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::int32_t weight = costs.weight[notes[i].length + kMostLengthSteps];
    const std::int32_t other = weighted(other_pitch, weight);
    sum += other;
    gain[i] = weighted(kEqualPitch, weight) - other;
  }
  std::sort(gain.begin(), gain.begin() + static_cast<std::ptrdiff_t>(notes.size()), std::greater<>());
  std::uint32_t common = 0;
  while (sum < total && common < notes.size()) sum += gain[common++];
  return sum < total ? common + 1 : common;
}

Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number, const QueryWindow& window,
                 const CostTables& costs) {
  const std::uint32_t least_common = window.least_common;
  Query out{};
  out.melody = melody;
  out.number = number;
  std::array<std::uint8_t, kMostNotes> sorted{};
  std::array<std::uint8_t, kMostPitch + 1> seen{};
  std::array<std::array<std::uint8_t, kMostNotes>, kLevels> by_level{};
  std::array<std::uint32_t, kLevels> size{};
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::uint8_t pitch = notes[i].pitch;
    out.note[i] = notes[i];
    out.where[pitch] |= std::uint64_t{1} << i;
    sorted[i] = pitch;
    // A note beyond the last level is counted where the document has as many as that.
    const std::size_t level = std::min<std::size_t>(seen[pitch]++, kLevels - 1);
    by_level[level][size[level]++] = pitch;
  }
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(notes.size()));
  std::uint32_t entries = 0;
  const auto add = [&](std::uint32_t entry) {
    out.order[entries / 4] |= entry << (8 * (entries % 4));
    ++entries;
  };
  for (std::size_t level = 0; level < kLevels; ++level) {
    for (std::uint32_t i = 0; i < size[level]; ++i) add(by_level[level][i] | (i == 0 ? kNextLevel : 0));
  }
  while (entries % 4 != 0) add(kNoPitch);
  out.quads = static_cast<std::uint8_t>(entries / 4);
  // Lower or higher, fewer notes of the query lie within the range of any document than must be shared.
  int lowest = -kMostPitch;
  int highest = kMostPitch;
  if (least_common > 0 && least_common <= notes.size()) {
    lowest = -sorted[notes.size() - least_common];
    highest = static_cast<int>(window.documents_range) - sorted[least_common - 1];
  }
  out.lowest = static_cast<std::int16_t>(lowest);
  out.words = static_cast<std::uint8_t>(highest < lowest ? 0 : (highest - lowest) / 32 + 1);
  const QueryCosts& own = costs.of[melody.rhythm != 0 ? 1 : 0];
  std::int32_t lowest_total = -own.overhang;
  for (const Note& note : notes) {
    const std::int32_t at = note.length + kMostLengthSteps;
    lowest_total -= std::max(own.gap[at], own.beyond[at]);
  }
  out.narrow = lowest_total >= -32768 && melody.perfect <= 32767 ? 1 : 0;
  if (window.own_score_decides && melody.rhythm != 0) bound_by_length(out, own);
  return out;
}

}  // namespace rondo::gpu
