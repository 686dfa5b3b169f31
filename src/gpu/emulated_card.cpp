#include <algorithm>
#include <array>
#include <atomic>

#include "gpu/card.h"
#include "gpu/gain_bound.h"
#include "gpu/total_table.h"

namespace rondo::gpu {
namespace {

class EmulatedSlice final : public Slice {
 public:
  EmulatedSlice(const MelodySpan& from, const CostTables& with, SliceUse use)
      : melodies(from.melodies.begin(), from.melodies.end()),
        notes(from.notes.begin(), from.notes.end()),
        packed(from.notes.size()),
        costs(with),
        codes(bound_codes(with.of[1])),
        rhythms(from),
        units(gain_units(with.of[1])) {
    for (const Melody& melody : melodies) {
      for (std::uint32_t j = 0; j < melody.notes; ++j) {
        const Note& note = notes[melody.first_note + j];
        packed[melody.first_note + j] = packed_note(note, rhythms.number(note), j + 1U == melody.notes);
        most_gap = std::max<std::int32_t>(most_gap, note.gap);
      }
      if (use != SliceUse::pairs) continue;
      const std::uint32_t over =
          fill_planes(units, true, notes.data() + melody.first_note, melody.notes, planes.emplace_back());
      needs.push_back({static_cast<std::uint16_t>(melody.least_gain), static_cast<std::uint16_t>(over)});
    }
  }
  std::vector<Melody> melodies;
  std::vector<Note> notes;
  std::vector<PackedNote> packed;
  CostTables costs;
  BoundCodes codes;
  RhythmNumbers rhythms;
  std::int32_t most_gap = 0;
  GainUnits units;
  std::vector<GainPlanes> planes;  ///< where pairs are asked for, as the next
  std::vector<GainNeed> needs;
};

/// One query of find_pairs.
struct PairQuery {
  const Query& query;
  std::uint32_t number;
  GainPlanes planes{};
  GainNeed need{};

  PairQuery(const Query& of, std::uint32_t at, const GainUnits& units) : query(of), number(at) {
    need.least = static_cast<std::uint16_t>(of.melody.least_gain);
    need.over = static_cast<std::uint16_t>(fill_planes(units, false, of.note, of.melody.notes, planes));
  }
};

/// All stages for a query and a document.
template <class Word>
void compare_document(const EmulatedSlice& slice, const PairTask& task, const PairQuery& one, std::uint32_t document,
                      std::vector<CandidatePair>& out, StageCounts& counts) {
  const Query& query = one.query;
  const Melody& melody = slice.melodies[document];
  if (melody.notes == 0 || (task.rule.ordered != 0 && document <= query.number)) return;
  const std::uint32_t rows = rows_with(one.planes, slice.planes[document],
                                       needed_bits(slice.units, task.rule.both != 0, one.need, slice.needs[document]));
  if (rows == 0) return;
  ++counts.shared;
  const Note* const notes = slice.notes.data() + melody.first_note;
  const auto pitch = [notes](std::uint32_t j) { return notes[j].pitch; };
  const auto load = [](const Note* from, std::uint32_t /*count*/) { return from; };
  const OrderNeed need = order_need(task.rule, query.melody, melody);
  const bool either = task.rule.both == 0;
  const bool document_asks = asks_document(task.rule, query.melody, melody);
  BestOrders best{};
  RingWalk walk(rows, query.melody.range, melody.range);
  for (std::int32_t transposition = 0; walk.next(query.below, need.common, transposition);) {
    const std::uint32_t common =
        common_notes<Word>(query.where, query.melody.notes, pitch, melody.notes, transposition);
    if (common < need.common) continue;
    order_lists(either, document_asks, common, transposition, [&](std::uint32_t list, std::uint32_t order) {
      std::uint32_t(&two)[2] = best.order[list];
      two[1] = std::max(two[1], std::min(two[0], order));
      two[0] = std::max(two[0], order);
    });
  }
  std::int32_t cells[kMostNotes + 1] = {};
  bool found = false;
  for (std::uint32_t list = 0; list < 2; ++list) {
    for (std::uint32_t place = 0; place < 2; ++place) {
      if (!best.has(list, place)) continue;
      const std::uint32_t order = best.order[list][place];
      const std::int32_t transposition = listed_transposition(list, order);
      if (gain_in_order<Word>(slice.units, query, query.melody.notes, notes, melody.notes, transposition, order / 256) <
          need.gain) {
        continue;
      }
      ++counts.ordered;
      found = found || may_hold(slice.costs, task.rule, query, melody, notes, transposition, load, cells);
    }
  }
  if (found) out.push_back({one.number, document});
}

std::int32_t total_of(const EmulatedSlice& slice, const Query& query, std::uint32_t document) {
  const Melody& melody = slice.melodies[document];
  if (melody.notes == 0) return kNoTotal;
  const Note* const notes = slice.notes.data() + melody.first_note;
  const auto pitch = [notes](std::uint32_t j) { return notes[j].pitch; };
  std::int32_t cells[kMostNotes + 1] = {};
  if (query.melody.notes < 32) {
    return exact_total<std::uint32_t>(slice.costs, query.melody, query.note, query.where, melody, pitch, notes, cells);
  }
  return exact_total<std::uint64_t>(slice.costs, query.melody, query.note, query.where, melody, pitch, notes, cells);
}

/// What the threads of the card do with two queries and one document before it is aligned: which of the queries are
/// left.
class PairBound {
 public:
  PairBound(const EmulatedSlice& slice, const TotalTable& first, const TotalTable& second)
      : slice_(slice),
        query_{&first, &second},
        together_(first, second, slice.rhythms),
        alone_{PairTable(first, first, slice.rhythms), PairTable(second, second, slice.rhythms)} {}

