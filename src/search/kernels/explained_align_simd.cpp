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

HWY_INLINE void explain_lanes(const ExplainedRows& rows, const ExplainedColumns& columns, std::size_t lane,
                              std::int16_t* HWY_RESTRICT row, std::int16_t* HWY_RESTRICT total) {
  using V = ExplainedVector;
  const ExplainedTag d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t count = columns.columns;
  const V overhang = hn::Set(d, rows.overhang);
  const V one = hn::Set(d, explained::kFine);
  const V near = hn::Set(d, rows.near);
  const V far = hn::Set(d, rows.far);
  const V two = hn::Set(d, 2);
  const V three = hn::Set(d, 3);
  const V factor = hn::LoadU(d, columns.place_factor + lane);
  V border = hn::Zero(d);
  V skipped = border;
  for (std::size_t j = 0; j < count; ++j) {
    const V gap = hn::LoadU(d, columns.gap.data() + j * kBatch + lane);
    skipped = hn::Max(hn::SaturatedSub(skipped, gap), hn::Neg(overhang));
    hn::StoreU(skipped, d, row + j * width);
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
    border = hn::Sub(border, gap);
    V left = border;
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t at = j * kBatch + lane;
      const auto part = [&](const std::vector<std::int16_t>& values) { return hn::LoadU(d, values.data() + at); };
      const V distance = hn::Abs(hn::Sub(part(columns.pitch), pitch));
      // Two to four semitones: at most one from three.
      const V other = hn::IfThenElse(hn::Lt(hn::Abs(hn::Sub(distance, three)), two), near, far);
      V fine = hn::IfThenElse(hn::Eq(distance, hn::Zero(d)), one, other);
      fine = hn::Sub(fine, hn::Abs(hn::Sub(part(columns.length), length)));
      fine = hn::Sub(fine, hn::Abs(hn::Sub(part(columns.change), change)));
      fine = hn::Sub(fine, hn::MulHigh(factor, hn::Abs(hn::Sub(part(columns.place), place))));
      const V cost = hn::And(part(columns.interval), goes_on);
      fine = hn::Sub(fine, hn::IfThenZeroElse(hn::Eq(part(columns.next), next), cost));
      const V paired = hn::SaturatedAdd(corner, hn::MulFixedPoint15(fine, weight));
      const V above = hn::LoadU(d, row + j * width);
      const V left_out = hn::Max(hn::SaturatedSub(left, part(columns.gap)), hn::SaturatedSub(above, gap));
      corner = above;
      left = hn::Max(paired, left_out);
      hn::StoreU(left, d, row + j * width);
    }
  }
  const V size = hn::LoadU(d, columns.count + lane);
  V most = hn::Sub(border, overhang);
  for (std::size_t j = 0; j < count; ++j) {
    const V end = hn::LoadU(d, row + j * width);
    const V notes = hn::Set(d, static_cast<std::int16_t>(j + 1));
    const V open = hn::Max(most, hn::Sub(end, overhang));
    most = hn::IfThenElse(hn::Eq(notes, size), hn::Max(most, end), hn::IfThenElse(hn::Lt(notes, size), open, most));
  }
  hn::StoreU(most, d, total);
}

void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total) {
  const std::size_t width = hn::Lanes(ExplainedTag());
  thread_local std::vector<std::int16_t> row;
  row.resize(columns.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    explain_lanes(rows, columns, lane, row.data(), total + lane);
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
