#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>

#include "concordances/card_pairs.h"
#include "concordances/length_bound.h"
#include "concordances/rondo_units.h"
#include "concordances/score_pair.h"
#include "search/kernels/ordered_pitches.h"

namespace rondo::concordances {
namespace {

/// A unit in one transposition, still to be bounded by explained_bound.
struct Pending {
  std::uint32_t unit = 0;
  int transposition = 0;
};

/// One row as the query of all stages.
struct Row {
  std::uint32_t unit = 0;
  kernels::SharedQuery shared;
  std::optional<kernels::OrderedQuery> ordered;  ///< where it has few enough notes, else:
  std::optional<explained::CommonNotes> common;
  std::optional<AlikeNotes> alike;              ///< where lengths bound every pair
  std::array<kernels::BoundRows, 2> bound;      ///< without rhythm, with
  std::array<std::vector<Pending>, 2> pending;  ///< to be bounded without rhythm, with
  std::vector<std::uint32_t> left;              ///< units to be scored
  std::size_t begin = 0;                        ///< units before it are decided by the card

  Row(const RondoUnits& units, std::uint32_t of, bool both)
      : unit(of), shared({units.pitches(of), units.notes(of)}, units.shared_least(of), both) {
    const std::span pitches(units.pitches(of), units.notes(of));
    if (pitches.size() > kernels::OrderedQuery::kMostNotes) {
      common.emplace(std::vector<std::int16_t>(pitches.begin(), pitches.end()));
      return;
    }
    ordered.emplace(pitches, units.least_common(of), both);
    // Its direction alone decides where both are asked for.
    if (both && units.rhythm(of)) alike.emplace(pitches, std::span(units.lengths(of), units.notes(of)));
  }
};

/// What one thread needs for one row and one block, kept from one to the next.
struct Scratch {
  kernels::SharedHits shared;
  std::vector<kernels::OrderedHit> ordered;
  std::vector<std::int16_t> pitches;
};

class RondoEngine final : public PairEngine {
 public:
  RondoEngine(const EngineTask& task, const RondoPlan& plan) : task_(task), units_(task, plan), rows_(task) {
    if (task.card) {
      card_ = std::make_unique<CardPairs>(units_, task.rule, task.scope == Scope::all, task.card);
    }
  }

  [[nodiscard]] std::optional<Error> card_failure() const override {
    const std::lock_guard lock(mutex_);
    return card_failure_;
  }

  [[nodiscard]] bool find(std::span<const std::uint32_t> rows, const std::stop_token& stop, std::vector<UnitPair>& out,
                          Counts& counts) const override {
    std::vector<Row> queries;
    queries.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      if (!units_.is_odd(row)) queries.emplace_back(units_, row, task_.rule.both);
    }
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    if (card_ && !ask_card(queries, counts)) return false;
    std::size_t first = units_.size();
    for (const Row& query : queries) {
      first = std::min(first, std::max<std::size_t>(query.begin, task_.scope == Scope::all ? query.unit + 1 : 0));
    }
    for (std::size_t block = first / RondoUnits::kBlock; block * RondoUnits::kBlock < units_.size(); ++block) {
      if (stop.stop_requested()) return false;
      for (Row& query : queries) pass_over(query, block, counts);
    }
    for (Row& query : queries) {
      if (stop.stop_requested()) return false;
      for (const bool rhythm : {false, true}) bound_pending(query, rhythm);
      for (const std::uint32_t unit : units_.odd()) query.left.push_back(unit);
      score(query.unit, query.left, out, counts);
    }
    for (const std::uint32_t row : rows) {
      count_pairs(row, counts);
      if (!units_.is_odd(row)) continue;
      if (stop.stop_requested()) return false;
      std::vector<std::uint32_t> all(units_.size());
      for (std::uint32_t u = 0; u < all.size(); ++u) all[u] = u;
      score(row, all, out, counts);
    }
    std::sort(out.begin() + begin, out.end(), UnitPair::before);
    return true;
  }

