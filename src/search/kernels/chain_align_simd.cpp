// Compiled once for every instruction set; chain_align_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/chain_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/chain_align.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void chain_align(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost) {
  chain_align_plain(rows, columns, cost);
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;
using DU = hn::CappedTag<std::uint16_t, kBatch>;
using VU = hn::Vec<DU>;

/// A structure of the query, in all lanes.
struct Own {
  V kind, size, direction, overlap, forms, kinds;
  HWY_INLINE Own(D d, const ChainRows& rows, std::size_t i)
      : kind(hn::Set(d, rows.kind[i])),
        size(hn::Set(d, rows.part[kChainSize][i])),
        direction(hn::Set(d, rows.part[kChainDirection][i])),
        overlap(hn::Set(d, rows.part[kChainOverlap][i])),
        forms(hn::Set(d, rows.forms)),
        kinds(hn::Set(d, rows.kinds)) {}

  HWY_INLINE VU exchange(D d, const ChainColumns& columns, std::size_t at) const {
    const auto apart = [&](V own, ChainPart part)
                           HWY_ATTR { return hn::Abs(hn::Sub(own, hn::LoadU(d, columns.part[part].data() + at))); };
    // Nothing for the same kind, once `forms` for two forms of one, and what is more stops at `kinds`.
    const V unlike = hn::Xor(kind, hn::LoadU(d, columns.kind.data() + at));
    const V by_kind = hn::Min(hn::Mul(unlike, forms), kinds);
    const V by_form = hn::Add(apart(direction, kChainDirection), apart(overlap, kChainOverlap));
    return hn::BitCast(DU(), hn::Add(hn::Add(by_kind, by_form), apart(size, kChainSize)));
  }
};

HWY_INLINE void align_lanes(const ChainRows& rows, const ChainColumns& columns, std::size_t lane,
                            std::uint16_t* HWY_RESTRICT row, std::uint16_t* HWY_RESTRICT cost) {
  const D d;
  const DU du;
  const std::size_t width = hn::Lanes(du);
  VU border = hn::Zero(du);
  hn::StoreU(border, du, row);
  for (std::size_t j = 0; j < columns.columns; ++j) {
    border = hn::SaturatedAdd(border, hn::LoadU(du, columns.gap.data() + j * kBatch + lane));
    hn::StoreU(border, du, row + (j + 1) * width);
  }
  for (std::size_t i = 0; i < rows.kind.size(); ++i) {
    const Own own(d, rows, i);
    const VU gap = hn::Set(du, rows.gap[i]);
    VU corner = hn::LoadU(du, row);
    VU left = hn::SaturatedAdd(corner, gap);
    hn::StoreU(left, du, row);
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const std::size_t at = j * kBatch + lane;
      const VU above = hn::LoadU(du, row + (j + 1) * width);
      const VU alone =
          hn::Min(hn::SaturatedAdd(above, gap), hn::SaturatedAdd(left, hn::LoadU(du, columns.gap.data() + at)));
      left = hn::Min(hn::SaturatedAdd(corner, own.exchange(d, columns, at)), alone);
      corner = above;
      hn::StoreU(left, du, row + (j + 1) * width);
    }
  }
  for (std::size_t k = 0; k < width; ++k) cost[k] = row[columns.length[lane + k] * width + k];
}

void chain_align(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost) {
  const std::size_t width = hn::Lanes(DU());
  thread_local std::vector<std::uint16_t> row;
  row.resize((columns.columns + 1) * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) align_lanes(rows, columns, lane, row.data(), cost + lane);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(chain_align);
}  // namespace

void chain_align(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost) {
  if (plain_forced()) return chain_align_plain(rows, columns, cost);
  HWY_DYNAMIC_DISPATCH(chain_align)(rows, columns, cost);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
