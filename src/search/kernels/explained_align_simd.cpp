// Compiled once for every instruction set; explained_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/explained_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/explained_align.h"
#include "search/kernels/level.h"
#include "similarity/systems/rondo.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total) {
  explained_align_plain(rows, columns, total);
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using ExplainedTag = hn::CappedTag<std::int16_t, kBatch>;
using ExplainedVector = hn::Vec<ExplainedTag>;

/// The pitches of a pair by how far they are apart.
struct ExplainedPitches {
  ExplainedVector one, near, far;
  HWY_INLINE ExplainedPitches(ExplainedTag d, const ExplainedRows& rows)
      : one(hn::Set(d, explained::kFine)), near(hn::Set(d, rows.near)), far(hn::Set(d, rows.far)) {}
  HWY_INLINE ExplainedVector worth(ExplainedTag d, ExplainedVector a, ExplainedVector b) const {
    const auto distance = hn::Abs(hn::Sub(a, b));
    // Two to four semitones: at most one from three.
    const auto close = hn::Lt(hn::Abs(hn::Sub(distance, hn::Set(d, 3))), hn::Set(d, 2));
    return hn::IfThenElse(hn::Eq(a, b), one, hn::IfThenElse(close, near, far));
  }
};

HWY_INLINE void explain_lanes(const ExplainedRows& rows, const ExplainedColumns& columns, std::size_t lane,
                              std::int16_t* HWY_RESTRICT row, std::int16_t* HWY_RESTRICT other_row,
                              std::int16_t* HWY_RESTRICT total) {
  using V = ExplainedVector;
  const ExplainedTag d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t count = columns.columns;
  const V overhang = hn::Set(d, rows.overhang);
  const ExplainedPitches pitches(d, rows);
  const V factor = hn::LoadU(d, columns.place_factor + lane);
  V border = hn::Zero(d);
  V skipped = border;
  for (std::size_t j = 0; j < count; ++j) {
    const V gap = hn::LoadU(d, columns.gap.data() + j * kBatch + lane);
    skipped = hn::Max(hn::SaturatedSub(skipped, gap), hn::Neg(overhang));
    hn::StoreU(skipped, d, row + j * width);
    hn::StoreU(skipped, d, other_row + j * width);
  }
  for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
    const V pitch = hn::Set(d, rows.pitch[i]);
    const V next = hn::Set(d, rows.next[i]);
    const V length = hn::Set(d, rows.length[i]);
    const V change = hn::Set(d, rows.change[i]);
    const V place = hn::Set(d, rows.place[i]);
    const V weight = hn::Set(d, rows.weight[i]);
    const V gap = hn::Set(d, rows.gap[i]);
    const V goes_on = hn::Set(d, static_cast<std::int16_t>(i + 1 < rows.pitch.size() ? -1 : 0));
    V corner = border;
    V other_corner = border;
    border = hn::Sub(border, gap);
    V left = border;
    V other_left = border;
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t at = j * kBatch + lane;
      const auto part = [&](const std::vector<std::int16_t>& values) { return hn::LoadU(d, values.data() + at); };
      // What does not depend on the transposition.
      V cost = hn::IfThenZeroElse(hn::Eq(part(columns.next), next), hn::And(part(columns.interval), goes_on));
      cost = hn::Add(cost, hn::Abs(hn::Sub(part(columns.length), length)));
      cost = hn::Add(cost, hn::Abs(hn::Sub(part(columns.change), change)));
      cost = hn::Add(cost, hn::MulHigh(factor, hn::Abs(hn::Sub(part(columns.place), place))));
      const V leave = part(columns.gap);
      const auto step = [&](V pitch_of_column, V& diagonal, V& before, std::int16_t* HWY_RESTRICT cells) {
        const V fine = hn::Sub(pitches.worth(d, pitch_of_column, pitch), cost);
        const V paired = hn::SaturatedAdd(diagonal, hn::MulFixedPoint15(fine, weight));
        const V above = hn::LoadU(d, cells + j * width);
        const V left_out = hn::Max(hn::SaturatedSub(before, leave), hn::SaturatedSub(above, gap));
        diagonal = above;
        before = hn::Max(paired, left_out);
        hn::StoreU(before, d, cells + j * width);
      };
      step(part(columns.pitch), corner, left, row);
      step(part(columns.other), other_corner, other_left, other_row);
    }
  }
  const V size = hn::LoadU(d, columns.count + lane);
  V most = hn::Sub(border, overhang);
  for (std::size_t j = 0; j < count; ++j) {
    const V end = hn::Max(hn::LoadU(d, row + j * width), hn::LoadU(d, other_row + j * width));
    const V notes = hn::Set(d, static_cast<std::int16_t>(j + 1));
    const V open = hn::Max(most, hn::Sub(end, overhang));
    most = hn::IfThenElse(hn::Eq(notes, size), hn::Max(most, end), hn::IfThenElse(hn::Lt(notes, size), open, most));
  }
  hn::StoreU(most, d, total);
}

void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total) {
  const std::size_t width = hn::Lanes(ExplainedTag());
  thread_local std::vector<std::int16_t> row;
  row.resize(2 * columns.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    explain_lanes(rows, columns, lane, row.data(), row.data() + columns.columns * width, total + lane);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(explained_align);
}  // namespace

void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total) {
  if (plain_forced()) return explained_align_plain(rows, columns, total);
  HWY_DYNAMIC_DISPATCH(explained_align)(rows, columns, total);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
