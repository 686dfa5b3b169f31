// Compiled once for every instruction set; keyed_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/keyed_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <algorithm>

#include "search/kernels/aligned.h"
#include "search/kernels/keyed_align.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(keyed_align);
RONDO_SCALAR(keyed_roughly);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

template <class V>
HWY_INLINE V apart(V a, V b) {
  return hn::Sub(hn::Max(a, b), hn::Min(a, b));
}

/// What is worked out before a table is filled; memory that is reused.
template <typename Unit>
struct Prepared {
  AlignedVector<Unit> cells;
  AlignedVector<Unit> weights;  ///< of every kind of row against every column
  std::vector<Unit> longest;    ///< element of each column
  /// What the runs that end at each column last at least: of one element, of two, and so on until no row lasts longer;
  /// at the beginning endless.
  std::vector<Unit> runs;
  std::vector<std::size_t> first_run;  ///< of each column
  /// Cells of each row that may lie on the way to a cost within the limit: from the first to the last.
  struct Band {
    std::size_t first;
    std::size_t last;
  };
  std::vector<Band> bands;
  std::vector<std::uint16_t> earliest;  ///< by column, see find_bands
  std::vector<std::uint16_t> latest;
};

/// The types of what stands in lanes of so many bits.
template <typename Unit>
struct Keyed {
  using D = hn::CappedTag<Unit, kBatch>;
  using DPitch = hn::RebindToSigned<D>;
  using DByte = hn::Repartition<std::uint8_t, D>;
  using V = hn::Vec<D>;
  using Rows = KeyedRowsOf<Unit>;
  using Columns = KeyedColumnsOf<Unit>;
  static constexpr Unit kEndless = std::numeric_limits<Unit>::max();

  static HWY_INLINE Unit greatest(V v) {
    if constexpr (sizeof(Unit) == 2) return hn::GetLane(hn::MaxOfLanes(D(), v));
    const hn::Repartition<std::uint16_t, D> pairs;
    const auto both = hn::BitCast(pairs, v);
    const auto more = hn::Max(hn::ShiftRight<8>(both), hn::And(both, hn::Set(pairs, 0xFF)));
    return static_cast<Unit>(hn::GetLane(hn::MaxOfLanes(pairs, more)));
  }
  static HWY_INLINE Unit least(V v) {
    if constexpr (sizeof(Unit) == 2) return hn::GetLane(hn::MinOfLanes(D(), v));
    return static_cast<Unit>(kEndless - greatest(hn::Sub(hn::Set(D(), kEndless), v)));
  }

  /// The columns of as many documents as a vector has lanes.
  struct LaneColumns {
    const Unit* lengths;
    const typename Columns::Pitch* pitches;
    const Unit* codes;
    std::size_t count;

    LaneColumns(const Columns& columns, std::size_t lane)
        : lengths(columns.length.data() + lane),
          pitches(columns.pitch.data() + lane),
          codes(columns.code.data() + lane),
          count(columns.columns) {}
    HWY_INLINE V length(std::size_t j) const { return hn::LoadU(D(), lengths + j * kBatch); }
    HWY_INLINE hn::Vec<DPitch> pitch(std::size_t j) const { return hn::LoadU(DPitch(), pitches + j * kBatch); }
    HWY_INLINE auto has_pitch(std::size_t j, typename Columns::Pitch wanted) const {
      return hn::RebindMask(D(), hn::Eq(pitch(j), hn::Set(DPitch(), wanted)));
    }
  };

  static void weigh(const Rows& rows, const LaneColumns& columns, Unit* HWY_RESTRICT out) {
    const D d;
    for (const typename Rows::Kind& kind : rows.kinds) {
      const auto above = hn::LoadDup128(DByte(), kind.above.data());
      const auto below = hn::LoadDup128(DByte(), kind.below.data());
      const V rest = hn::Set(d, static_cast<Unit>(kind.rest * rows.step));
      for (std::size_t j = 0; j < columns.count; ++j, out += hn::Lanes(d)) {
        const auto code = hn::BitCast(DByte(), hn::LoadU(d, columns.codes + j * kBatch));
        const V higher = hn::BitCast(d, hn::TableLookupBytesOr0(above, code));
        const V lower = hn::BitCast(d, hn::TableLookupBytesOr0(below, code));
        const auto is_higher = hn::RebindMask(d, hn::Gt(columns.pitch(j), hn::Set(DPitch(), kind.pitch)));
        V weight = hn::IfThenElse(is_higher, higher, lower);
        if constexpr (sizeof(Unit) > 1) weight = hn::Mul(weight, hn::Set(d, rows.step));
        hn::StoreU(hn::IfThenElse(columns.has_pitch(j, Columns::kRest), rest, weight), d, out);
      }
    }
  }

