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
using DW = hn::CappedTag<std::int16_t, kBatch>;  // features are worked out in 16 bits
using VW = hn::Vec<DW>;

HWY_INLINE V apart(V a, V b) { return hn::Sub(hn::Max(a, b), hn::Min(a, b)); }

/// Windows of the documents, laid out [column][code, what the pairing needs, gap, there][lane]; `there` is 255 for
/// windows that a document has, else 0. A pairing needs
///   shape                  what a pair that differs loses, for rows of each of the four classes
///   interval, pitch_area   first, second and third
///   pitch_and_time         first and second
constexpr std::size_t kClasses = 4;
constexpr std::size_t kGapPart = 1 + kClasses;
constexpr std::size_t kTherePart = kGapPart + 1;
constexpr std::size_t kParts = kTherePart + 1;

/// A functional limited and times its factor, rounded down.
HWY_INLINE VW costing(VW value, std::int16_t factor) {
  const DW d;
  const VW limited = hn::Max(hn::Set(d, -kFunctionalLimit), hn::Min(hn::Set(d, kFunctionalLimit), value));
  return hn::ShiftRight<8>(hn::Mul(limited, hn::Set(d, factor)));
}

/// A feature of intervals (interval_features).
HWY_INLINE VW feature_of(VW value, std::int16_t factor) {
  const DW d;
  const VW limited = hn::Max(hn::Set(d, -kFunctionalLimit), hn::Min(hn::Set(d, kFunctionalLimit), value));
  const VW product = hn::Mul(limited, hn::Set(d, factor));
  return hn::Add(hn::Set(d, 128), hn::Max(hn::Set(d, -127), hn::Min(hn::Set(d, 127), product)));
}

HWY_INLINE void make_columns(const GainRows& rows, const Columns& columns, std::uint8_t* HWY_RESTRICT out) {
  const DW d;
  const hn::Rebind<std::uint8_t, DW> bytes;
  const bool shape = rows.pairing == WindowPlan::Pairing::shape;
  const bool curves = rows.pairing == WindowPlan::Pairing::pitch_and_time;
  const VW zero = hn::Zero(d);
  HWY_ALIGN std::int16_t lengths[kBatch];
  for (std::size_t k = 0; k < kBatch; ++k) {
    lengths[k] = static_cast<std::int16_t>(HWY_MIN(columns.length[k], 32000U));
  }
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(d)) {
    const VW length = hn::LoadU(d, lengths + lane);
    const auto interval = [&](std::size_t j) HWY_ATTR {
      const std::int16_t* const at = columns.pitch.data() + j * kBatch + lane;
      return hn::Sub(hn::LoadU(d, at + kBatch), hn::LoadU(d, at));
    };
    VW u = interval(0);
    VW v = interval(1);
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      VW code = hn::Add(u, hn::Mul(v, hn::Set(d, 29)));
      VW gap = hn::Set(d, rows.document_gap);
      VW w = v;
      std::uint8_t* const at = out + j * kParts * kBatch + lane;
      const auto put = [&](std::size_t part, VW value)
                           HWY_ATTR { hn::StoreU(hn::DemoteTo(bytes, value), bytes, at + part * kBatch); };
      if (shape) {
        const auto down1 = hn::Not(hn::Gt(u, zero));
        const auto up1 = hn::Not(hn::Lt(u, zero));
        const auto down2 = hn::Not(hn::Gt(v, zero));
        const auto up2 = hn::Not(hn::Lt(v, zero));
        const auto lost = [&](auto is, auto opposite) HWY_ATTR {
          const VW unlike = hn::IfThenElse(opposite, hn::Set(d, rows.opposite), hn::Set(d, rows.unlike));
          return hn::IfThenElse(is, hn::Set(d, rows.same), unlike);
        };
        const auto valley = hn::And(down1, up2);
        const auto hill = hn::And(up1, down2);
        const auto rise = hn::And(up1, up2);
        const auto fall = hn::And(down1, down2);
        put(1, lost(valley, hill));  // in the order of Test
        put(2, lost(hill, valley));
        put(3, lost(rise, fall));
        put(4, lost(fall, rise));
      } else if (!curves) {
        put(1, feature_of(u, rows.factor[0]));
        put(2, feature_of(v, rows.factor[0]));
        put(3, feature_of(hn::Add(u, v), rows.factor[1]));
      }
      if (!curves) {
        if (j + 1 < columns.columns()) w = interval(j + 2);
      } else {
        w = interval(j + 2);
        const VW whole = hn::Add(hn::Add(u, w), hn::ShiftLeft<2>(v));
        const VW halves = hn::Sub(u, w);
        code = hn::Add(code, hn::Mul(w, hn::Set(d, 71)));
        put(1, hn::Add(hn::Set(d, 128), costing(whole, rows.factor[0])));
        put(2, hn::Add(hn::Set(d, 128), costing(halves, rows.factor[1])));
        gap = hn::Max(costing(hn::Abs(whole), rows.factor[0]), costing(hn::Abs(halves), rows.factor[1]));
      }
      const auto there = hn::Gt(length, hn::Set(d, static_cast<std::int16_t>(j)));
      put(0, hn::And(code, hn::Set(d, 0xFF)));
      put(kGapPart, hn::IfThenElse(there, gap, hn::Set(d, 255)));
      put(kTherePart, hn::IfThenElseZero(there, hn::Set(d, 255)));
      u = v;
      v = w;
    }
  }
}

