// Compiled once for every instruction set; chain_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/chain_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/align_rows-inl.h"
#include "search/kernels/chain_align.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(chain_align);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;
using DU = hn::CappedTag<std::uint16_t, kBatch>;
using VU = hn::Vec<DU>;

namespace {

/// The chains of some lanes.
struct Chains {
  const ChainRows& rows;
  const ChainColumns& columns;
  std::size_t lane;
  VU left_out = hn::Zero(DU());

  HWY_INLINE VU gap(std::size_t j) const { return hn::LoadU(DU(), columns.gap.data() + j * kBatch + lane); }
  HWY_INLINE V part(ChainPart which, std::size_t j) const {
    return hn::LoadU(D(), columns.part[which].data() + j * kBatch + lane);
  }
  HWY_INLINE V kind(std::size_t j) const { return hn::LoadU(D(), columns.kind.data() + j * kBatch + lane); }

  HWY_INLINE VU corner() const { return hn::Zero(DU()); }
  HWY_INLINE VU above(std::size_t j) { return left_out = hn::SaturatedAdd(left_out, gap(j)); }
  /// A structure of the query, in all lanes.
  struct Row {
    const Chains& chains;
    V kind, size, direction, overlap, forms, kinds;
    VU gap;
    HWY_INLINE Row(const Chains& of, std::size_t i)
        : chains(of),
          kind(hn::Set(D(), of.rows.kind[i])),
          size(hn::Set(D(), of.rows.part[kChainSize][i])),
          direction(hn::Set(D(), of.rows.part[kChainDirection][i])),
          overlap(hn::Set(D(), of.rows.part[kChainOverlap][i])),
          forms(hn::Set(D(), of.rows.forms)),
          kinds(hn::Set(D(), of.rows.kinds)),
          gap(hn::Set(DU(), of.rows.gap[i])) {}

    HWY_INLINE VU exchange(std::size_t j) const {
      const auto apart = [&](V own, ChainPart which) HWY_ATTR { return hn::Abs(hn::Sub(own, chains.part(which, j))); };
      // Nothing for the same kind, once `forms` for two forms of one, and what is more stops at `kinds`.
      const V by_kind = hn::Min(hn::Mul(hn::Xor(kind, chains.kind(j)), forms), kinds);
      const V by_form = hn::Add(apart(direction, kChainDirection), apart(overlap, kChainOverlap));
      return hn::BitCast(DU(), hn::Add(hn::Add(by_kind, by_form), apart(size, kChainSize)));
    }
    HWY_INLINE VU border(VU before) const { return hn::SaturatedAdd(before, gap); }
    HWY_INLINE VU cell(VU corner, VU above, VU left, std::size_t j) const {
      const VU alone = hn::Min(hn::SaturatedAdd(above, gap), hn::SaturatedAdd(left, chains.gap(j)));
      return hn::Min(hn::SaturatedAdd(corner, exchange(j)), alone);
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return Row(*this, i); }
  HWY_INLINE void end(const Row& /*row*/, VU /*last*/) const {}
};

}  // namespace

void chain_align(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost) {
  const DU d;
  each_vector(d, columns.columns, [&](std::size_t lane, std::uint16_t* cells) HWY_ATTR {
    Chains chains{rows, columns, lane};
    HWY_ALIGN std::uint16_t nothing[kBatch];  // of the document
    hn::Store(align_rows(d, chains, rows.kind.size(), columns.columns, cells), d, nothing);
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
      const std::uint32_t length = columns.length[lane + k];
      cost[lane + k] = length == 0 ? nothing[k] : cells[(length - 1) * hn::Lanes(d) + k];
    }
  });
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, chain_align, (const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost),
               (rows, columns, cost));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
