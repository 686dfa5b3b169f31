// Compiled once for every instruction set; window_gains_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/window_gains_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/simd.h"
#include "search/kernels/window_gains.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(window_gains);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint8_t, kBatch>;
using V = hn::Vec<D>;
using DW = hn::CappedTag<std::int16_t, kBatch>;  // intervals have 16 bits
using VW = hn::Vec<DW>;

/// Windows of the documents, laid out [column][code, what a pair that differs loses by the row's class][lane].
constexpr std::size_t kParts = 5;

HWY_INLINE void make_columns(const GainRows& rows, const Columns& columns, std::uint8_t* HWY_RESTRICT out) {
  const DW d;
  const hn::Rebind<std::uint8_t, DW> bytes;
  const VW zero = hn::Zero(d);
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(d)) {
    const auto interval = [&](std::size_t j) HWY_ATTR {
      const std::int16_t* const at = columns.pitch.data() + j * kBatch + lane;
      return hn::Sub(hn::LoadU(d, at + kBatch), hn::LoadU(d, at));
    };
    VW u = interval(0);
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      const VW v = interval(j + 1);
      std::uint8_t* const at = out + j * kParts * kBatch + lane;
      const auto put = [&](std::size_t part, VW value)
                           HWY_ATTR { hn::StoreU(hn::DemoteTo(bytes, value), bytes, at + part * kBatch); };
      const auto down1 = hn::Not(hn::Gt(u, zero));
      const auto up1 = hn::Not(hn::Lt(u, zero));
      const auto down2 = hn::Not(hn::Gt(v, zero));
      const auto up2 = hn::Not(hn::Lt(v, zero));
      const auto lost = [&](auto is, auto opposite) HWY_ATTR {
        const VW unlike = hn::IfThenElse(opposite, hn::Set(d, rows.loss_opposite), hn::Set(d, rows.loss_unlike));
        return hn::IfThenElse(is, hn::Set(d, rows.loss_same), unlike);
      };
      const auto valley = hn::And(down1, up2);
      const auto hill = hn::And(up1, down2);
      const auto rise = hn::And(up1, up2);
      const auto fall = hn::And(down1, down2);
      put(0, hn::And(hn::Add(u, hn::Mul(v, hn::Set(d, 29))), hn::Set(d, 0xFF)));
      put(1, lost(valley, hill));  // in the order of Test
      put(2, lost(hill, valley));
      put(3, lost(rise, fall));
      put(4, lost(fall, rise));
      u = v;
    }
  }
}

/// As many documents as a vector has lanes.
HWY_INLINE void align_lanes(const GainRows& rows, const Columns& columns, std::size_t lane,
                            const std::uint8_t* HWY_RESTRICT parts, std::uint8_t* HWY_RESTRICT row,
                            std::uint8_t* best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t count = columns.columns();
  const V document_gap = hn::Set(d, rows.document_gap);
  const V border = hn::Set(d, rows.start);
  V left = border;
  for (std::size_t j = 0; j < count; ++j) {
    left = hn::SaturatedSub(left, document_gap);
    hn::StoreU(left, d, row + j * width);
  }
  for (std::size_t i = 0; i < rows.code.size(); ++i) {
    const V code = hn::Set(d, rows.code[i]);
    const V match = hn::Set(d, rows.match[i]);
    const V other = hn::Set(d, rows.other[i]);
    const std::size_t lost = rows.is[i] == kValley ? 1 : rows.is[i] == kHill ? 2 : rows.is[i] == kRise ? 3 : 4;
    V corner = border;
    left = border;
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint8_t* const at = parts + j * kParts * kBatch + lane;
      const V above = hn::LoadU(d, row + j * width);
      const V unlike = hn::SaturatedSub(hn::SaturatedAdd(corner, other), hn::LoadU(d, at + lost * kBatch));
      const V pair = hn::IfThenElse(hn::Eq(hn::LoadU(d, at), code), hn::SaturatedAdd(corner, match), unlike);
      left = hn::Max(hn::Max(pair, above), hn::SaturatedSub(left, document_gap));
      corner = above;
      hn::StoreU(left, d, row + j * width);
    }
  }
  // The last column that each document has.
  for (std::size_t k = 0; k < width; ++k) {
    const std::size_t length = columns.length[lane + k];
    best[lane + k] = length == 0 ? rows.start : row[(length - 1) * width + k];
  }
}

}  // namespace

void window_gains(const GainRows& rows, const Columns& columns, std::uint8_t* best) {
  if (columns.columns() == 0) return window_gains_plain(rows, columns, best);
  thread_local AlignedVector<std::uint8_t> parts;
  thread_local AlignedVector<std::uint8_t> row;
  parts.resize(columns.columns() * kParts * kBatch);
  row.resize(columns.columns() * kBatch);
  make_columns(rows, columns, parts.data());
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(D())) {
    align_lanes(rows, columns, lane, parts.data(), row.data(), best);
  }
}

#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, window_gains, (const GainRows& rows, const Columns& columns, std::uint8_t* best),
               (rows, columns, best));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
