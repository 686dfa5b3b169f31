// Compiled once for every instruction set; explained_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/explained_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/explained_align.h"
#include "search/kernels/simd.h"
#include "similarity/systems/rondo.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(explained_align);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// Numbers of 16 bits, as many as a vector has, up to the batch.
struct NarrowLanes {
  using Tag = hn::CappedTag<std::int16_t, kBatch>;
  using V = hn::Vec<Tag>;
  static HWY_INLINE V load(const std::int16_t* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE V add(V a, V b) { return hn::SaturatedAdd(a, b); }
  static HWY_INLINE V subtract(V a, V b) { return hn::SaturatedSub(a, b); }
  static HWY_INLINE V high_part(V a, V b) { return hn::MulHigh(a, b); }
  static HWY_INLINE V weighted(V fine, V weight) { return hn::MulFixedPoint15(fine, weight); }
  static HWY_INLINE void store(V values, std::int32_t* to) {
    std::int16_t narrow[kBatch];
    hn::StoreU(values, Tag(), narrow);
    for (std::size_t lane = 0; lane < hn::Lanes(Tag()); ++lane) to[lane] = narrow[lane];
  }
};

/// The same in 32 bits.
struct WideLanes {
  using Tag = hn::CappedTag<std::int32_t, kBatch>;
  using V = hn::Vec<Tag>;
  static HWY_INLINE V load(const std::int16_t* from) {
    return hn::PromoteTo(Tag(), hn::LoadU(hn::Rebind<std::int16_t, Tag>(), from));
  }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V subtract(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V high_part(V a, V b) { return hn::ShiftRight<16>(hn::Mul(a, b)); }
  static HWY_INLINE V weighted(V fine, V weight) {
    return hn::ShiftRight<15>(hn::Add(hn::Mul(fine, weight), hn::Set(Tag(), 1 << 14)));
  }
  static HWY_INLINE void store(V values, std::int32_t* to) { hn::StoreU(values, Tag(), to); }
};

/// What is computed once for all notes of a query that have a value in common, [value][note of the document], and the
/// cells of the row, [note]. For one vector of lanes.
template <class Lanes>
class ExplainedTables {
 public:
  using Tag = typename Lanes::Tag;
  using T = hn::TFromD<Tag>;
  using V = typename Lanes::V;

  ExplainedTables(const ExplainedRows& rows, std::size_t columns, AlignedVector<T>& memory)
      : width_(hn::Lanes(Tag())), columns_(columns) {
    const std::size_t parts = 2 * rows.pitches.first.size() + rows.rhythms.first.size() + 5;
    if (memory.size() < parts * columns * width_) memory.resize(parts * columns * width_);
    T* at = memory.data();
    const auto part = [&](std::size_t values) {
      T* const here = at;
      at += values * columns * width_;
      return here;
    };
    worth = part(rows.pitches.first.size());
    other_worth = part(rows.pitches.first.size());
    rhythm = part(rows.rhythms.first.size());
    next = part(1);
    place = part(1);
    gap = part(1);
    cells = part(1);
    other_cells = part(1);
  }

  void fill(const ExplainedRows& rows, const ExplainedColumns& from, std::size_t lane) {
    const Tag d;
    const V one = hn::Set(d, explained::kFine);
    const V near = hn::Set(d, rows.near);
    const V far = hn::Set(d, rows.far);
    const auto of = [&](const std::vector<std::int16_t>& values, std::size_t j) {
      return Lanes::load(values.data() + j * kBatch + lane);
    };
    const auto pair = [&](V a, V b) {
      const V distance = hn::Abs(hn::Sub(a, b));
      // Two to four semitones: at most one from three.
      const auto close = hn::Lt(hn::Abs(hn::Sub(distance, hn::Set(d, 3))), hn::Set(d, 2));
      return hn::IfThenElse(hn::Eq(a, b), one, hn::IfThenElse(close, near, far));
    };
    for (std::size_t value = 0; value < rows.pitches.first.size(); ++value) {
      const V pitch = hn::Set(d, rows.pitch[rows.pitches.first[value]]);
      for (std::size_t j = 0; j < columns_; ++j) {
        hn::StoreU(pair(of(from.pitch, j), pitch), d, at(worth, value) + j * width_);
        hn::StoreU(pair(of(from.other, j), pitch), d, at(other_worth, value) + j * width_);
      }
    }
    for (std::size_t value = 0; value < rows.rhythms.first.size(); ++value) {
      const std::size_t i = rows.rhythms.first[value];
      const V length = hn::Set(d, rows.length[i]);
      const V change = hn::Set(d, rows.change[i]);
      for (std::size_t j = 0; j < columns_; ++j) {
        const V cost =
            hn::Add(hn::Abs(hn::Sub(of(from.length, j), length)), hn::Abs(hn::Sub(of(from.change, j), change)));
        hn::StoreU(cost, d, at(rhythm, value) + j * width_);
      }
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      hn::StoreU(of(from.next, j), d, next + j * width_);
      hn::StoreU(of(from.place, j), d, place + j * width_);
      hn::StoreU(of(from.gap, j), d, gap + j * width_);
    }
  }

  [[nodiscard]] HWY_INLINE T* at(T* part, std::size_t value) const { return part + value * columns_ * width_; }
  [[nodiscard]] std::size_t width() const { return width_; }

  T *worth, *other_worth, *rhythm, *next, *place, *gap, *cells, *other_cells;

