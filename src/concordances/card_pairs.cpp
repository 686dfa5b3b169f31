#include "concordances/card_pairs.h"

#include <algorithm>

#include "gpu/gain_bound.h"

namespace rondo::concordances {
namespace {

static_assert(gpu::kMostPitch == kernels::kSharedRange);

/// A unit in the form of the definition.
void features_of(const RondoUnits& units, std::uint32_t unit, explained::Features& out) {
  const std::uint32_t notes = units.notes(unit);
  const auto copy = [notes](const auto* from, std::vector<std::int16_t>& to) { to.assign(from, from + notes); };
  copy(units.pitches(unit), out.pitch);
  copy(units.lengths(unit), out.length);
  copy(units.changes(unit), out.change);
  copy(units.places(unit), out.place);
  out.next.assign(notes, 0);
  for (std::uint32_t i = 0; i + 1 < notes; ++i)
    out.next[i] = static_cast<std::int16_t>(out.pitch[i + 1] - out.pitch[i]);
  out.rhythm = units.rhythm(unit);
}

}  // namespace

CardPairs::CardPairs(const RondoUnits& units, PairRule rule, bool ordered, std::shared_ptr<gpu::Card> card)
    : units_(units),
      rule_(rule),
      ordered_(ordered),
      card_(std::move(card)),
      costs_(gpu::cost_tables(units.costs(false), units.costs(true))) {
  while (end_ < units.size() && units.notes(end_) <= gpu::kMostNotes) ++end_;
}

gpu::MelodyColumns CardPairs::columns(std::uint32_t begin, std::uint32_t end) const {
  gpu::MelodyColumns out;
  out.melodies.reserve(end - begin);
  explained::Features features;
  for (std::uint32_t unit = begin; unit < end; ++unit) {
    if (units_.is_odd(unit)) {
      out.add_none();
      continue;
    }
    features_of(units_, unit, features);
    out.add(features, units_.costs(false), units_.costs(true));
    gpu::Melody& melody = out.melodies.back();
    melody.least_common = static_cast<std::uint8_t>(std::min(255U, units_.least_common(unit)));
    melody.least_total = units_.least_total(unit);
    melody.least_gain = gpu::least_gain(*costs_, features.rhythm, out.notes_of(unit - begin), melody.least_total);
  }
  return out;
}

Result<void> CardPairs::find(std::span<const std::uint32_t> rows, std::vector<gpu::CandidatePair>& out,
                             gpu::StageCounts& counts) {
  if (rows.empty()) return {};
  {
    const std::lock_guard lock(mutex_);
    if (!slice_) {
      auto loaded = card_->load(columns(0, end_).span(), *costs_, gpu::SliceUse::pairs);
      if (!loaded) return fail(loaded.error());
      slice_ = std::move(*loaded);
    }
  }
  std::vector<gpu::Query> queries;
  queries.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const gpu::MelodyColumns own = columns(row, row + 1);
    queries.push_back(gpu::make_query(own.melodies[0], own.notes_of(0), row));
  }
  gpu::PairTask task;
  task.slice = slice_.get();
  task.begin = ordered_ ? std::min(end_, rows.front() + 1) : 0;
  task.end = end_;
  task.queries = queries;
  task.rule = {rule_.both ? 1U : 0U, ordered_ ? 1U : 0U};
  if (task.begin == task.end) return {};
  return card_->find_pairs(task, out, counts);
}

}  // namespace rondo::concordances
