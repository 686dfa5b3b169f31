// Compiled once for every instruction set; window_losses_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/window_losses_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/simd.h"
#include "search/kernels/window_losses.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(window_losses);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint8_t, kBatch>;
using V = hn::Vec<D>;
using DW = hn::CappedTag<std::int16_t, kBatch>;  // features are worked out in 16 bits
using VW = hn::Vec<DW>;

HWY_INLINE V apart(V a, V b) { return hn::Sub(hn::Max(a, b), hn::Min(a, b)); }

/// Windows of the documents, laid out [column][whole, halves, code, gap][lane].
constexpr std::size_t kParts = 4;

HWY_INLINE void make_columns(const Columns& columns, std::uint8_t* HWY_RESTRICT out) {
  const DW d;
  const hn::Rebind<std::uint8_t, DW> bytes;
  const VW middle = hn::Set(d, 128);
  HWY_ALIGN std::int16_t lengths[kBatch];
  for (std::size_t k = 0; k < kBatch; ++k) {
    lengths[k] = static_cast<std::int16_t>(HWY_MIN(columns.length[k], 32000U));
  }
  const auto three_quarters = [&](VW value)
                                  HWY_ATTR { return hn::ShiftRight<2>(hn::Add(value, hn::Add(value, value))); };
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(d)) {
    const VW length = hn::LoadU(d, lengths + lane);
    const auto interval = [&](std::size_t j) HWY_ATTR {
      const std::int16_t* const at = columns.pitch.data() + j * kBatch + lane;
      return hn::Sub(hn::LoadU(d, at + kBatch), hn::LoadU(d, at));
    };
    VW u = interval(0);
    VW v = interval(1);
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      const VW w = interval(j + 2);
      const VW whole = hn::Add(hn::Add(u, w), hn::ShiftLeft<2>(v));
      const VW halves = hn::Sub(u, w);
      const VW code = hn::Add(u, hn::Add(hn::Mul(v, hn::Set(d, 29)), hn::Mul(w, hn::Set(d, 71))));
      const VW area = hn::Max(hn::Abs(whole), three_quarters(hn::Abs(halves)));
      const auto there = hn::Gt(length, hn::Set(d, static_cast<std::int16_t>(j)));
      std::uint8_t* const at = out + j * kParts * kBatch + lane;
      const auto put = [&](std::size_t part, VW value)
                           HWY_ATTR { hn::StoreU(hn::DemoteTo(bytes, value), bytes, at + part * kBatch); };
      put(0, hn::IfThenElseZero(there, hn::Add(middle, whole)));
      put(1, hn::IfThenElseZero(there, hn::Add(middle, three_quarters(halves))));
      put(2, hn::IfThenElseZero(there, hn::And(code, hn::Set(d, 0xFF))));
      put(3, hn::IfThenElse(there, hn::Min(area, hn::Set(d, 254)), hn::Set(d, 255)));
      u = v;
      v = w;
    }
  }
}

/// As many documents as a vector has lanes.
HWY_INLINE void align_lanes(const LossRows& rows, const LossLimits& limits, std::size_t lane, std::size_t count,
                            const std::uint8_t* HWY_RESTRICT parts, std::uint8_t* HWY_RESTRICT row,
                            std::uint8_t* bits) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto part = [&](std::size_t j, std::size_t which)
                        HWY_ATTR { return hn::LoadU(d, parts + (j * kParts + which) * kBatch + lane); };
  V border = hn::Zero(d);
  for (std::size_t j = 0; j < count; ++j) {
    border = hn::SaturatedAdd(border, part(j, 3));
    hn::StoreU(border, d, row + j * width);
  }
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1);
  const V limit = hn::LoadU(d, limits.lane + lane);
  V needed = hn::Set(d, limits.needed);  // still
  V beyond = zero;                       // gained beyond it
  auto within = hn::MaskFromVec(zero);
  V left_border = zero;
  for (std::size_t i = 0; i < rows.gap.size(); ++i) {
    const V whole = hn::Set(d, rows.whole[i]);
    const V halves = hn::Set(d, rows.halves[i]);
    const V code = hn::Set(d, rows.code[i]);
    const V gap = hn::Set(d, rows.gap[i]);
    V corner = left_border;
    left_border = hn::SaturatedAdd(left_border, gap);
    V left = left_border;
    V least = hn::Set(d, 255);
    auto has_it = hn::MaskFromVec(zero);
    for (std::size_t j = 0; j < count; ++j) {
      const V above = hn::LoadU(d, row + j * width);
      const V area = hn::Max(apart(part(j, 0), whole), hn::SaturatedSub(apart(part(j, 1), halves), one));
      left = hn::Min(hn::Min(hn::SaturatedAdd(corner, area), hn::SaturatedAdd(above, gap)),
                     hn::SaturatedAdd(left, part(j, 3)));
      corner = above;
      hn::StoreU(left, d, row + j * width);
      least = hn::Min(least, left);
      has_it = hn::Or(has_it, hn::Eq(part(j, 2), code));
    }
    const V gain = hn::IfThenElse(has_it, hn::Set(d, rows.gain_both), hn::Set(d, rows.gain_time));
    beyond = hn::SaturatedAdd(beyond, hn::SaturatedSub(gain, needed));
    needed = hn::SaturatedSub(needed, gain);
    const V both = hn::Min(limit, beyond);
    const auto enough = hn::Eq(needed, zero);
    within = hn::Or(within, hn::And(enough, hn::Eq(hn::Min(least, both), least)));
    // Whoever is within stays so; and losses only grow, from those of this row or of having left out all rows so far.
    const V ahead = hn::Min(left_border, least);
    if (hn::AllTrue(d, hn::Or(within, hn::Gt(ahead, limit)))) break;
  }
  hn::StoreMaskBits(d, within, bits);
}

}  // namespace

std::uint64_t window_losses(const LossRows& rows, const Columns& columns, const LossLimits& limits) {
  if (columns.columns() == 0) return window_losses_plain(rows, columns, limits);
  thread_local AlignedVector<std::uint8_t> parts;
  thread_local AlignedVector<std::uint8_t> row;
  const std::size_t count = columns.columns();
  parts.resize(count * kParts * kBatch);
  row.resize(count * kBatch);
  make_columns(columns, parts.data());
  std::uint8_t bits[2 * sizeof(std::uint64_t)] = {};  // more than needed, as StoreMaskBits wants
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(D())) {
    align_lanes(rows, limits, lane, count, parts.data(), row.data(), bits + lane / 8);
  }
  std::uint64_t out = 0;
  hwy::CopyBytes<sizeof out>(bits, &out);
  return out;
}

#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(std::uint64_t, window_losses, (const LossRows& rows, const Columns& columns, const LossLimits& limits),
               (rows, columns, limits));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