  static void measure(const LaneColumns& columns, Unit longest_row, Prepared<Unit>& out) {
    const D d;
    out.longest.clear();
    out.runs.clear();
    out.first_run.clear();
    for (std::size_t j = 0; j < columns.count; ++j) {
      out.longest.push_back(greatest(columns.length(j)));
      out.first_run.push_back(out.runs.size());
      // Where a document has ended its runs do not matter.
      const auto ended = columns.has_pitch(j, Columns::kNothing);
      V together = hn::IfThenElse(ended, hn::Set(d, kEndless), columns.length(j));
      out.runs.push_back(least(together));
      for (std::size_t k = 1; k <= j && out.runs.back() < longest_row; ++k) {
        together = hn::SaturatedAdd(together, columns.length(j - k));
        out.runs.push_back(least(together));
      }
      if (out.runs.back() < longest_row) out.runs.back() = kEndless;
    }
  }

  /// The bands of rows for these documents.
  ///
  /// Every step costs at least the difference in length between its two sides. So a way through the cell of the first i
  /// rows and the first j columns costs at least |P - p| + |R - r|: P and p are what these rows and these columns last,
  /// R and r what follows them. That is at least |(P - R) - (p - r)|, and where it is more than the limit in all lanes
  /// the cell need not be known. p - r grows with j, so the cells that are left lie together, and as P - R grows with i
  /// they move to the right.
  static void find_bands(const Rows& rows, const LaneColumns& columns, Unit limit, Prepared<Unit>& out) {
    out.bands.assign(rows.kind.size() + 1, {0, columns.count});
    if constexpr (sizeof(Unit) > 1) return;
    if (limit == kEndless) return;
    // So that differences fit 16 bits.
    constexpr std::uint16_t kMostInAll = 30'000;
    constexpr std::uint16_t kZero = 1U << 15U;  // the differences are kept without a sign
    std::uint32_t rows_last = 0;
    for (const Unit length : rows.length) rows_last += length;
    const hn::Repartition<std::uint16_t, D> pairs;
    using Pairs = hn::Vec<decltype(pairs)>;
    const auto even = [&](std::size_t j)
                          HWY_ATTR { return hn::And(hn::BitCast(pairs, columns.length(j)), hn::Set(pairs, 0xFF)); };
    const auto odd = [&](std::size_t j) HWY_ATTR { return hn::ShiftRight<8>(hn::BitCast(pairs, columns.length(j))); };
    Pairs all_even = hn::Zero(pairs);
    Pairs all_odd = hn::Zero(pairs);
    for (std::size_t j = 0; j < columns.count; ++j) {
      all_even = hn::SaturatedAdd(all_even, even(j));
      all_odd = hn::SaturatedAdd(all_odd, odd(j));
    }
    if (rows_last > kMostInAll || hn::GetLane(hn::MaxOfLanes(pairs, hn::Max(all_even, all_odd))) > kMostInAll) return;

    out.earliest.clear();
    out.latest.clear();
    Pairs now_even = hn::Sub(hn::Set(pairs, kZero), all_even);
    Pairs now_odd = hn::Sub(hn::Set(pairs, kZero), all_odd);
    for (std::size_t j = 0;; ++j) {
      out.earliest.push_back(hn::GetLane(hn::MinOfLanes(pairs, hn::Min(now_even, now_odd))));
      out.latest.push_back(hn::GetLane(hn::MaxOfLanes(pairs, hn::Max(now_even, now_odd))));
      if (j == columns.count) break;
      now_even = hn::Add(now_even, hn::Add(even(j), even(j)));
      now_odd = hn::Add(now_odd, hn::Add(odd(j), odd(j)));
    }
    std::uint32_t now = kZero - rows_last;
    std::size_t first = 0;
    std::size_t end = 0;
    for (std::size_t i = 0;; ++i) {
      while (end <= columns.count && out.earliest[end] <= now + limit) ++end;
      while (first < columns.count && out.latest[first] + std::uint32_t{limit} < now) ++first;
      // At least one, so that there is a row to come from.
      out.bands[i] = {first, std::max(first, end == 0 ? 0 : end - 1)};
      if (i == rows.length.size()) break;
      now += 2U * rows.length[i];
    }
  }