  [[nodiscard]] std::uint32_t reaches(const Melody& document) const {
    const std::span<const Note> notes(slice_.notes.data() + document.first_note, document.notes);
    const PackedNote* const packed = slice_.packed.data() + document.first_note;
    TwoTranspositions in[2];
    for (int k = 0; k < 2; ++k) in[k] = two_best_by_rows(*query_[k], notes, document.range);
    std::uint32_t left = together_.reaches(packed, document.notes, true, in);
    for (int k = 0; k < 2; ++k) {
      if ((left & (1U << k)) != 0 && alone_[k].reaches(packed, document.notes, false, &in[k]) == 0) left ^= 1U << k;
    }
    return left;
  }

 private:
  const EmulatedSlice& slice_;
  const TotalTable* query_[2];
  PairTable together_;
  PairTable alone_[2];
};

class CpuCard final : public Card {
 public:
  explicit CpuCard(const EmulatedCard& like) : like_(like) {}
  [[nodiscard]] std::string name() const override { return "emulated card"; }
  [[nodiscard]] Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs,
                                                    SliceUse use) override {
    if (melodies.melodies.size_bytes() + melodies.notes.size_bytes() > like_.memory) {
      return fail("device-memory", "the emulated card has too little memory");
    }
    return std::make_unique<EmulatedSlice>(melodies, costs, use);
  }
  [[nodiscard]] Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                        StageCounts& counts) override {
    if (calls_++ >= like_.calls_before_loss) return fail("device-failed", "the emulated card was lost");
    const auto& slice = static_cast<const EmulatedSlice&>(*task.slice);  // NOLINT(*-static-cast-downcast): load made it
    for (std::uint32_t q = 0; q < task.queries.size(); ++q) {
      const PairQuery query(task.queries[q], q, slice.units);
      const bool is_short = query.query.melody.notes < 32;
      for (std::uint32_t document = task.begin; document < task.end; ++document) {
        if (is_short) {
          compare_document<std::uint32_t>(slice, task, query, document, out, counts);
        } else {
          compare_document<std::uint64_t>(slice, task, query, document, out, counts);
        }
      }
    }
    return {};
  }

  [[nodiscard]] Result<void> totals(const TotalsTask& task, std::vector<std::int32_t>& out) override {
    if (calls_++ >= like_.calls_before_loss) return fail("device-failed", "the emulated card was lost");
    const auto& slice = static_cast<const EmulatedSlice&>(*task.slice);  // NOLINT(*-static-cast-downcast): load made it
    out.clear();
    for (const Query& query : task.queries) {
      for (std::uint32_t d = 0; d < slice.melodies.size(); ++d) out.push_back(total_of(slice, query, d));
    }
    return {};
  }

  [[nodiscard]] Result<void> totals_above(const TotalsTask& task, std::vector<CandidatePair>& out) override {
    if (calls_++ >= like_.calls_before_loss) return fail("device-failed", "the emulated card was lost");
    const auto& slice = static_cast<const EmulatedSlice&>(*task.slice);  // NOLINT(*-static-cast-downcast): load made it
    const TotalTables tables(task.queries, slice.costs, slice.codes, slice.most_gap);
    const auto take = [&](std::uint32_t q, std::uint32_t d) {
      const std::int32_t least = task.queries[q].melody.least_total;
      const std::int32_t total = total_of(slice, task.queries[q], d);
      if (total >= least) out.push_back({q, d, total});
    };
    for (const TotalTables::Group& group : tables.groups()) {
      for (std::uint32_t i = group.begin; i < group.end; i += 2) {
        const std::uint32_t other = std::min(i + 1, group.end - 1);
        const PairBound bound(slice, tables.tables()[i], tables.tables()[other]);
        for (std::uint32_t d = 0; d < slice.melodies.size(); ++d) {
          if (slice.melodies[d].notes == 0) continue;
          const std::uint32_t left = bound.reaches(slice.melodies[d]);
          if ((left & 1U) != 0) take(tables.numbers()[i], d);
          if ((left & 2U) != 0 && other != i) take(tables.numbers()[other], d);
        }
      }
    }
    for (const std::uint32_t q : tables.others()) {
      for (std::uint32_t d = 0; d < slice.melodies.size(); ++d) {
        if (slice.melodies[d].notes != 0) take(q, d);
      }
    }
    return {};
  }

 private:
  EmulatedCard like_;
  std::atomic<std::size_t> calls_{0};
};

}  // namespace

std::shared_ptr<Card> emulated_card(const EmulatedCard& like) { return std::make_shared<CpuCard>(like); }

}  // namespace rondo::gpu
