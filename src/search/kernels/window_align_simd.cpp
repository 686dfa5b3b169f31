// Compiled once for every instruction set; see window_align.h for what it does and window_align_plain.cpp for its
// scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/window_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/simd.h"
#include "search/kernels/window_align.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(window_align);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;

HWY_INLINE V apart(V a, V b) { return hn::Sub(hn::Max(a, b), hn::Min(a, b)); }

using DF = hn::RebindToFloat<hn::RepartitionToWide<D> >;  // half as many lanes
using VF = hn::Vec<DF>;

/// Features of the documents' windows for one vector of lanes, laid out [column][feature 0..3, gap][lane].
struct Windows {
  const std::int16_t* at;
  std::size_t width;
  static constexpr std::size_t kParts = 5;
  HWY_INLINE V feature(D d, std::size_t column, std::size_t f) const {
    return hn::LoadU(d, at + (column * kParts + f) * width);
  }
  HWY_INLINE V gap(D d, std::size_t column) const { return feature(d, column, 4); }
};

HWY_INLINE V scaled(D d, V value, std::int16_t factor) {
  const auto most = static_cast<std::int16_t>(kFeatureLimit / HWY_MAX(1, static_cast<int>(factor)));
  const V limited = hn::Max(hn::Set(d, static_cast<std::int16_t>(-most)), hn::Min(hn::Set(d, most), value));
  return hn::Mul(limited, hn::Set(d, factor));
}

HWY_INLINE VF limited(DF d, VF value) {
  return hn::Max(hn::Set(d, -static_cast<float>(kFeatureLimit)),
                 hn::Min(hn::Set(d, static_cast<float>(kFeatureLimit)), value));
}

/// The time curve's two features for half a vector of lanes.
HWY_INLINE void time_half(const float* duration, const float* factor, hn::Vec<hn::RebindToSigned<DF> >* out) {
  const DF d;
  const VF one = hn::Div(hn::Set(d, 1.0F), hn::LoadU(d, duration));
  const VF first = hn::Mul(hn::LoadU(d, duration + kBatch), one);
  const VF second = hn::Mul(hn::LoadU(d, duration + 2 * kBatch), one);
  const VF third = hn::Mul(hn::LoadU(d, duration + 3 * kBatch), one);
  const VF whole = hn::Add(hn::Mul(hn::Sub(second, first), hn::Set(d, 3.0F)), third);
  const VF halves = hn::Sub(hn::Add(first, second), third);
  out[0] = hn::NearestInt(limited(d, hn::Mul(whole, hn::Set(d, factor[0]))));
  out[1] = hn::NearestInt(limited(d, hn::Mul(halves, hn::Set(d, factor[1]))));
}

HWY_INLINE V combine(D d, hn::Vec<hn::RebindToSigned<DF> > low, hn::Vec<hn::RebindToSigned<DF> > high) {
  const hn::Rebind<std::int16_t, hn::RebindToSigned<DF> > half;
  return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

/// Fills `out` with the windows of the lanes from `lane` on.
HWY_INLINE void make_windows(const Job& job, std::size_t lane, std::int16_t* HWY_RESTRICT out) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const Columns& columns = *job.columns;
  const Rows& rows = *job.rows;
  const V zero = hn::Zero(d);
  HWY_ALIGN std::int16_t lengths[kBatch];
  for (std::size_t k = 0; k < width; ++k) {
    lengths[k] = static_cast<std::int16_t>(HWY_MIN(columns.length[lane + k], 32000U));
  }
  const V length = hn::Load(d, lengths);
  const V nowhere = hn::Set(d, -9000);
  const std::size_t count = columns.columns();
  for (std::size_t j = 0; j < count; ++j) {
    const auto pitch = [&](std::size_t k)
                           HWY_ATTR { return hn::LoadU(d, columns.pitch.data() + (j + k) * kBatch + lane); };
    const V first = hn::Sub(pitch(1), pitch(0));
    const V second = hn::Sub(pitch(2), pitch(1));
    V feature[4] = {zero, zero, zero, zero};
    V gap = hn::Set(d, rows.document_gap);
    if (job.pairing == WindowPlan::Pairing::shape) {
      feature[0] = hn::Or(hn::ShiftLeft<8>(first), hn::And(second, hn::Set(d, 0xFF)));
      const auto down1 = hn::Not(hn::Gt(first, zero));
      const auto down2 = hn::Not(hn::Gt(second, zero));
      const auto up1 = hn::Not(hn::Lt(first, zero));
      const auto up2 = hn::Not(hn::Lt(second, zero));
      const auto bit = [&](auto mask, std::int16_t value)
                           HWY_ATTR { return hn::IfThenElseZero(mask, hn::Set(d, value)); };
      feature[1] = hn::Or(hn::Or(bit(hn::And(down1, up2), kValley), bit(hn::And(up1, down2), kHill)),
                          hn::Or(bit(hn::And(up1, up2), kRise), bit(hn::And(down1, down2), kFall)));
    } else if (job.pairing == WindowPlan::Pairing::pitch_and_time) {
      const V third = hn::Sub(pitch(3), pitch(2));
      const V whole = hn::Add(hn::Add(first, third), hn::ShiftLeft<2>(second));
      feature[0] = scaled(d, whole, rows.factor[0]);
      feature[1] = scaled(d, hn::Sub(first, third), rows.factor[1]);
      gap = hn::Neg(hn::Max(hn::Abs(feature[0]), hn::Abs(feature[1])));
      const float* duration = columns.duration.data() + j * kBatch + lane;
      hn::Vec<hn::RebindToSigned<DF> > low[2];
      hn::Vec<hn::RebindToSigned<DF> > high[2];
      time_half(duration, rows.time_factor, low);
      time_half(duration + width / 2, rows.time_factor, high);
      feature[2] = combine(d, low[0], high[0]);
      feature[3] = combine(d, low[1], high[1]);
    } else {
      feature[0] = scaled(d, first, rows.factor[0]);
      feature[1] = scaled(d, second, rows.factor[0]);
    }
    const auto there = hn::Gt(length, hn::Set(d, static_cast<std::int16_t>(j)));
    std::int16_t* at = out + j * Windows::kParts * width;
    for (std::size_t f = 0; f < 4; ++f) hn::StoreU(hn::IfThenElse(there, feature[f], nowhere), d, at + f * width);
    hn::StoreU(hn::IfThenElse(there, gap, hn::Set(d, -32768)), d, at + 4 * width);
  }
}

