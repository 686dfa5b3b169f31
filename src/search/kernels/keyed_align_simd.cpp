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
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Unit = std::uint16_t;
using Rows = KeyedRows;
using Columns = KeyedColumns;
using D = hn::CappedTag<Unit, kBatch>;
using DPitch = hn::RebindToSigned<D>;
using DByte = hn::Repartition<std::uint8_t, D>;
using V = hn::Vec<D>;
constexpr Unit kEndless = std::numeric_limits<Unit>::max();

HWY_INLINE V apart(V a, V b) { return hn::Sub(hn::Max(a, b), hn::Min(a, b)); }

/// What is worked out before a table is filled; memory that is reused.
struct Prepared {
  AlignedVector<Unit> cells;
  AlignedVector<Unit> weights;  ///< of every kind of row against every column
  std::vector<Unit> longest;    ///< element of each column
  /// What the runs that end at each column last at least: of one element, of two, and so on until no row lasts longer;
  /// at the beginning endless.
  std::vector<Unit> runs;
  std::vector<std::size_t> first_run;  ///< of each column
};

/// The columns of as many documents as a vector has lanes.
struct LaneColumns {
  const Unit* lengths;
  const std::int16_t* pitches;
  const Unit* codes;
  std::size_t count;

  LaneColumns(const Columns& columns, std::size_t lane)
      : lengths(columns.length.data() + lane),
        pitches(columns.pitch.data() + lane),
        codes(columns.code.data() + lane),
        count(columns.columns) {}
  HWY_INLINE V length(std::size_t j) const { return hn::LoadU(D(), lengths + j * kBatch); }
  HWY_INLINE hn::Vec<DPitch> pitch(std::size_t j) const { return hn::LoadU(DPitch(), pitches + j * kBatch); }
  HWY_INLINE auto has_pitch(std::size_t j, std::int16_t wanted) const {
    return hn::RebindMask(D(), hn::Eq(pitch(j), hn::Set(DPitch(), wanted)));
  }
};

void weigh(const Rows& rows, const LaneColumns& columns, Unit* HWY_RESTRICT out) {
  const D d;
  for (const Rows::Kind& kind : rows.kinds) {
    const auto above = hn::LoadDup128(DByte(), kind.above.data());
    const auto below = hn::LoadDup128(DByte(), kind.below.data());
    const V rest = hn::Set(d, static_cast<Unit>(kind.rest * rows.step));
    for (std::size_t j = 0; j < columns.count; ++j, out += hn::Lanes(d)) {
      const auto code = hn::BitCast(DByte(), hn::LoadU(d, columns.codes + j * kBatch));
      const V higher = hn::BitCast(d, hn::TableLookupBytesOr0(above, code));
      const V lower = hn::BitCast(d, hn::TableLookupBytesOr0(below, code));
      const auto is_higher = hn::RebindMask(d, hn::Gt(columns.pitch(j), hn::Set(DPitch(), kind.pitch)));
      V weight = hn::IfThenElse(is_higher, higher, lower);
      weight = hn::Mul(weight, hn::Set(d, rows.step));
      hn::StoreU(hn::IfThenElse(columns.has_pitch(j, Columns::kRest), rest, weight), d, out);
    }
  }
}

void measure(const LaneColumns& columns, Unit longest_row, Prepared& out) {
  const D d;
  out.longest.clear();
  out.runs.clear();
  out.first_run.clear();
  for (std::size_t j = 0; j < columns.count; ++j) {
    out.longest.push_back(hn::GetLane(hn::MaxOfLanes(D(), columns.length(j))));
    out.first_run.push_back(out.runs.size());
    // Where a document has ended its runs do not matter.
    const auto ended = columns.has_pitch(j, Columns::kNothing);
    V together = hn::IfThenElse(ended, hn::Set(d, kEndless), columns.length(j));
    out.runs.push_back(hn::GetLane(hn::MinOfLanes(D(), together)));
    for (std::size_t k = 1; k <= j && out.runs.back() < longest_row; ++k) {
      together = hn::SaturatedAdd(together, columns.length(j - k));
      out.runs.push_back(hn::GetLane(hn::MinOfLanes(D(), together)));
    }
    if (out.runs.back() < longest_row) out.runs.back() = kEndless;
  }
}

