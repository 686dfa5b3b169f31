// Compiled once for every instruction set; explained_bound_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/explained_bound_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/explained_bound.h"
#include "search/kernels/simd.h"
#include "similarity/systems/rondo.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(explained_bound);
#else
namespace hn = hwy::HWY_NAMESPACE;

void explained_bound(const BoundRows& rows, const BoundColumns& columns, std::int16_t* bound) {
  const hn::CappedTag<std::int16_t, kBatch> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t width = hn::Lanes(d);
  const V zero = hn::Zero(d);
  const V equal = hn::Set(d, explained::kFine);
  const V near = hn::Set(d, rows.near);
  const V far = hn::Set(d, rows.far);
  const V three = hn::Set(d, 3);
  const V two = hn::Set(d, 2);
  thread_local std::vector<std::int16_t> memory;
  if (memory.size() < columns.columns * width) memory.resize(columns.columns * width);
  std::int16_t* const HWY_RESTRICT cells = memory.data();
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    const V factor = hn::LoadU(d, columns.place_factor + lane);
    for (std::size_t j = 0; j < columns.columns; ++j) hn::StoreU(zero, d, cells + j * width);
    V most = zero;
    for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
      const V pitch = hn::Set(d, rows.pitch[i]);
      const V length = hn::Set(d, rows.length[i]);
      const V change = hn::Set(d, rows.change[i]);
      const V place = hn::Set(d, rows.place[i]);
      const V weight = hn::Set(d, rows.weight[i]);
      const V gap = hn::Set(d, rows.gap[i]);
      const V next = hn::Set(d, rows.next[i]);
      const bool goes_on = i + 1 < rows.pitch.size();
      V corner = zero;
      V left = zero;
      for (std::size_t j = 0; j < columns.columns; ++j) {
        const std::size_t at = j * kBatch + lane;
        const auto of = [&](const std::vector<std::int16_t>& part) { return hn::LoadU(d, part.data() + at); };
        const V distance = hn::Abs(hn::Sub(of(columns.pitch), pitch));
        // Two to four semitones: at most one from three.
        const V other = hn::IfThenElse(hn::Lt(hn::Abs(hn::Sub(distance, three)), two), near, far);
        const V worth = hn::IfThenElse(hn::Eq(distance, zero), equal, other);
        V cost = hn::SaturatedAdd(hn::Abs(hn::Sub(of(columns.length), length)),
                                  hn::Abs(hn::Sub(of(columns.change), change)));
        cost = hn::SaturatedAdd(cost, hn::MulHigh(factor, hn::Abs(hn::Sub(of(columns.place), place))));
        if (goes_on) {
          const V breaks = hn::IfThenZeroElse(hn::Eq(of(columns.next), next), of(columns.interval));
          cost = hn::SaturatedAdd(cost, breaks);
        }
        const V fine = hn::Max(zero, hn::SaturatedSub(worth, cost));
        const V pair = hn::MulFixedPoint15(fine, hn::Max(weight, of(columns.weight)));
        const V above = hn::LoadU(d, cells + j * width);
        const V left_out = hn::Max(hn::SaturatedSub(left, of(columns.gap)), hn::SaturatedSub(above, gap));
        left = hn::Max(hn::Max(zero, hn::SaturatedAdd(corner, pair)), left_out);
        corner = above;
        hn::StoreU(left, d, cells + j * width);
        most = hn::Max(most, left);
      }
    }
    hn::StoreU(most, d, bound + lane);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, explained_bound, (const BoundRows& rows, const BoundColumns& columns, std::int16_t* bound),
               (rows, columns, bound));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
