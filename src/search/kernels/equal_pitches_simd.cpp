// Compiled once for every instruction set; equal_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/equal_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/equal_pitches.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(equal_pitches);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;

namespace {

/// What is worked out of the columns before a table is filled; memory that is reused.
struct Prepared {
  AlignedVector<std::int16_t> rows;    ///< three of the table
  AlignedVector<std::int16_t> single;  ///< by column, six times its length
  AlignedVector<std::int16_t> both;  ///< by column, six times its length and that of the one before; 0: of other pitch
  AlignedVector<std::int16_t> end;   ///< by column, when it ends
};

constexpr std::int16_t kHalf = PitchLengths::kMostUnits / 2;
constexpr std::int16_t six_times(int length) { return static_cast<std::int16_t>(6 * HWY_MIN(length, int{kHalf})); }

/// Cells hold what a stretch brings and, added to it, all that lies before its end in both melodies. So to leave out a
/// note is free, a pair of notes brings 2(a+b) - 3|a-b| + a + b = 6 min(a, b), one against two likewise, and to begin
/// anew brings the ends.
HWY_INLINE void align_lanes(const PitchLengths& batch, std::size_t lane, Prepared& prepared,
                            std::int16_t* HWY_RESTRICT best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t columns = batch.columns;
  const std::size_t row_size = (columns + 1) * width;
  std::int16_t* const rows = prepared.rows.data();
  V before = hn::Zero(d);
  V end = hn::Zero(d);
  hn::StoreU(end, d, rows + 2 * row_size);  // above the first row
  auto pitch_before = hn::Set(d, PitchLengths::kNoPitch);
  for (std::size_t j = 0; j < columns; ++j) {
    const V length = hn::LoadU(d, batch.length.data() + j * kBatch + lane);
    const V pitch = hn::LoadU(d, batch.pitch.data() + j * kBatch + lane);
    // No pair lasts longer than half of all.
    const V six = hn::Mul(hn::Min(length, hn::Set(d, kHalf)), hn::Set(d, 6));
    hn::StoreU(six, d, prepared.single.data() + j * width);
    const V both = hn::IfThenElseZero(hn::Eq(pitch, pitch_before), hn::SaturatedAdd(six, before));
    hn::StoreU(both, d, prepared.both.data() + j * width);
    end = hn::Add(end, length);
    hn::StoreU(end, d, prepared.end.data() + j * width);
    hn::StoreU(end, d, rows + 2 * row_size + (j + 1) * width);
    before = six;
    pitch_before = pitch;
  }
  V most = hn::Zero(d);
  std::int16_t until = 0;  // end of the row
  for (std::size_t i = 0; i < batch.query_pitch.size(); ++i) {
    std::int16_t* const row = rows + (i % 3) * row_size;
    const std::int16_t* const above = rows + ((i + 2) % 3) * row_size;
    const std::int16_t* const above_two = rows + ((i + 1) % 3) * row_size;
    const std::int16_t length = batch.query_length[i];
    until = static_cast<std::int16_t>(until + length);
    const V pitch = hn::Set(d, batch.query_pitch[i]);
    const V own = hn::Set(d, six_times(length));
    const V own_end = hn::Set(d, until);
    const bool repeated = i > 0 && batch.query_pitch[i] == batch.query_pitch[i - 1];
    const V joined = hn::Set(d, repeated ? six_times(length + batch.query_length[i - 1]) : std::int16_t{0});
    V left = own_end;
    hn::StoreU(left, d, row);
    V corner = hn::LoadU(d, above);
    V before_corner = corner;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t at = j * width;
      const V single = hn::LoadU(d, prepared.single.data() + at);
      V matched = hn::Add(corner, hn::Min(own, single));
      matched = hn::Max(matched, hn::Add(before_corner, hn::Min(own, hn::LoadU(d, prepared.both.data() + at))));
      if (repeated) matched = hn::Max(matched, hn::Add(hn::LoadU(d, above_two + at), hn::Min(joined, single)));
      const auto same = hn::Eq(hn::LoadU(d, batch.pitch.data() + j * kBatch + lane), pitch);
      const V begin = hn::Add(hn::LoadU(d, prepared.end.data() + at), own_end);
      const V up = hn::LoadU(d, above + at + width);
      left = hn::Max(left, hn::Max(hn::Max(up, begin), hn::IfThenElseZero(same, matched)));
      hn::StoreU(left, d, row + at + width);
      most = hn::Max(most, hn::Sub(left, begin));
      before_corner = corner;
      corner = up;
    }
  }
  hn::StoreU(most, d, best + lane);
}

}  // namespace

void equal_pitches(const PitchLengths& batch, std::int16_t* best) {
  const std::size_t width = hn::Lanes(D());
  thread_local Prepared prepared;
  prepared.rows.resize(3 * (batch.columns + 1) * width);
  for (auto* part : {&prepared.single, &prepared.both, &prepared.end}) part->resize(batch.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) align_lanes(batch, lane, prepared, best);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, equal_pitches, (const PitchLengths& batch, std::int16_t* best), (batch, best));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
