// Compiled once for every instruction set; rated_align_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/rated_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/level.h"
#include "search/kernels/rated_align.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  rated_align_plain(rows, columns, best);
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;

HWY_INLINE V less_if_above(D d, V value, std::int16_t step) {
  const V by = hn::Set(d, step);
  return hn::Sub(value, hn::IfThenZeroElse(hn::Lt(value, by), by));
}

/// Pitches are below 640, so the remainder of 40 takes four steps.
template <bool kBand, bool kPlaces>
HWY_INLINE V rating(D d, V pitch, V place, V own_pitch, V own_place) {
  const V one = hn::Set(d, kRatedOne);
  const V never = hn::Set(d, static_cast<std::int16_t>(-kRatedOne));
  const V apart = hn::Abs(hn::Sub(pitch, own_pitch));
  if (!kBand) return hn::IfThenElse(hn::Eq(apart, hn::Zero(d)), one, never);
  V distance = less_if_above(d, apart, 320);
  distance = less_if_above(d, less_if_above(d, less_if_above(d, distance, 160), 80), 40);
  const V near = hn::Mul(hn::Sub(hn::Set(d, 46), distance), hn::Set(d, kRatedOne / 23));
  V rated = near;
  if (kPlaces) {
    const V close = hn::Sub(hn::Set(d, 32767), hn::Abs(hn::Sub(place, own_place)));
    rated = hn::Add(hn::MulHigh(hn::Add(near, near), close), hn::Set(d, 2));
  }
  return hn::IfThenElse(hn::Gt(distance, hn::Set(d, 23)), never, hn::Sub(rated, one));
}

template <bool kBand, bool kPlaces>
HWY_INLINE void align_lanes(const RatedRows& rows, const RatedColumns& columns, std::size_t lane,
                            std::int16_t* HWY_RESTRICT row, std::int16_t* HWY_RESTRICT best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V zero = hn::Zero(d);
  const V gap = hn::Set(d, rows.gap);
  for (std::size_t j = 0; j < columns.columns; ++j) hn::StoreU(zero, d, row + j * width);
  V most = zero;
  for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
    const V own_pitch = hn::Set(d, rows.pitch[i]);
    const V own_place = kPlaces ? hn::Set(d, rows.place[i]) : zero;
    V corner = zero;
    V left = zero;
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const V pitch = hn::LoadU(d, columns.pitch.data() + j * kBatch + lane);
      const V place = kPlaces ? hn::LoadU(d, columns.place.data() + j * kBatch + lane) : zero;
      const V above = hn::LoadU(d, row + j * width);
      const V cell = hn::Max(hn::Add(corner, rating<kBand, kPlaces>(d, pitch, place, own_pitch, own_place)),
                             hn::Sub(hn::Max(above, left), gap));
      corner = above;
      left = cell;
      hn::StoreU(cell, d, row + j * width);
    }
    most = hn::Max(most, left);
  }
  for (std::size_t j = 0; j < columns.columns; ++j) most = hn::Max(most, hn::LoadU(d, row + j * width));
  hn::StoreU(most, d, best + lane);
}

template <bool kBand, bool kPlaces>
void align_all(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  const std::size_t width = hn::Lanes(D());
  thread_local std::vector<std::int16_t> row;
  row.resize(columns.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    align_lanes<kBand, kPlaces>(rows, columns, lane, row.data(), best);
  }
}

void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  if (!rows.band) return align_all<false, false>(rows, columns, best);
  return rows.places ? align_all<true, true>(rows, columns, best) : align_all<true, false>(rows, columns, best);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(rated_align);
}  // namespace

void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  if (plain_forced()) return rated_align_plain(rows, columns, best);
  HWY_DYNAMIC_DISPATCH(rated_align)(rows, columns, best);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
