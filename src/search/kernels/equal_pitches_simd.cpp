// Compiled once for every instruction set; equal_pitches_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/equal_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/equal_pitches.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void equal_pitches(const PitchLengths& batch, std::int16_t* best) { equal_pitches_plain(batch, best); }
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;

/// 24 times what two sides last together, less 36 times what they differ by.
HWY_INLINE V gain(D d, V a, V b) {
  return hn::Sub(hn::Mul(hn::Add(a, b), hn::Set(d, 24)), hn::Mul(hn::Abs(hn::Sub(a, b)), hn::Set(d, 36)));
}

/// `rows` holds three rows of the table, each with a border of one cell in front.
HWY_INLINE void align_lanes(const PitchLengths& batch, std::size_t lane, std::int16_t* HWY_RESTRICT rows,
                            std::int16_t* HWY_RESTRICT best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t row_size = (batch.columns + 1) * width;
  const V zero = hn::Zero(d);
  const V never = hn::Set(d, -30000);
  for (std::size_t k = 0; k < 3 * row_size; k += width) hn::StoreU(zero, d, rows + k);
  V most = zero;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    std::int16_t* const row = rows + (i % 3) * row_size;
    const std::int16_t* const above = rows + ((i + 2) % 3) * row_size;
    const std::int16_t* const above_two = rows + ((i + 1) % 3) * row_size;
    const V own = hn::LoadU(d, batch.query_length.data() + i * kBatch + lane);
    const V before = i > 0 ? hn::LoadU(d, batch.query_length.data() + (i - 1) * kBatch + lane) : zero;
    const V pitch = hn::Set(d, batch.query_pitch[i]);
    const V pitch_before = hn::Set(d, i > 0 ? batch.query_pitch[i - 1] : PitchLengths::kNoPitch);
    const auto repeated = i > 0 ? hn::Eq(pitch, pitch_before) : hn::Lt(zero, zero);
    const V gap = hn::Mul(own, hn::Set(d, -12));
    const V joined = hn::Add(own, before);
    V left = zero;
    V last = zero;  // length of the document's note before this one, and whether it has the pitch
    auto last_same = hn::Lt(zero, zero);
    for (std::size_t j = 0; j < batch.columns; ++j) {
      const V other = hn::LoadU(d, batch.length.data() + j * kBatch + lane);
      const auto same = hn::Eq(hn::LoadU(d, batch.pitch.data() + j * kBatch + lane), pitch);
      const V pair = hn::Add(hn::LoadU(d, above + j * width), gain(d, own, other));
      V cell = hn::Max(zero, hn::Max(hn::Add(hn::LoadU(d, above + (j + 1) * width), gap),
                                     hn::Add(left, hn::Mul(other, hn::Set(d, -12)))));
      V matched = pair;
      if (j > 0) {
        const V split = hn::Add(hn::LoadU(d, above + (j - 1) * width), gain(d, own, hn::Add(last, other)));
        matched = hn::Max(matched, hn::IfThenElse(last_same, split, never));
      }
      const V join = hn::Add(hn::LoadU(d, above_two + j * width), gain(d, joined, other));
      matched = hn::Max(matched, hn::IfThenElse(repeated, join, never));
      cell = hn::Max(cell, hn::IfThenElse(same, matched, never));
      hn::StoreU(cell, d, row + (j + 1) * width);
      most = hn::Max(most, cell);
      left = cell;
      last = other;
      last_same = same;
    }
  }
  hn::StoreU(most, d, best + lane);
}

void equal_pitches(const PitchLengths& batch, std::int16_t* best) {
  const std::size_t width = hn::Lanes(D());
  thread_local std::vector<std::int16_t> rows;
  rows.resize(3 * (batch.columns + 1) * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) align_lanes(batch, lane, rows.data(), best);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(equal_pitches);
}  // namespace

void equal_pitches(const PitchLengths& batch, std::int16_t* best) {
  if (plain_forced()) return equal_pitches_plain(batch, best);
  HWY_DYNAMIC_DISPATCH(equal_pitches)(batch, best);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
