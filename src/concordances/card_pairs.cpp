#include "concordances/card_pairs.h"

#include <algorithm>

#include "gpu/cost_tables.h"
#include "gpu/gain_bound.h"

namespace rondo::concordances {
namespace {

static_assert(gpu::kMostPitch == kernels::kSharedRange);

/// Each melody begins at a multiple of four, so that four pitches are read at once.
constexpr std::size_t kNotesTogether = 4;

}  // namespace

CardPairs::CardPairs(const RondoUnits& units, PairRule rule, bool ordered, std::shared_ptr<gpu::Card> card)
    : units_(units),
      rule_(rule),
      ordered_(ordered),
      card_(std::move(card)),
      costs_(gpu::cost_tables(units.costs(false), units.costs(true))) {
  while (end_ < units.size() && units.notes(end_) <= gpu::kMostNotes) ++end_;
}

void CardPairs::append(std::uint32_t unit, Columns& to) const {
  gpu::Melody melody{};
  melody.first_note = static_cast<std::uint32_t>(to.notes.size());
  if (!units_.is_odd(unit)) {
    const std::uint32_t notes = units_.notes(unit);
    melody.notes = static_cast<std::uint8_t>(notes);
    melody.rhythm = units_.rhythm(unit) ? 1 : 0;
    melody.least_common = static_cast<std::uint8_t>(std::min(255U, units_.least_common(unit)));
    melody.least_total = units_.least_total(unit);
    melody.range = units_.range(unit);
    const std::uint8_t* const pitch = units_.pitches(unit);
    const explained::Costs& own = units_.costs(units_.rhythm(unit));
    for (std::uint32_t i = 0; i < notes; ++i) {
      gpu::Note note{};
      note.pitch = pitch[i];
      note.next = static_cast<std::int8_t>(i + 1 < notes ? pitch[i + 1] - pitch[i] : 0);
      note.length = units_.lengths(unit)[i];
      note.change = units_.changes(unit)[i];
      note.place = static_cast<std::uint16_t>(units_.places(unit)[i]);
      note.gap = static_cast<std::int16_t>(units_.costs(true).gap(note.length));
      melody.perfect += explained::Costs::weighted(explained::kFine, own.weight(note.length));
      to.notes.push_back(note);
    }
    const std::span<const gpu::Note> own_notes(to.notes.data() + melody.first_note, notes);
    melody.least_gain = gpu::least_gain(*costs_, units_.rhythm(unit), own_notes, melody.least_total);
    to.notes.resize((to.notes.size() + kNotesTogether - 1) / kNotesTogether * kNotesTogether);
  }
  to.melodies.push_back(melody);
}

CardPairs::Columns CardPairs::columns(std::uint32_t begin, std::uint32_t end) const {
  Columns out;
  out.melodies.reserve(end - begin);
  for (std::uint32_t unit = begin; unit < end; ++unit) append(unit, out);
  return out;
}

Result<void> CardPairs::begin_slices() {
  const auto bytes_of = [&](std::uint32_t unit) {
    return sizeof(gpu::Melody) + sizeof(gpu::GainPlanes) + sizeof(gpu::GainNeed) +
           std::uint64_t{units_.notes(unit) + kNotesTogether} * (sizeof(gpu::Note) + 1);
  };
  std::uint64_t all = 0;
  for (std::uint32_t unit = 0; unit < end_; ++unit) all += bytes_of(unit);
  const std::uint64_t available = card_->free_memory();
  // The rest is for the buffers of calls. Where not all fits, half of it is for the slice that is there.
  const bool fits = all <= available / 4 * 3;
  // Notes are numbered by 32 bits.
  const std::uint64_t most = std::min<std::uint64_t>(fits ? available : available / 2, std::uint64_t{1} << 34U);
  slice_begin_.assign(1, 0);
  std::uint64_t used = 0;
  for (std::uint32_t unit = 0; unit < end_; ++unit) {
    const std::uint64_t more = bytes_of(unit);
    if (used + more > most && used > 0) {
      slice_begin_.push_back(unit);
      used = 0;
    }
    used += more;
  }
  slice_begin_.push_back(end_);
  resident_.clear();
  if (!fits) return {};
  for (std::size_t s = 0; s + 1 < slice_begin_.size(); ++s) {
    const Columns own = columns(slice_begin_[s], slice_begin_[s + 1]);
    auto slice = card_->load({own.melodies, own.notes}, *costs_, gpu::SliceUse::pairs);
    if (!slice) return fail(slice.error());
    resident_.push_back(std::move(*slice));
  }
  return {};
}

Result<void> CardPairs::find_in(const gpu::Slice& slice, std::uint32_t begin, std::uint32_t end,
                                std::span<const gpu::Query> queries, std::vector<gpu::CandidatePair>& out,
                                gpu::StageCounts& counts) {
  gpu::PairTask task;
  task.slice = &slice;
  task.number = begin;
  task.end = end - begin;
  if (ordered_) task.begin = std::min(task.end, std::max(begin, queries.front().number + 1) - begin);
  task.queries = queries;
  task.rule = {rule_.both ? 1U : 0U, ordered_ ? 1U : 0U};
  if (task.begin == task.end) return {};
  return card_->find_pairs(task, out, counts);
}

Result<void> CardPairs::find(std::span<const std::uint32_t> rows, std::vector<gpu::CandidatePair>& out,
                             gpu::StageCounts& counts) {
  if (rows.empty()) return {};
  std::vector<gpu::Query> queries;
  queries.reserve(rows.size());
  Columns own;
  for (const std::uint32_t row : rows) {
    own.melodies.clear();
    own.notes.clear();
    append(row, own);
    queries.push_back(gpu::make_query(own.melodies[0], {own.notes.data(), units_.notes(row)}, row, *costs_));
  }
  {
    const std::lock_guard lock(mutex_);
    if (!begun_) {
      if (auto begun = begin_slices(); !begun) return begun;
      begun_ = true;
    }
    if (resident_.empty()) {
      // One slice after the other, by one thread at a time.
      for (std::size_t s = 0; s + 1 < slice_begin_.size(); ++s) {
        if (ordered_ && slice_begin_[s + 1] <= rows.front() + 1) continue;
        const Columns documents = columns(slice_begin_[s], slice_begin_[s + 1]);
        auto slice = card_->load({documents.melodies, documents.notes}, *costs_, gpu::SliceUse::pairs);
        if (!slice) return fail(slice.error());
        auto done = find_in(**slice, slice_begin_[s], slice_begin_[s + 1], queries, out, counts);
        if (!done) return done;
      }
      return {};
    }
  }
  for (std::size_t s = 0; s < resident_.size(); ++s) {
    auto done = find_in(*resident_[s], slice_begin_[s], slice_begin_[s + 1], queries, out, counts);
    if (!done) return done;
  }
  return {};
}

}  // namespace rondo::concordances