struct Shape {
  V code, same_bit, opposite_bit, match, same, other, opposite;
  HWY_INLINE Shape(D d, const Rows& rows, std::size_t i)
      : code(hn::Set(d, rows.feature[0][i])),
        same_bit(hn::Set(d, rows.feature[1][i])),
        opposite_bit(hn::Set(d, rows.feature[2][i])),
        match(hn::Set(d, rows.match[i])),
        same(hn::Set(d, rows.same)),
        other(hn::Set(d, rows.other)),
        opposite(hn::Set(d, rows.opposite)) {}
  HWY_INLINE V pair(D d, const Windows& windows, std::size_t j) const {
    const V tests = windows.feature(d, j, 1);
    const V unlike = hn::IfThenElse(hn::TestBit(tests, opposite_bit), opposite, other);
    const V mismatch = hn::IfThenElse(hn::TestBit(tests, same_bit), same, unlike);
    return hn::IfThenElse(hn::Eq(windows.feature(d, j, 0), code), match, mismatch);
  }
};

struct Interval {
  V first, second, match;
  HWY_INLINE Interval(D d, const Rows& rows, std::size_t i)
      : first(hn::Set(d, rows.feature[0][i])),
        second(hn::Set(d, rows.feature[1][i])),
        match(hn::Set(d, rows.match[i])) {}
  HWY_INLINE V pair(D d, const Windows& windows, std::size_t j) const {
    const V sum = hn::SaturatedAdd(apart(windows.feature(d, j, 0), first), apart(windows.feature(d, j, 1), second));
    return hn::IfThenElse(hn::Eq(sum, hn::Zero(d)), match, hn::Neg(sum));
  }
};

struct PitchArea {
  V first, second, match;
  HWY_INLINE PitchArea(D d, const Rows& rows, std::size_t i)
      : first(hn::Set(d, rows.feature[0][i])),
        second(hn::Set(d, rows.feature[1][i])),
        match(hn::Set(d, rows.match[i])) {}
  HWY_INLINE V pair(D d, const Windows& windows, std::size_t j) const {
    const V a = hn::Sub(first, windows.feature(d, j, 0));
    const V b = hn::Sub(second, windows.feature(d, j, 1));
    const V sum = hn::SaturatedAdd(hn::Abs(a), hn::Abs(b));
    const V half = hn::Abs(hn::Add(a, b));
    const V area = hn::Max(sum, hn::SaturatedAdd(half, half));
    return hn::IfThenElse(hn::Eq(sum, hn::Zero(d)), match, hn::Neg(area));
  }
};

struct PitchAndTime {
  V feature[4];
  V match, match_time;
  HWY_INLINE PitchAndTime(D d, const Rows& rows, std::size_t i)
      : feature{hn::Set(d, rows.feature[0][i]), hn::Set(d, rows.feature[1][i]), hn::Set(d, rows.feature[2][i]),
                hn::Set(d, rows.feature[3][i])},
        match(hn::Set(d, rows.match[i])),
        match_time(hn::Set(d, rows.match_time)) {}
  HWY_INLINE V pair(D d, const Windows& windows, std::size_t j) const {
    const V zero = hn::Zero(d);
    const V pitch = hn::Max(apart(windows.feature(d, j, 0), feature[0]), apart(windows.feature(d, j, 1), feature[1]));
    const V rough = hn::Max(apart(windows.feature(d, j, 2), feature[2]), apart(windows.feature(d, j, 3), feature[3]));
    const V time = hn::Max(zero, hn::Sub(rough, hn::Set(d, 2)));
    return hn::SaturatedAdd(hn::IfThenElse(hn::Eq(pitch, zero), match, hn::Neg(pitch)),
                            hn::IfThenElse(hn::Eq(time, zero), match_time, hn::Neg(time)));
  }
};