/// The table of these documents.
///
/// Of runs of several elements against one, those are tried that are needed in any of the lanes. Once the several are
/// as long as the one, a further one costs at least what it costs to leave it out, so a longer run is never cheaper;
/// nor does it harm to try it, but where several together are cut off at the greatest number, and cost less then.
class LaneTable {
 public:
  HWY_INLINE LaneTable(const Rows& rows, const LaneColumns& columns, Prepared& prepared)
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
        first_run_(prepared.first_run.data()) {}

  HWY_INLINE V fill() {
    const D d;
    V left_out = hn::Zero(d);
    hn::StoreU(left_out, d, cells_);
    for (std::size_t j = 0; j < columns_.count; ++j) {
      left_out = hn::SaturatedAdd(left_out, columns_.length(j));
      hn::StoreU(left_out, d, cells_ + (j + 1) * hn::Lanes(d));
    }
    for (std::size_t i = 0; i < rows_; ++i) fill_row(i);
    return at(cells_ + rows_ * stride_, columns_.count);
  }

 private:
  /// Of row i, by column.
  HWY_INLINE const Unit* weights(std::size_t i) const { return weights_ + kind_[i] * columns_.count * hn::Lanes(D()); }
  HWY_INLINE static V at(const Unit* from, std::size_t j) { return hn::LoadU(D(), from + j * hn::Lanes(D())); }

  HWY_INLINE void fill_row(std::size_t i) {
    const D d;
    const Unit own_length = lengths_[i];
    const auto own_pitch = kinds_[kind_[i]].pitch;
    const Unit* const own_weights = weights(i);
    const Unit* const above = cells_ + i * stride_;
    Unit* const out = cells_ + (i + 1) * stride_;
    const V own = hn::Set(d, own_length);
    V left = hn::SaturatedAdd(at(above, 0), own);
    hn::StoreU(left, d, out);
    for (std::size_t j = 0; j < columns_.count; ++j) {
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
      for (std::size_t before = j; *run < own_length && before > 0; ++run) {
        --before;
        together = hn::SaturatedAdd(together, columns_.length(before));
        costs = hn::SaturatedAdd(costs, at(own_weights, before));
        best = hn::Min(best, hn::SaturatedAdd(hn::SaturatedAdd(at(above, before), costs), apart(own, together)));
      }
      left = hn::Min(best, joined(i, j, other, weight));
      hn::StoreU(left, d, out + (j + 1) * hn::Lanes(d));
    }
  }

  /// Two rows and more that end at i against column j.
  HWY_INLINE V joined(std::size_t i, std::size_t j, V other, V costs) const {
    const D d;
    V best = hn::Set(d, kEndless);
    unsigned together = lengths_[i];
    const unsigned longest = longest_[j];
    while (i > 0 && together < longest) {
      --i;
      together += lengths_[i];
      costs = hn::SaturatedAdd(costs, at(weights(i), j));
      const V longer = apart(hn::Set(d, static_cast<Unit>(HWY_MIN(together, unsigned{kEndless}))), other);
      best = hn::Min(best, hn::SaturatedAdd(hn::SaturatedAdd(at(cells_ + i * stride_, j), costs), longer));
    }
    return best;
  }

  LaneColumns columns_;
  const Rows::Kind* kinds_;
  const std::uint16_t* kind_;
  const Unit* lengths_;
  std::size_t rows_;
  std::size_t stride_;
  Unit* cells_;
  const Unit* weights_;
  const Unit* longest_;
  const Unit* runs_;
  const std::size_t* first_run_;
};

void align(const Rows& rows, const Columns& columns, Unit* cost) {
  const D d;
  thread_local Prepared prepared;
  prepared.cells.resize((rows.kind.size() + 1) * (columns.columns + 1) * hn::Lanes(d));
  prepared.weights.resize(rows.kinds.size() * columns.columns * hn::Lanes(d));
  Unit longest_row = 0;
  for (const Unit length : rows.length) longest_row = std::max(longest_row, length);
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(d)) {
    const LaneColumns here(columns, lane);
    weigh(rows, here, prepared.weights.data());
    measure(here, longest_row, prepared);
    hn::StoreU(LaneTable(rows, here, prepared).fill(), d, cost + lane);
  }
}

}  // namespace

void keyed_align(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost) {
  if (columns.columns == 0) return keyed_align_plain(rows, columns, cost);
  align(rows, columns, cost);
}

#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, keyed_align, (const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost),
               (rows, columns, cost));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
