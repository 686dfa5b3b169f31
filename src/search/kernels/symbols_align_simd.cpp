// Compiled once for every instruction set; symbols_align_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/symbols_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/level.h"
#include "search/kernels/symbols_align.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best) {
  equal_symbols_plain(query, columns, best);
}
void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best) {
  scored_symbols_plain(query, columns, best);
}
void symbol_edits(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* distance) {
  symbol_edits_plain(query, columns, distance);
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint8_t, kBatch>;
using V = hn::Vec<D>;

/// A symbol of the query against vectors of others: the corner with the score added, not below zero.
struct Equal {
  V own, one, zero;
  HWY_INLINE Equal(D d, std::uint8_t symbol) : own(hn::Set(d, symbol)), one(hn::Set(d, 1)), zero(hn::Zero(d)) {}
  HWY_INLINE V paired(V corner, V other) const {
    const auto same = hn::Eq(own, other);
    return hn::SaturatedSub(hn::SaturatedAdd(corner, hn::IfThenElse(same, one, zero)), hn::IfThenElse(same, zero, one));
  }
};

struct Scored {
  V table, three;
  HWY_INLINE Scored(D d, const SymbolScores& scores)
      : table(hn::LoadDup128(d, scores.data())), three(hn::Set(d, kSymbolZero)) {}
  HWY_INLINE V paired(V corner, V other) const {
    return hn::SaturatedSub(hn::SaturatedAdd(corner, hn::TableLookupBytes(table, other)), three);
  }
};

/// Unsigned numbers that stop at zero are a local alignment of themselves.
template <typename Pairing, typename Query>
HWY_INLINE void align_lanes(const Query& query, const SymbolColumns& columns, std::size_t lane,
                            std::uint8_t* HWY_RESTRICT row, std::uint8_t* HWY_RESTRICT best) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V two = hn::Set(d, 2);
  const V zero = hn::Zero(d);
  for (std::size_t j = 0; j < columns.columns; ++j) hn::StoreU(zero, d, row + j * width);
  V most = zero;
  for (const auto& symbol : query) {
    const Pairing pairing(d, symbol);
    V corner = zero;
    V left = zero;
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const V other = hn::LoadU(d, columns.symbol.data() + j * kBatch + lane);
      const V above = hn::LoadU(d, row + j * width);
      const V cell = hn::Max(pairing.paired(corner, other), hn::SaturatedSub(hn::Max(above, left), two));
      corner = above;
      left = cell;
      most = hn::Max(most, cell);
      hn::StoreU(cell, d, row + j * width);
    }
  }
  hn::StoreU(most, d, best + lane);
}

template <typename Pairing, typename Query>
void align_all(const Query& query, const SymbolColumns& columns, std::uint8_t* best) {
  const std::size_t width = hn::Lanes(D());
  thread_local std::vector<std::uint8_t> row;
  row.resize(columns.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    align_lanes<Pairing>(query, columns, lane, row.data(), best);
  }
}

void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_all<Equal>(query, columns, best);
}
void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_all<Scored>(query, columns, best);
}

void symbol_edits(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* distance) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V one = hn::Set(d, 1);
  thread_local std::vector<std::uint8_t> row;
  row.resize((columns.columns + 1) * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    for (std::size_t j = 0; j <= columns.columns; ++j) {
      hn::StoreU(hn::Set(d, static_cast<std::uint8_t>(j)), d, row.data() + j * width);
    }
    for (const std::uint8_t symbol : query) {
      const V own = hn::Set(d, symbol);
      V corner = hn::LoadU(d, row.data());
      V left = hn::Add(corner, one);
      hn::StoreU(left, d, row.data());
      for (std::size_t j = 1; j <= columns.columns; ++j) {
        const V other = hn::LoadU(d, columns.symbol.data() + (j - 1) * kBatch + lane);
        const V above = hn::LoadU(d, row.data() + j * width);
        const V changed = hn::Add(corner, hn::IfThenZeroElse(hn::Eq(own, other), one));
        left = hn::Min(changed, hn::Add(hn::Min(above, left), one));
        corner = above;
        hn::StoreU(left, d, row.data() + j * width);
      }
    }
    hn::StoreU(hn::LoadU(d, row.data() + columns.columns * width), d, distance + lane);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(equal_symbols);
HWY_EXPORT(scored_symbols);
HWY_EXPORT(symbol_edits);
}  // namespace

void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best) {
  if (plain_forced()) return equal_symbols_plain(query, columns, best);
  HWY_DYNAMIC_DISPATCH(equal_symbols)(query, columns, best);
}

void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best) {
  if (plain_forced()) return scored_symbols_plain(query, columns, best);
  HWY_DYNAMIC_DISPATCH(scored_symbols)(query, columns, best);
}

void symbol_edits(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* distance) {
  if (plain_forced()) return symbol_edits_plain(query, columns, distance);
  HWY_DYNAMIC_DISPATCH(symbol_edits)(query, columns, distance);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
