#include <algorithm>
#include <array>
#include <atomic>

#include "gpu/card.h"

namespace rondo::gpu {
namespace {

class EmulatedSlice final : public Slice {
 public:
  EmulatedSlice(const MelodySpan& from, const CostTables& with)
      : melodies(from.melodies.begin(), from.melodies.end()),
        notes(from.notes.begin(), from.notes.end()),
        costs(with) {}
  std::vector<Melody> melodies;
  std::vector<Note> notes;
  CostTables costs;
};

/// What one thread of the card does with one document.
template <class Word, int kSlices>
void compare_document(const EmulatedSlice& slice, const PairTask& task, std::uint32_t query, std::uint32_t document,
                      std::vector<CandidatePair>& out, StageCounts& counts) {
  const Query& own = task.queries[query];
  const Melody& melody = slice.melodies[document];
  if (melody.notes == 0 || (task.rule.ordered != 0 && task.number + document <= own.number)) return;
  const std::uint32_t need = needed(task.rule, own.melody.least_common, melody.least_common);
  if (need > own.melody.notes || need > melody.notes) return;
  const Note* const notes = slice.notes.data() + melody.first_note;
  std::array<std::uint64_t, kLevels> levels{};
  for (std::uint32_t j = 0; j < melody.notes; ++j) add_pitch(levels, notes[j].pitch);
  Transpositions left{};
  if (!shared_transpositions<kSlices>(own, levels, need, left)) return;
  ++counts.shared;
  const auto pitch = [notes](std::uint32_t j) { return notes[j].pitch; };
  const auto length = [notes](std::uint32_t j) { return notes[j].length + kMostLengthSteps; };
  const OrderedQuery<decltype(own.where), decltype(own.alike)> ordered{own.where, own.alike, own.least_alike,
                                                                       own.melody.notes, own.by_length != 0};
  const OrderedDocument<decltype(pitch), decltype(length)> with{pitch, length, melody.notes};
  if (!ordered_transpositions<Word>(own, ordered, with, need, left)) return;
  std::int32_t cells[kMostNotes + 1] = {};
  bool found = false;
  for (std::uint32_t w = 0; w < own.words; ++w) {
    for (std::uint32_t bits = left.word[w]; bits != 0; bits &= bits - 1) {
      ++counts.ordered;
      const std::int32_t transposition = own.lowest + static_cast<std::int32_t>(32 * w + first_one_in(bits));
      found = found || may_hold(slice.costs, task.rule, own, melody, notes, notes, transposition, left, cells);
    }
  }
  if (found) out.push_back({query, task.number + document});
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

class CpuCard final : public Card {
 public:
  explicit CpuCard(const EmulatedCard& like) : like_(like) {}
  [[nodiscard]] std::string name() const override { return "emulated card"; }
  [[nodiscard]] std::uint64_t free_memory() const override { return like_.memory; }
  [[nodiscard]] Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs) override {
    if (melodies.melodies.size_bytes() + melodies.notes.size_bytes() > like_.memory) {
      return fail("device-memory", "the emulated card has too little memory");
    }
    return std::make_unique<EmulatedSlice>(melodies, costs);
  }
  [[nodiscard]] Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                        StageCounts& counts) override {
    if (calls_++ >= like_.calls_before_loss) return fail("device-failed", "the emulated card was lost");
    const auto& slice = static_cast<const EmulatedSlice&>(*task.slice);  // NOLINT(*-static-cast-downcast): load made it
    for (std::uint32_t query = 0; query < task.queries.size(); ++query) {
      const bool is_short = task.queries[query].melody.notes < 32;
      for (std::uint32_t document = task.begin; document < task.end; ++document) {
        if (is_short) {
          compare_document<std::uint32_t, 5>(slice, task, query, document, out, counts);
        } else {
          compare_document<std::uint64_t, 7>(slice, task, query, document, out, counts);
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

  [[nodiscard]] Result<void> best(const BestTask& task, std::vector<ScoredDocument>& out) override {
    std::vector<std::int32_t> totals_of_all;
    if (auto done = totals({task.slice, {task.query, 1}}, totals_of_all); !done) return done;
    std::vector<std::uint32_t> number(kClasses, 0);
    const auto each = [&](const auto& use) {
      for (std::uint32_t d = 0; d < totals_of_all.size(); ++d) {
        const bool allowed = task.allowed.empty() || (task.allowed[d / 64] >> (d % 64) & 1U) != 0;
        if (allowed && totals_of_all[d] != kNoTotal) use(d, class_of(totals_of_all[d], task.perfect));
      }
    };
    each([&](std::uint32_t, std::uint32_t its) { ++number[its]; });
    std::uint32_t last = 0;
    for (std::uint32_t seen = number[0]; seen < task.k && last + 1 < kClasses; seen += number[last]) ++last;
    each([&](std::uint32_t d, std::uint32_t its) {
      if (its <= last) out.push_back({d, totals_of_all[d]});
    });
    return {};
  }

 private:
  EmulatedCard like_;
  std::atomic<std::size_t> calls_{0};
};

}  // namespace

std::shared_ptr<Card> emulated_card(const EmulatedCard& like) { return std::make_shared<CpuCard>(like); }

}  // namespace rondo::gpu