 private:
  /// What the card leaves of the pairs that are its own. False: it failed and the CPU must not go on.
  [[nodiscard]] bool ask_card(std::vector<Row>& queries, Counts& counts) const {
    if (card_lost_) return task_.cpu_goes_on;
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> number;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (queries[q].unit >= card_->end()) continue;
      rows.push_back(queries[q].unit);
      number.push_back(q);
    }
    std::vector<gpu::CandidatePair> candidates;
    gpu::StageCounts stages;
    if (auto done = card_->find(rows, candidates, stages); !done) {
      const std::lock_guard lock(mutex_);
      if (!card_failure_) card_failure_ = done.error();
      card_lost_ = true;
      return task_.cpu_goes_on;
    }
    counts.shared += stages.shared;
    counts.common += stages.ordered;
    for (const gpu::CandidatePair& pair : candidates) queries[number[pair.query]].left.push_back(pair.document);
    for (const std::size_t q : number) queries[q].begin = card_->end();
    return true;
  }

  void count_pairs(std::uint32_t row, Counts& counts) const {
    if (task_.scope == Scope::all) {
      counts.pairs += units_.size() - 1 - row;
      return;
    }
    for (std::uint32_t unit = 0; unit < units_.size(); ++unit) counts.pairs += rows_.decides(row, unit) ? 1U : 0U;
  }

  [[nodiscard]] std::uint32_t least_common(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t one = units_.least_common(a);
    const std::uint32_t other = units_.least_common(b);
    return task_.rule.both ? std::max(one, other) : std::min(one, other);
  }

  /// The first two stages for one query and one block.
  void pass_over(Row& query, std::size_t block, Counts& counts) const {
    std::size_t begin = block * RondoUnits::kBlock;
    const std::size_t end = std::min(units_.size(), begin + RondoUnits::kBlock);
    begin = std::max(begin, query.begin);
    if (task_.scope == Scope::all) begin = std::max<std::size_t>(begin, query.unit + 1);
    if (begin >= end) return;
    // With both directions asked for, a document that needs more notes than the query has is none.
    if (task_.rule.both && units_.block_least(block) > query.shared.sorted.size()) return;
    thread_local Scratch scratch;
    scratch.shared.reserve(RondoUnits::kBlock / kernels::kSharedGroup);
    kernels::shared_pitches(query.shared, {units_.groups(), begin, end}, scratch.shared);
    counts.shared += scratch.shared.distinct;
    // What is not for this query to decide is sorted out in the end; where it may be half of all, here.
    if (task_.scope != Scope::all) leave_out(query.unit, scratch.shared);
    if (query.ordered) {
      kernels::ordered_pitches(*query.ordered, units_.documents(block),
                               static_cast<std::uint32_t>(block * RondoUnits::kBlock), scratch.shared, scratch.ordered);
    } else {
      order_one_by_one(query, scratch);
    }
    bound_by_lengths(query, block, scratch, counts);
  }