  /// The table of these documents.
  ///
  /// Of runs of several elements against one, those are tried that are needed in any of the lanes. Once the several are
  /// as long as the one, a further one costs at least what it costs to leave it out, so a longer run is never cheaper;
  /// nor does it harm to try it, but where several together are cut off at the greatest number, and cost less then.
  class LaneTable {
   public:
    HWY_INLINE LaneTable(const Rows& rows, const LaneColumns& columns, Prepared<Unit>& prepared)
        : columns_(columns),
          kinds_(rows.kinds.data()),
          kind_(rows.kind.data()),
          lengths_(rows.length.data()),
          rows_(rows.kind.size()),
          stride_((columns.count + 1) * hn::Lanes(D())),
          cells_(prepared.cells.data()),
          weights_(prepared.weights.data()),
          longest_(prepared.longest.data()),
          runs_(prepared.runs.data()),
          first_run_(prepared.first_run.data()),
          bands_(prepared.bands.data()) {}

    /// What costs more than `limit` may be anything that is more.
    HWY_INLINE V fill(Unit limit) {
      const D d;
      V left_out = hn::Zero(d);
      hn::StoreU(left_out, d, cells_);
      for (std::size_t j = 0; j < columns_.count; ++j) {
        left_out = hn::SaturatedAdd(left_out, columns_.length(j));
        hn::StoreU(left_out, d, cells_ + (j + 1) * hn::Lanes(d));
      }
      std::size_t beyond = 0;  // rows in succession of which no cell is within the limit
      for (std::size_t i = 0; i < rows_; ++i) {
        const V least_of_row = fill_row(i);
        if (limit == kEndless) continue;
        beyond = least(least_of_row) > limit ? beyond + 1 : 0;
        // Costs only grow, and no step leads over so many rows.
        if (beyond > furthest_back()) return hn::Set(d, kEndless);
      }
      return at(cells_ + rows_ * stride_, columns_.count);
    }

   private:
    /// Of row i, by column.
    HWY_INLINE const Unit* weights(std::size_t i) const {
      return weights_ + kind_[i] * columns_.count * hn::Lanes(D());
    }
    HWY_INLINE static V at(const Unit* from, std::size_t j) { return hn::LoadU(D(), from + j * hn::Lanes(D())); }

    /// Its least cells. Those outside its band are endless.
    HWY_INLINE V fill_row(std::size_t i) {
      const D d;
      const Unit own_length = lengths_[i];
      const auto own_pitch = kinds_[kind_[i]].pitch;
      const Unit* const own_weights = weights(i);
      const Unit* const above = cells_ + i * stride_;
      Unit* const out = cells_ + (i + 1) * stride_;
      const V own = hn::Set(d, own_length);
      const std::size_t first_above = bands_[i].first;
      const std::size_t first = bands_[i + 1].first;
      const std::size_t last = bands_[i + 1].last;
      V left = hn::Set(d, kEndless);
      for (std::size_t j = 0; j < first; ++j) hn::StoreU(left, d, out + j * hn::Lanes(d));
      for (std::size_t j = last; j < columns_.count; ++j) hn::StoreU(left, d, out + (j + 1) * hn::Lanes(d));
      if (first == 0) {
        left = hn::SaturatedAdd(at(above, 0), own);
        hn::StoreU(left, d, out);
      }
      V least_of_row = left;
      for (std::size_t j = first == 0 ? 0 : first - 1; j < last; ++j) {
        const V other = columns_.length(j);
        const V weight = at(own_weights, j);
        const auto same = hn::And(hn::Eq(own, other), columns_.has_pitch(j, own_pitch));
        const V pair = hn::IfThenZeroElse(same, hn::SaturatedAdd(weight, apart(own, other)));
        V best = hn::Min(hn::SaturatedAdd(at(above, j + 1), own), hn::SaturatedAdd(left, other));
        best = hn::Min(best, hn::SaturatedAdd(at(above, j), pair));

        // The row against two columns and more that end here.
        V together = other;
        V costs = weight;
        const Unit* run = runs_ + first_run_[j];
        for (std::size_t before = j; *run < own_length && before > first_above; ++run) {
          --before;
          together = hn::SaturatedAdd(together, columns_.length(before));
          costs = hn::SaturatedAdd(costs, at(own_weights, before));
          best = hn::Min(best, hn::SaturatedAdd(hn::SaturatedAdd(at(above, before), costs), apart(own, together)));
        }
        left = hn::Min(best, joined(i, j, other, weight));
        hn::StoreU(left, d, out + (j + 1) * hn::Lanes(d));
        least_of_row = hn::Min(least_of_row, left);
      }
      return least_of_row;
    }

