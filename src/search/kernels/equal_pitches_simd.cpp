// Compiled once for every instruction set; equal_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/equal_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <algorithm>

#include "search/kernels/aligned.h"
#include "search/kernels/equal_pitches.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(equal_pitches);
RONDO_SCALAR(equal_roughly);
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

namespace {

using RoughD = hn::CappedTag<std::uint8_t, kBatch>;
using RoughV = hn::Vec<RoughD>;

/// What is worked out before a table of bytes is filled; memory that is reused.
struct RoughPrepared {
  AlignedVector<std::uint8_t> rows;    ///< three of the table
  AlignedVector<std::uint8_t> pitch;   ///< by column, moved
  AlignedVector<std::uint8_t> gains;   ///< by row's length and column, four vectors: see Gain
  std::vector<std::uint8_t> lengths;   ///< of rows, each once
  std::vector<std::size_t> length_of;  ///< by row, which of them
};

/// What a pair of lengths brings, 2(a+b) - 3|a-b| = 5 min(a, b) - max(a, b): the one, or else the other, is zero.
struct Gain {
  RoughV more, less;
  HWY_INLINE static RoughV five_times(RoughV length) {
    const RoughV twice = hn::SaturatedAdd(length, length);
    return hn::SaturatedAdd(hn::SaturatedAdd(twice, twice), length);
  }
  /// One of the two is at most RoughLengths::kLongest, so the lesser of the products is exact.
  HWY_INLINE Gain(RoughV a, RoughV five_a, RoughV b, RoughV five_b)
      : more(hn::SaturatedSub(hn::Min(five_a, five_b), hn::Max(a, b))),
        less(hn::SaturatedSub(hn::Max(a, b), hn::Min(five_a, five_b))) {}
  HWY_INLINE RoughV operator()(RoughV before) const { return hn::SaturatedAdd(hn::SaturatedSub(before, less), more); }
};

HWY_INLINE RoughV filled(std::size_t value) {
  return hn::Set(RoughD(), static_cast<std::uint8_t>(HWY_MIN(value, std::size_t{255})));
}

/// Gains of each column by itself, and together with the one before it where that is of its pitch.
HWY_INLINE void prepare_roughly(const RoughLengths& batch, std::size_t lane, RoughPrepared& prepared) {
  const RoughD d;
  const hn::RebindToSigned<RoughD> ds;
  const std::size_t width = hn::Lanes(d);
  const RoughV moved = hn::BitCast(d, hn::LoadU(ds, batch.transposition + lane));
  RoughV pitch_before = hn::Set(d, RoughLengths::kNoPitch);
  RoughV before = hn::Zero(d);
  const std::size_t stride = 4 * batch.columns * width;
  for (std::size_t j = 0; j < batch.columns; ++j) {
    const RoughV length = hn::LoadU(d, batch.length.data() + j * kBatch + lane);
    const RoughV pitch = hn::LoadU(d, batch.pitch.data() + j * kBatch + lane);
    hn::StoreU(hn::Sub(pitch, moved), d, prepared.pitch.data() + j * width);
    const RoughV both = hn::Add(length, before);
    const RoughV five = Gain::five_times(length);
    const RoughV five_both = Gain::five_times(both);
    const auto repeated = hn::Eq(pitch, pitch_before);
    std::uint8_t* out = prepared.gains.data() + 4 * j * width;
    for (const std::uint8_t own : prepared.lengths) {
      const RoughV a = hn::Set(d, own);
      const RoughV five_a = filled(std::size_t{5} * own);
      const Gain one(a, five_a, length, five);
      const Gain two(a, five_a, both, five_both);
      hn::StoreU(one.more, d, out);
      hn::StoreU(one.less, d, out + width);
      hn::StoreU(hn::IfThenElseZero(repeated, two.more), d, out + 2 * width);
      hn::StoreU(hn::IfThenElse(repeated, two.less, filled(255)), d, out + 3 * width);
      out += stride;
    }
    before = length;
    pitch_before = pitch;
  }
}

/// Cells hold what the best stretch brings that ends there, or nothing. One that would be beyond the largest byte is
/// that byte, and the result with it; what is computed of it does not matter then.
HWY_INLINE void align_roughly(const RoughLengths& batch, std::size_t lane, RoughPrepared& prepared,
                              std::uint8_t* HWY_RESTRICT best) {
  const RoughD d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t columns = batch.columns;
  const std::size_t row_size = (columns + 1) * width;
  std::fill(prepared.rows.begin(), prepared.rows.end(), std::uint8_t{0});
  std::uint8_t* const rows = prepared.rows.data();
  const std::uint8_t* const pitches = prepared.pitch.data();
  const std::uint8_t* const lengths = batch.length.data() + lane;
  RoughV most = hn::Zero(d);
  for (std::size_t i = 0; i < batch.query_pitch.size(); ++i) {
    std::uint8_t* HWY_RESTRICT row = rows + (i % 3) * row_size;
    const std::uint8_t* const above = rows + ((i + 2) % 3) * row_size;
    const std::uint8_t* const above_two = rows + ((i + 1) % 3) * row_size;
    const std::uint8_t* gains = prepared.gains.data() + prepared.length_of[i] * 4 * columns * width;
    const RoughV own_pitch = hn::Set(d, batch.query_pitch[i]);
    const RoughV own = hn::Set(d, batch.query_length[i]);
    const bool repeated = i > 0 && batch.query_pitch[i] == batch.query_pitch[i - 1];
    const std::size_t joined = repeated ? std::size_t{batch.query_length[i]} + batch.query_length[i - 1] : 0;
    const RoughV own_joined = filled(joined);
    const RoughV five_joined = filled(5 * joined);
    RoughV left = hn::Zero(d);
    RoughV corner = hn::Zero(d);
    RoughV before_corner = hn::Zero(d);
    for (std::size_t j = 0; j < columns; ++j, gains += 4 * width) {
      const RoughV other = hn::LoadU(d, lengths + j * kBatch);
      const auto paired = [&](RoughV before, std::size_t at) HWY_ATTR {
        return hn::SaturatedAdd(hn::SaturatedSub(before, hn::LoadU(d, gains + (at + 1) * width)),
                                hn::LoadU(d, gains + at * width));
      };
      RoughV matched = hn::Max(paired(corner, 0), paired(before_corner, 2));
      if (repeated) {
        const Gain two(own_joined, five_joined, other, Gain::five_times(other));
        matched = hn::Max(matched, two(hn::LoadU(d, above_two + j * width)));
      }
      const auto same = hn::Eq(hn::LoadU(d, pitches + j * width), own_pitch);
      const RoughV up = hn::LoadU(d, above + (j + 1) * width);
      left = hn::Max(hn::SaturatedSub(up, own), hn::SaturatedSub(left, other));
      left = hn::Max(left, hn::IfThenElseZero(same, matched));
      hn::StoreU(left, d, row + (j + 1) * width);
      most = hn::Max(most, left);
      before_corner = corner;
      corner = up;
    }
  }
  hn::StoreU(most, d, best + lane);
}

}  // namespace

void equal_roughly(const RoughLengths& batch, std::uint8_t* best) {
  const std::size_t width = hn::Lanes(RoughD());
  thread_local RoughPrepared prepared;
  prepared.lengths.clear();
  prepared.length_of.clear();
  for (const std::uint8_t length : batch.query_length) {
    const auto known = std::find(prepared.lengths.begin(), prepared.lengths.end(), length);
    prepared.length_of.push_back(static_cast<std::size_t>(known - prepared.lengths.begin()));
    if (known == prepared.lengths.end()) prepared.lengths.push_back(length);
  }
  prepared.rows.resize(3 * (batch.columns + 1) * width);
  prepared.pitch.resize(batch.columns * width);
  prepared.gains.resize(prepared.lengths.size() * 4 * batch.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    prepare_roughly(batch, lane, prepared);
    align_roughly(batch, lane, prepared, best);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, equal_pitches, (const PitchLengths& batch, std::int16_t* best), (batch, best));
RONDO_DISPATCH(void, equal_roughly, (const RoughLengths& batch, std::uint8_t* best), (batch, best));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