/// A row against vectors of columns: the corner with what a pair gains; and what a column that all documents have costs
/// to leave out.
struct ShapeGain {
  V code, match, other, document_gap;
  std::size_t lost_part;
  HWY_INLINE ShapeGain(const GainRows& rows, std::size_t i)
      : code(hn::Set(D(), rows.code[i])),
        match(hn::Set(D(), rows.match[i])),
        other(hn::Set(D(), rows.other[i])),
        document_gap(hn::Set(D(), rows.document_gap)),
        lost_part(rows.first[i] == kValley ? 1U
                  : rows.first[i] == kHill ? 2U
                  : rows.first[i] == kRise ? 3U
                                           : 4U) {}
  HWY_INLINE V paired(V corner, const std::uint8_t* HWY_RESTRICT at) const {
    const D d;
    const V unlike = hn::SaturatedSub(hn::SaturatedAdd(corner, other), hn::LoadU(d, at + lost_part * kBatch));
    return hn::IfThenElse(hn::Eq(hn::LoadU(d, at), code), hn::SaturatedAdd(corner, match), unlike);
  }
  HWY_INLINE V gap(const std::uint8_t* HWY_RESTRICT /*at*/) const { return document_gap; }
};

struct IntervalGain {
  V code, first, second, third, match, other, same, document_gap;
  HWY_INLINE IntervalGain(const GainRows& rows, std::size_t i)
      : code(hn::Set(D(), rows.code[i])),
        first(hn::Set(D(), rows.first[i])),
        second(hn::Set(D(), rows.second[i])),
        third(hn::Set(D(), rows.third[i])),
        match(hn::Set(D(), rows.match[i])),
        other(hn::Set(D(), rows.other[i])),
        same(hn::Set(D(), rows.same)),
        document_gap(hn::Set(D(), rows.document_gap)) {}
  HWY_INLINE V paired(V corner, const std::uint8_t* HWY_RESTRICT at) const {
    const D d;
    const V both =
        hn::SaturatedAdd(apart(hn::LoadU(d, at + kBatch), first), apart(hn::LoadU(d, at + 2 * kBatch), second));
    const V lost = hn::Max(hn::Max(same, both), apart(hn::LoadU(d, at + 3 * kBatch), third));
    return hn::IfThenElse(hn::Eq(hn::LoadU(d, at), code), hn::SaturatedAdd(corner, match),
                          hn::SaturatedSub(hn::SaturatedAdd(corner, other), lost));
  }
  HWY_INLINE V gap(const std::uint8_t* HWY_RESTRICT /*at*/) const { return document_gap; }
};

