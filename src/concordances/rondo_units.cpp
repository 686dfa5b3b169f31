#include "concordances/rondo_units.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/in_parallel.h"
#include "concordances/length_bound.h"

namespace rondo::concordances {
namespace {

static_assert(explained::kLongest <= kernels::OrderedDocuments::kLongest);

using explained::Costs;
using explained::Features;

/// The least total whose score is at least `score`: the division of the definition decides.
std::int32_t total_for(double score, std::int32_t perfect) {
  const auto reaches = [&](std::int32_t total) {
    return static_cast<double>(total) / static_cast<double>(perfect) >= score;
  };
  // No total is greater than the perfect one. A melody of which no probability is known has an infinite threshold.
  if (!(score <= 1)) return perfect + 1;
  auto total = static_cast<std::int32_t>(std::clamp(std::floor(score * perfect), -1e9, 1e9));
  while (reaches(total - 1)) --total;
  while (!reaches(total)) ++total;
  return total;
}

/// How many notes of the query must have a partner of equal pitch for a total to be reached: all others at best have
/// one of another pitch. More than there are: it cannot be reached.
std::uint32_t common_for(const Costs& costs, const Features& query, std::int32_t total) {
  const std::int32_t fine = std::max({0, costs.settings().near, costs.settings().far});
  std::vector<std::int32_t> gain;
  std::int32_t sum = 0;
  for (const std::int16_t length : query.length) {
    const std::int32_t weight = costs.weight(length);
    const std::int32_t other = Costs::weighted(fine, weight);
    sum += other;
    gain.push_back(Costs::weighted(explained::kFine, weight) - other);
  }
  std::sort(gain.begin(), gain.end(), std::greater<>());
  std::uint32_t notes = 0;
  while (sum < total && notes < gain.size()) sum += gain[notes++];
  return sum < total ? notes + 1 : notes;
}

}  // namespace

RondoUnits::RondoUnits(const EngineTask& task, const RondoPlan& plan)
    : rhythmic_(explained::settings_of(plan), true), even_(explained::settings_of(plan), false) {
  const std::size_t units = task.set.units();
  const std::size_t blocks = (units + kBlock - 1) / kBlock;
  std::uint64_t notes = 0;
  for (std::size_t u = 0; u < units; ++u) {
    notes_.push_back(std::min<std::uint32_t>(task.set.notes(u), explained::kLongest));
    first_note_.push_back(notes);
    notes += notes_.back();
  }
  first_note_.push_back(notes);
  pitch_.resize(notes);
  length_.resize(notes);
  change_.resize(notes);
  place_.resize(notes);
  least_alike_.resize(notes + units);
  range_.resize(units);
  rhythm_.resize(units);
  least_common_.resize(units);
  least_total_.resize(units);
  odd_unit_.resize(units);
  groups_.resize((units + kernels::kSharedGroup - 1) / kernels::kSharedGroup);
  documents_.resize(blocks);
  block_least_.assign(blocks, ~0U);
  // Threads share no element of any column, and no group.
  in_parallel(units, kBlock, task.threads, [&](std::size_t begin, std::size_t end) {
    Line line;
    Features features;
    std::uint32_t& least = block_least_[begin / kBlock];
    for (std::size_t u = begin; u < end; ++u) {
      task.set.line(u, line);
      explained::make_features(line.pitch, line.onset, line.duration, features);
      set(u, features, task.least(u));
      if (!is_odd(u)) least = std::min(least, least_common_[u]);
    }
  });
  for (std::size_t u = 0; u < units; ++u) {
    if (is_odd(u)) odd_.push_back(static_cast<std::uint32_t>(u));
  }
}

void RondoUnits::set(std::size_t unit, const Features& features, double least_score) {
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  const bool odd = *high - *low > kernels::kSharedRange;
  const Costs& own = costs(features.rhythm);
  odd_unit_[unit] = odd ? 1 : 0;
  range_[unit] = odd ? std::uint8_t{0} : static_cast<std::uint8_t>(*high - *low);
  rhythm_[unit] = features.rhythm ? 1 : 0;
  least_total_[unit] = total_for(least_score, own.perfect(features));
  least_common_[unit] = common_for(own, features, least_total_[unit]);
  const std::uint64_t first = first_note_[unit];
  for (std::size_t i = 0; i < features.size(); ++i) {
    pitch_[first + i] = static_cast<std::uint8_t>(std::min(features.pitch[i] - *low, 255));
    length_[first + i] = static_cast<std::int8_t>(features.length[i]);
    change_[first + i] = static_cast<std::int8_t>(features.change[i]);
    place_[first + i] = features.place[i];
  }
  if (features.rhythm) {
    thread_local std::vector<std::uint8_t> needs;
    needs.clear();
    append_alike_needs(own, {lengths(unit), features.size()}, least_total_[unit], needs);
    std::copy(needs.begin(), needs.end(), least_alike_.begin() + static_cast<std::ptrdiff_t>(first + unit));
  }
  const std::span<const std::uint8_t> own_pitches(pitches(unit), odd ? 0 : notes_[unit]);
  documents_[unit / kBlock].add(own_pitches, least_common_[unit]);
  // An odd one is in no group: nothing finds it there.
  if (odd) return;
  groups_[unit / kernels::kSharedGroup].set(unit % kernels::kSharedGroup, own_pitches, shared_least(unit));
}

void RondoUnits::fill_rows(std::size_t unit, bool rhythm, kernels::BoundRows& out) const {
  const explained::Settings& settings = costs(rhythm).settings();
  const std::size_t notes = notes_[unit];
  const std::uint64_t first = first_note_[unit];
  for (auto* part : {&out.pitch, &out.next, &out.length, &out.change, &out.place, &out.weight, &out.gap}) {
    part->assign(notes, 0);
  }
  for (std::size_t i = 0; i < notes; ++i) {
    const std::uint64_t at = first + i;
    out.pitch[i] = pitch_[at];
    if (i + 1 < notes) out.next[i] = static_cast<std::int16_t>(pitch_[at + 1] - pitch_[at]);
    out.length[i] = static_cast<std::int16_t>(length_[at] * settings.length);
    out.change[i] = static_cast<std::int16_t>(change_[at] * settings.change);
    out.place[i] = place_[at];
    out.weight[i] = static_cast<std::int16_t>(costs(rhythm).weight(length_[at]));
    out.gap[i] = static_cast<std::int16_t>(costs(rhythm).gap(length_[at]));
  }
  out.near = static_cast<std::int16_t>(settings.near);
  out.far = static_cast<std::int16_t>(settings.far);
  out.interval = static_cast<std::int16_t>(settings.interval);
}

void RondoUnits::fill_lane(std::size_t unit, bool rhythm, int transposition, std::size_t lane,
                           kernels::BoundColumns& out) const {
  const Costs& of = costs(rhythm);
  const explained::Settings& settings = of.settings();
  const std::size_t notes = notes_[unit];
  std::uint64_t at = first_note_[unit];
  std::size_t to = lane;
  for (std::size_t i = 0; i < notes; ++i, ++at, to += kernels::kBatch) {
    const bool last = i + 1 == notes;
    out.pitch[to] = static_cast<std::int16_t>(pitch_[at] - transposition);
    out.next[to] = static_cast<std::int16_t>(last ? 0 : pitch_[at + 1] - pitch_[at]);
    out.length[to] = static_cast<std::int16_t>(length_[at] * settings.length);
    out.change[to] = static_cast<std::int16_t>(change_[at] * settings.change);
    out.place[to] = place_[at];
    out.weight[to] = static_cast<std::int16_t>(of.weight(length_[at]));
    out.gap[to] = static_cast<std::int16_t>(of.gap(length_[at]));
    out.interval[to] = static_cast<std::int16_t>(last ? 0 : settings.interval);
  }
  for (std::size_t i = notes; i < out.columns; ++i, to += kernels::kBatch) out.fill_up(to);
}

}  // namespace rondo::concordances