  void leave_out(std::uint32_t row, kernels::SharedHits& hits) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < hits.size; ++i) {
      if (!rows_.decides(row, hits.document[i])) continue;
      hits.document[kept] = hits.document[i];
      hits.shift[kept++] = hits.shift[i];
    }
    hits.size = kept;
  }

  /// The same as kernels::ordered_pitches for a query of many notes.
  void order_one_by_one(const Row& query, Scratch& scratch) const {
    const kernels::SharedHits& hits = scratch.shared;
    scratch.ordered.clear();
    for (std::uint32_t i = 0; i < hits.size; ++i) {
      const std::uint32_t unit = hits.document[i];
      scratch.pitches.assign(units_.pitches(unit), units_.pitches(unit) + units_.notes(unit));
      const std::uint32_t common = query.common->in(scratch.pitches, hits.transposition(i));
      if (common >= least_common(query.unit, unit)) scratch.ordered.push_back({i, common});
    }
  }

  void bound_by_lengths(Row& query, std::size_t block, const Scratch& scratch, Counts& counts) const {
    std::array<std::uint64_t, RondoUnits::kBlock / 64> met{};
    for (const kernels::OrderedHit& hit : scratch.ordered) {
      const std::uint32_t unit = scratch.shared.document[hit.hit];
      const int transposition = scratch.shared.transposition(hit.hit);
      if (query.alike) {
        const std::uint32_t least =
            std::max(units_.least_alike(query.unit, hit.common), units_.least_alike(unit, hit.common));
        const std::span pitches(units_.pitches(unit), units_.notes(unit));
        if (query.alike->common(pitches, units_.lengths(unit), transposition) < least) continue;
      }
      const std::size_t place = unit - block * RondoUnits::kBlock;
      met[place / 64] |= std::uint64_t{1} << place % 64;
      add_pending(query, {unit, transposition});
    }
    for (const std::uint64_t bits : met) counts.common += static_cast<std::uint64_t>(std::popcount(bits));
  }

  /// Under which costs a pair must be bounded: each of the two directions has those of its query.
  void add_pending(Row& query, const Pending& item) const {
    const bool own = units_.rhythm(query.unit);
    const bool other = units_.rhythm(item.unit);
    push(query, own, item);
    if (own != other && !task_.rule.both) push(query, other, item);
  }

  void push(Row& query, bool rhythm, const Pending& item) const {
    auto& pending = query.pending[rhythm ? 1 : 0];
    pending.push_back(item);
    if (pending.size() == kernels::kBatch) bound_pending(query, rhythm);
  }

  /// The total that a local alignment must reach under these costs.
  [[nodiscard]] std::int32_t least_total(std::uint32_t row, std::uint32_t unit, bool rhythm) const {
    const bool own = units_.rhythm(row) == rhythm;
    const bool other = units_.rhythm(unit) == rhythm;
    const std::int32_t a = units_.least_total(row);
    const std::int32_t b = units_.least_total(unit);
    if (own && other) return task_.rule.both ? std::max(a, b) : std::min(a, b);
    return own ? a : b;
  }

  void bound_pending(Row& query, bool rhythm) const {
    auto& pending = query.pending[rhythm ? 1 : 0];
    if (pending.empty()) return;
    thread_local kernels::BoundColumns columns;
    kernels::BoundRows& rows = query.bound[rhythm ? 1 : 0];
    if (rows.pitch.empty()) units_.fill_rows(query.unit, rhythm, rows);
    std::size_t longest = 0;
    for (const Pending& item : pending) longest = std::max<std::size_t>(longest, units_.notes(item.unit));
    columns.resize(longest);
    for (std::size_t lane = 0; lane < kernels::kBatch; ++lane) {
      const Pending& item = pending[std::min(lane, pending.size() - 1)];
      units_.fill_lane(item.unit, rhythm, item.transposition, lane, columns);
      columns.place_factor[lane] = units_.place_factor(rhythm, query.unit, item.unit);
    }
    std::int16_t bound[kernels::kBatch];
    kernels::explained_bound(rows, columns, bound);
    for (std::size_t lane = 0; lane < pending.size(); ++lane) {
      const std::int32_t least = least_total(query.unit, pending[lane].unit, rhythm);
      if (bound[lane] >= least || bound[lane] >= kernels::kMostBounded) query.left.push_back(pending[lane].unit);
    }
    pending.clear();
  }

  /// The exact scores of what is left.
  void score(std::uint32_t row, std::vector<std::uint32_t>& left, std::vector<UnitPair>& out, Counts& counts) const {
    std::sort(left.begin(), left.end());
    left.erase(std::unique(left.begin(), left.end()), left.end());
    PairScorer scorer(task_, row);
    for (const std::uint32_t unit : left) {
      if (rows_.decides(row, unit)) scorer.add(unit, out, counts);
    }
  }

  EngineTask task_;
  RondoUnits units_;
  RowSet rows_;
  std::unique_ptr<CardPairs> card_;
  mutable std::mutex mutex_;  ///< of the failure
  mutable std::optional<Error> card_failure_;
  mutable std::atomic<bool> card_lost_{false};
};

}  // namespace

std::unique_ptr<PairEngine> make_rondo_engine(const EngineTask& task) {
  const SearchPlan plan = task.system.plan();
  const auto* rondo = std::get_if<RondoPlan>(&plan);
  if (rondo == nullptr || !explained::in_supported_range(*rondo)) return nullptr;
  return std::make_unique<RondoEngine>(task, *rondo);
}

}  // namespace rondo::concordances