 private:
  std::size_t width_;
  std::size_t columns_;
};

/// `kRelative`: all numbers are more than they are by what it costs at least to leave out the query so far.
template <bool kRelative, class Lanes>
HWY_INLINE void explain_lanes(const ExplainedRows& rows, const ExplainedColumns& columns, std::size_t lane,
                              ExplainedTables<Lanes>& tables, std::int32_t* HWY_RESTRICT total) {
  using Tag = typename Lanes::Tag;
  using T = hn::TFromD<Tag>;
  using V = typename Lanes::V;
  const Tag d;
  const std::size_t width = tables.width();
  const std::size_t count = columns.columns;
  tables.fill(rows, columns, lane);
  T* const HWY_RESTRICT cells = tables.cells;
  T* const HWY_RESTRICT other_cells = tables.other_cells;
  const V overhang = hn::Set(d, rows.overhang);
  const V factor = hn::Set(d, columns.place_factor);
  V border = hn::Zero(d);
  std::int32_t less = 0;
  V skipped = border;
  for (std::size_t j = 0; j < count; ++j) {
    skipped = hn::Max(Lanes::subtract(skipped, hn::LoadU(d, tables.gap + j * width)), hn::Neg(overhang));
    hn::StoreU(skipped, d, cells + j * width);
    hn::StoreU(skipped, d, other_cells + j * width);
  }
  for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
    const T* const HWY_RESTRICT worth = tables.at(tables.worth, rows.pitches.of_note[i]);
    const T* const HWY_RESTRICT other_worth = tables.at(tables.other_worth, rows.pitches.of_note[i]);
    const T* const HWY_RESTRICT rhythm = tables.at(tables.rhythm, rows.rhythms.of_note[i]);
    const V next = hn::Set(d, rows.next[i]);
    const V interval = hn::Set(d, static_cast<T>(i + 1 < rows.pitch.size() ? rows.interval : 0));
    const V place = hn::Set(d, rows.place[i]);
    const V weight = hn::Set(d, rows.weight[i]);
    const std::int16_t least = kRelative ? rows.least(i) : std::int16_t{0};
    const V base = hn::Set(d, least);
    const V gap = hn::Set(d, static_cast<T>(rows.gap[i] - least));
    const V beyond = hn::Set(d, static_cast<T>(rows.beyond[i] - least));
    less += least;
    V corner = border;
    V other_corner = border;
    border = hn::Sub(border, beyond);
    V left = border;
    V other_left = border;
    const std::size_t last = (count - 1) * width;
    for (std::size_t at = 0; at <= last; at += width) {
      // What does not depend on the transposition.
      const V apart = hn::Abs(hn::Sub(hn::LoadU(d, tables.place + at), place));
      const V goes_on =
          hn::IfThenZeroElse(hn::Eq(hn::LoadU(d, tables.next + at), next), at < last ? interval : hn::Zero(d));
      const V cost = hn::Add(hn::Add(goes_on, hn::LoadU(d, rhythm + at)), Lanes::high_part(factor, apart));
      const V leave = hn::LoadU(d, tables.gap + at);
      const auto step = [&](V pitches, V& diagonal, V& before, T* HWY_RESTRICT cell) {
        V worth_it = Lanes::weighted(hn::Sub(pitches, cost), weight);
        if constexpr (kRelative) worth_it = hn::Add(worth_it, base);
        const V paired = Lanes::add(diagonal, worth_it);
        const V above = hn::LoadU(d, cell);
        const V left_out = hn::Max(Lanes::subtract(before, leave), Lanes::subtract(above, at < last ? gap : beyond));
        diagonal = above;
        before = hn::Max(paired, left_out);
        hn::StoreU(before, d, cell);
      };
      step(hn::LoadU(d, worth + at), corner, left, cells + at);
      step(hn::LoadU(d, other_worth + at), other_corner, other_left, other_cells + at);
    }
  }
  // The document is left behind its last note, or before it for what the overhang costs.
  V most = hn::Sub(border, overhang);
  for (std::size_t at = 0; at < count * width; at += width) {
    const V end = hn::Max(hn::LoadU(d, cells + at), hn::LoadU(d, other_cells + at));
    most = hn::Max(most, at + width < count * width ? hn::Sub(end, overhang) : end);
  }
  Lanes::store(most, total);
  for (std::size_t k = 0; kRelative && k < width; ++k) total[k] -= less;
}

template <bool kRelative, class Lanes>
HWY_INLINE void explain_all(const ExplainedRows& rows, const ExplainedColumns& columns, std::int32_t* total) {
  thread_local AlignedVector<hn::TFromD<typename Lanes::Tag> > memory;
  ExplainedTables<Lanes> tables(rows, columns.columns, memory);
  for (std::size_t lane = 0; lane < kBatch; lane += tables.width()) {
    explain_lanes<kRelative, Lanes>(rows, columns, lane, tables, total + lane);
  }
}

}  // namespace

void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, ExplainedNumbers numbers,
                     std::int32_t* total) {
  switch (numbers) {
    case ExplainedNumbers::narrow: return explain_all<false, NarrowLanes>(rows, columns, total);
    case ExplainedNumbers::relative: return explain_all<true, NarrowLanes>(rows, columns, total);
    case ExplainedNumbers::wide: return explain_all<false, WideLanes>(rows, columns, total);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, explained_align,
               (const ExplainedRows& rows, const ExplainedColumns& columns, ExplainedNumbers numbers,
                std::int32_t* total),
               (rows, columns, numbers, total));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