struct CurveGain {
  V code, whole, halves, match, other;
  HWY_INLINE CurveGain(const GainRows& rows, std::size_t i)
      : code(hn::Set(D(), rows.code[i])),
        whole(hn::Set(D(), rows.first[i])),
        halves(hn::Set(D(), rows.second[i])),
        match(hn::Set(D(), rows.match[i])),
        other(hn::Set(D(), rows.other[i])) {}
  HWY_INLINE V paired(V corner, const std::uint8_t* HWY_RESTRICT at) const {
    const D d;
    const V area = hn::Max(apart(hn::LoadU(d, at + kBatch), whole), apart(hn::LoadU(d, at + 2 * kBatch), halves));
    const auto same = hn::Eq(hn::LoadU(d, at), code);
    const V gained = hn::SaturatedAdd(corner, hn::IfThenElse(same, match, other));
    return hn::SaturatedSub(gained, hn::IfThenZeroElse(same, hn::SaturatedSub(area, hn::Set(d, 1))));
  }
  HWY_INLINE V gap(const std::uint8_t* HWY_RESTRICT at) const { return hn::LoadU(D(), at + kGapPart * kBatch); }
};

/// As many documents as a vector has lanes, all of which have the first `common` columns.
template <typename Pairing>
HWY_INLINE void align_lanes(const GainRows& rows, std::size_t lane, std::size_t common, std::size_t count,
                            const std::uint8_t* HWY_RESTRICT parts, std::uint8_t* HWY_RESTRICT row,
                            std::uint8_t* best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto part = [&](std::size_t j, std::size_t p)
                        HWY_ATTR { return hn::LoadU(d, parts + (j * kParts + p) * kBatch + lane); };
  V border = hn::Set(d, rows.start);
  V left = border;
  for (std::size_t j = 0; j < count; ++j) {
    left = hn::SaturatedSub(left, part(j, kGapPart));
    hn::StoreU(left, d, row + j * width);
  }
  V most = hn::Zero(d);
  for (std::size_t i = 0; i < rows.gap.size(); ++i) {
    const Pairing pairing(rows, i);
    const V gap = hn::Set(d, rows.gap[i]);
    V corner = border;
    border = hn::SaturatedSub(border, gap);
    left = border;
    for (std::size_t j = 0; j < common; ++j) {
      const std::uint8_t* const at = parts + j * kParts * kBatch + lane;
      const V above = hn::LoadU(d, row + j * width);
      left = hn::Max(hn::Max(pairing.paired(corner, at), hn::SaturatedSub(above, gap)),
                     hn::SaturatedSub(left, pairing.gap(at)));
      corner = above;
      hn::StoreU(left, d, row + j * width);
      most = hn::Max(most, left);
    }
    for (std::size_t j = common; j < count; ++j) {
      const std::uint8_t* const at = parts + j * kParts * kBatch + lane;
      const V above = hn::LoadU(d, row + j * width);
      const V pair = hn::And(pairing.paired(corner, at), part(j, kTherePart));
      left = hn::Max(hn::Max(pair, hn::SaturatedSub(above, gap)), hn::SaturatedSub(left, part(j, kGapPart)));
      corner = above;
      hn::StoreU(left, d, row + j * width);
      most = hn::Max(most, left);
    }
  }
  if (rows.aligner == Aligner::global) {
    // The last column that each document has.
    for (std::size_t j = 0; j < count; ++j) {
      most = hn::IfThenElse(hn::Ne(part(j, kTherePart), hn::Zero(d)), hn::LoadU(d, row + j * width), most);
    }
  }
  hn::StoreU(most, d, best + lane);
}

}  // namespace

void window_gains(const GainRows& rows, const Columns& columns, std::uint8_t* best) {
  if (columns.columns() == 0) return window_gains_plain(rows, columns, best);
  thread_local AlignedVector<std::uint8_t> parts;
  thread_local AlignedVector<std::uint8_t> row;
  const std::size_t count = columns.columns();
  parts.resize(count * kParts * kBatch);
  row.resize(count * kBatch);
  make_columns(rows, columns, parts.data());
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(D())) {
    std::size_t common = count;
    for (std::size_t k = lane; k < lane + hn::Lanes(D()); ++k) common = HWY_MIN(common, columns.length[k]);
    switch (rows.pairing) {
      case WindowPlan::Pairing::shape:
        align_lanes<ShapeGain>(rows, lane, common, count, parts.data(), row.data(), best);
        break;
      case WindowPlan::Pairing::interval:
      case WindowPlan::Pairing::pitch_area:
        align_lanes<IntervalGain>(rows, lane, common, count, parts.data(), row.data(), best);
        break;
      case WindowPlan::Pairing::pitch_and_time:
        align_lanes<CurveGain>(rows, lane, common, count, parts.data(), row.data(), best);
        break;
    }
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