template <typename Pairing, bool kLocal>
HWY_INLINE void align_lanes(const Job& job, std::size_t lane, const std::int16_t* HWY_RESTRICT parts,
                            std::int16_t* HWY_RESTRICT row, std::int16_t* HWY_RESTRICT best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const Rows& rows = *job.rows;
  const std::size_t count = job.columns->columns();
  const Windows windows{parts, width};
  const V zero = hn::Zero(d);
  V border = zero;
  for (std::size_t j = 0; j < count; ++j) {
    if (!kLocal) border = hn::SaturatedAdd(border, windows.gap(d, j));
    hn::StoreU(border, d, row + j * width);
  }
  const V enough = hn::Set(d, job.enough);
  const V too_low = hn::Set(d, static_cast<std::int16_t>(job.enough - 1));
  V most = kLocal ? zero : hn::Set(d, -32768);
  auto beyond_reach = hn::MaskFromVec(zero);
  V left_border = zero;
  for (std::size_t i = 0; i < rows.gap.size(); ++i) {
    const Pairing pairing(d, rows, i);
    const V gap = hn::Set(d, rows.gap[i]);
    V corner = left_border;
    if (!kLocal) left_border = hn::SaturatedAdd(left_border, gap);
    V left = left_border;
    for (std::size_t j = 0; j < count; ++j) {
      const V above = hn::LoadU(d, row + j * width);
      const V across = hn::SaturatedAdd(left, windows.gap(d, j));
      V cell =
          hn::Max(hn::SaturatedAdd(corner, pairing.pair(d, windows, j)), hn::Max(hn::SaturatedAdd(above, gap), across));
      if (kLocal) cell = hn::Max(cell, zero);
      corner = above;
      left = cell;
      hn::StoreU(cell, d, row + j * width);
      most = hn::Max(most, cell);
    }
    // Now and then: which lanes can still get there, from their best cell and with all that is left?
    if ((i + 1) % kRowsBetweenChecks != 0) continue;
    // No more pairs than there are columns to the right.
    const auto rest = [&](std::size_t left) HWY_ATTR {
      return hn::Set(d, static_cast<std::int16_t>(HWY_MIN(static_cast<std::size_t>(rows.rest[i]),
                                                          left * static_cast<std::size_t>(rows.most))));
    };
    V reach = hn::Max(most, hn::SaturatedAdd(left_border, rest(count)));
    for (std::size_t j = 0; j < count; ++j) {
      reach = hn::Max(reach, hn::SaturatedAdd(hn::LoadU(d, row + j * width), rest(count - 1 - j)));
    }
    beyond_reach = hn::Or(beyond_reach, hn::Lt(reach, enough));
    if (hn::AllTrue(d, beyond_reach)) {
      hn::StoreU(too_low, d, best + lane);
      return;
    }
  }
  if (job.aligner == Aligner::global) {
    HWY_ALIGN std::int16_t last[kBatch] = {};
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint32_t length = job.columns->length[lane + k];
      last[k] = length > 0 ? row[(length - 1) * width + k] : std::int16_t{-32768};
    }
    most = hn::Load(d, last);
  }
  hn::StoreU(hn::IfThenElse(hn::Or(beyond_reach, hn::Lt(most, enough)), too_low, most), d, best + lane);
}

template <typename Pairing>
void align_all(const Job& job, std::int16_t* best) {
  const std::size_t width = hn::Lanes(D());
  const std::size_t count = job.columns->columns();
  thread_local AlignedVector<std::int16_t> row;
  thread_local AlignedVector<std::int16_t> parts;
  row.resize(count * width);
  parts.resize(count * width * Windows::kParts);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    make_windows(job, lane, parts.data());
    if (job.aligner == Aligner::local) {
      align_lanes<Pairing, true>(job, lane, parts.data(), row.data(), best);
    } else {
      align_lanes<Pairing, false>(job, lane, parts.data(), row.data(), best);
    }
  }
}

}  // namespace

void window_align(const Job& job, std::int16_t* best) {
  if (job.columns->columns() == 0) return window_align_plain(job, best);
  switch (job.pairing) {
    case WindowPlan::Pairing::shape: return align_all<Shape>(job, best);
    case WindowPlan::Pairing::interval: return align_all<Interval>(job, best);
    case WindowPlan::Pairing::pitch_area: return align_all<PitchArea>(job, best);
    case WindowPlan::Pairing::pitch_and_time: return align_all<PitchAndTime>(job, best);
  }
}

#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, window_align, (const Job& job, std::int16_t* best), (job, best));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
