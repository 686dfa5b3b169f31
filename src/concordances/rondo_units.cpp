#include "concordances/rondo_units.h"

#include <algorithm>
#include <cmath>
#include <functional>

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
  std::uint64_t notes = 0;
  for (std::size_t u = 0; u < units; ++u) notes += std::min<std::size_t>(task.set.notes(u), explained::kLongest);
  for (auto* column : {&notes_, &least_common_}) column->reserve(units);
  first_note_.reserve(units + 1);
  pitch_.reserve(notes);
  length_.reserve(notes);
  change_.reserve(notes);
  place_.reserve(notes);
  least_alike_.reserve(notes + units);
  groups_.resize((units + kernels::kSharedGroup - 1) / kernels::kSharedGroup);
  documents_.resize((units + kBlock - 1) / kBlock);
  Line line;
  Features features;
  for (std::size_t u = 0; u < units; ++u) {
    task.set.line(u, line);
    explained::make_features(line.pitch, line.onset, line.duration, features);
    add(features, task.least(u));
  }
  first_note_.push_back(pitch_.size());
  for (std::size_t begin = 0; begin < units; begin += kBlock) {
    const std::size_t end = std::min(units, begin + kBlock);
    std::uint32_t least = ~0U;
    for (std::size_t u = begin; u < end; ++u) {
      if (!is_odd(u)) least = std::min(least, least_common_[u]);
    }
    block_least_.push_back(least);
  }
}

void RondoUnits::add(const Features& features, double least_score) {
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  const bool odd = *high - *low > kernels::kSharedRange;
  const Costs& own = costs(features.rhythm);
  if (odd) odd_.push_back(static_cast<std::uint32_t>(notes_.size()));
  odd_unit_.push_back(odd ? 1 : 0);
  notes_.push_back(static_cast<std::uint32_t>(features.size()));
  first_note_.push_back(pitch_.size());
  range_.push_back(odd ? std::uint8_t{0} : static_cast<std::uint8_t>(*high - *low));
  rhythm_.push_back(features.rhythm ? 1 : 0);
  least_total_.push_back(total_for(least_score, own.perfect(features)));
  least_common_.push_back(common_for(own, features, least_total_.back()));
  for (std::size_t i = 0; i < features.size(); ++i) {
    pitch_.push_back(static_cast<std::uint8_t>(std::min(features.pitch[i] - *low, 255)));
    length_.push_back(static_cast<std::int8_t>(features.length[i]));
    change_.push_back(static_cast<std::int8_t>(features.change[i]));
    place_.push_back(features.place[i]);
  }
  const std::size_t unit = notes_.size() - 1;
  if (features.rhythm) {
    append_alike_needs(own, {lengths(unit), features.size()}, least_total_.back(), least_alike_);
  } else {
    least_alike_.resize(least_alike_.size() + features.size() + 1, 0);
  }
  const std::span<const std::uint8_t> own_pitches(pitches(unit), odd ? 0 : notes_[unit]);
  documents_[unit / kBlock].add(own_pitches, least_common_.back());
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