    /// How many rows one column may stand against, less one.
    HWY_INLINE std::size_t furthest_back() {
      if (furthest_back_ != 0) return furthest_back_;
      const Unit longest = *std::max_element(longest_, longest_ + columns_.count);
      furthest_back_ = 1;
      for (std::size_t i = 0; i < rows_; ++i) {
        std::size_t back = 0;
        for (unsigned together = lengths_[i]; back < i && together < longest; together += lengths_[i - back]) ++back;
        furthest_back_ = std::max(furthest_back_, back + 1);
      }
      return furthest_back_;
    }

    /// Two rows and more that end at i against column j.
    HWY_INLINE V joined(std::size_t i, std::size_t j, V other, V costs) const {
      const D d;
      V best = hn::Set(d, kEndless);
      unsigned together = lengths_[i];
      const unsigned longest = longest_[j];
      // Rows that end left of this column have nothing to come from.
      while (i > 0 && together < longest && bands_[i - 1].last >= j) {
        --i;
        together += lengths_[i];
        costs = hn::SaturatedAdd(costs, at(weights(i), j));
        const V longer = apart(hn::Set(d, static_cast<Unit>(HWY_MIN(together, unsigned{kEndless}))), other);
        best = hn::Min(best, hn::SaturatedAdd(hn::SaturatedAdd(at(cells_ + i * stride_, j), costs), longer));
      }
      return best;
    }

    LaneColumns columns_;
    const typename Rows::Kind* kinds_;
    const std::uint16_t* kind_;
    const Unit* lengths_;
    std::size_t rows_;
    std::size_t stride_;
    Unit* cells_;
    const Unit* weights_;
    const Unit* longest_;
    const Unit* runs_;
    const std::size_t* first_run_;
    const typename Prepared<Unit>::Band* bands_;
    std::size_t furthest_back_ = 0;
  };

  static void align(const Rows& rows, const Columns& columns, Unit limit, Unit* cost) {
    const D d;
    thread_local Prepared<Unit> prepared;
    prepared.cells.resize((rows.kind.size() + 1) * (columns.columns + 1) * hn::Lanes(d));
    prepared.weights.resize(rows.kinds.size() * columns.columns * hn::Lanes(d));
    Unit longest_row = 0;
    for (const Unit length : rows.length) longest_row = std::max(longest_row, length);
    for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(d)) {
      const LaneColumns here(columns, lane);
      weigh(rows, here, prepared.weights.data());
      measure(here, longest_row, prepared);
      find_bands(rows, here, limit, prepared);
      hn::StoreU(LaneTable(rows, here, prepared).fill(limit), d, cost + lane);
    }
  }
};

}  // namespace

void keyed_align(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost) {
  if (columns.columns == 0) return keyed_align_plain(rows, columns, cost);
  Keyed<std::uint16_t>::align(rows, columns, Keyed<std::uint16_t>::kEndless, cost);
}

void keyed_roughly(const RoughRows& rows, const RoughColumns& columns, std::uint8_t limit, std::uint8_t* cost) {
  if (columns.columns == 0) return keyed_roughly_plain(rows, columns, limit, cost);
  Keyed<std::uint8_t>::align(rows, columns, limit, cost);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, keyed_align, (const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost),
               (rows, columns, cost));
RONDO_DISPATCH(void, keyed_roughly,
               (const RoughRows& rows, const RoughColumns& columns, std::uint8_t limit, std::uint8_t* cost),
               (rows, columns, limit, cost));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
