#include <algorithm>
#include <array>
#include <functional>

#include "gpu/card.h"
#include "gpu/gain_bound.h"

namespace rondo::gpu {

std::uint32_t least_gain(const CostTables& costs, bool rhythm, std::span<const Note> notes, std::int32_t total) {
  const GainUnits units = gain_units(costs.of[1]);
  const QueryCosts& own = costs.of[rhythm ? 1 : 0];
  const std::int64_t other = std::max({0, own.near, own.far});
  std::array<std::int64_t, kMostNotes> weights{};
  std::int64_t missing = std::int64_t{total} << 15U;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    weights[i] = own.weight[notes[i].length + kMostLengthSteps];
    missing -= other * weights[i] + (1 << 14);
  }
  std::sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(notes.size()), std::greater<>());
  std::uint32_t gain = 0;
  const auto most = static_cast<std::uint32_t>(kGainUnits * notes.size());
  for (; gain < most && missing > 0; ++gain) missing -= units.unit * weights[gain / kGainUnits];
  if (missing > 0) return kNoGain;
  return rhythm || units.alike == 0 ? gain : (gain * units.equal + units.equal) / (units.equal + 1);
}

Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number, const CostTables& costs) {
  Query out{};
  out.melody = melody;
  out.number = number;
  const QueryCosts& own = costs.of[melody.rhythm != 0 ? 1 : 0];
  std::int32_t lowest_total = -own.overhang;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const Note& note = notes[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    out.note[i] = note;
    out.where[note.pitch] |= bit;
    for (std::uint32_t pitch = note.pitch + 1U; pitch < std::size(out.below); ++pitch) ++out.below[pitch];
    const std::int32_t first = std::max(-kMostLengthSteps, note.length - kAlikeSteps);
    const std::int32_t last = std::min(kMostLengthSteps, note.length + kAlikeSteps);
    for (std::int32_t length = first; length <= last; ++length) out.alike[length + kMostLengthSteps] |= bit;
    if (i + 1 < notes.size()) {
      out.next[static_cast<std::uint32_t>(note.next) % kNextClasses] |= bit;
    } else {
      for (std::uint64_t& next : out.next) next |= bit;
    }
    const std::int32_t at = note.length + kMostLengthSteps;
    lowest_total -= std::max(own.gap[at], own.beyond[at]);
  }
  out.narrow = lowest_total >= -32768 && melody.perfect <= 32767 ? 1 : 0;
  return out;
}

}  // namespace rondo::gpu
