// Compiled once for every instruction set; symbols_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/symbols_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/align_rows-inl.h"
#include "search/kernels/simd.h"
#include "search/kernels/symbols_align.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(equal_symbols);
RONDO_SCALAR(scored_symbols);
RONDO_SCALAR(edits_saved);
RONDO_SCALAR(pairs_saved);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint8_t, kBatch>;
using V = hn::Vec<D>;

namespace {

/// The symbols of the documents in the lanes from `first` on.
HWY_INLINE V symbol_at(const std::uint8_t* HWY_RESTRICT first, std::size_t j) {
  return hn::LoadU(D(), first + j * kBatch);
}

/// A symbol of the query against vectors of others: the corner with the score added, not below zero.
struct Equal {
  V own, one;
  explicit HWY_INLINE Equal(std::uint8_t symbol) : own(hn::Set(D(), symbol)), one(hn::Set(D(), 1)) {}
  HWY_INLINE V paired(V corner, V other) const {
    const auto same = hn::Eq(own, other);
    return hn::SaturatedSub(hn::SaturatedAdd(corner, hn::IfThenElseZero(same, one)), hn::IfThenZeroElse(same, one));
  }
};

struct Scored {
  V table, three;
  explicit HWY_INLINE Scored(const SymbolScores& scores)
      : table(hn::LoadDup128(D(), scores.data())), three(hn::Set(D(), kSymbolZero)) {}
  HWY_INLINE V paired(V corner, V other) const {
    return hn::SaturatedSub(hn::SaturatedAdd(corner, hn::TableLookupBytes(table, other)), three);
  }
};

/// Unsigned numbers that stop at zero are a local alignment of themselves.
template <typename Pairing, typename Query>
struct Local {
  const Query& query;
  const std::uint8_t* symbols;  ///< of the documents, from the first lane on
  V most = hn::Zero(D());

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) const { return hn::Zero(D()); }

  struct Row {
    const std::uint8_t* symbols;
    Pairing pairing;
    V two, most;
    HWY_INLINE V border(V before) const { return before; }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) {
      const V cell =
          hn::Max(pairing.paired(corner, symbol_at(symbols, j)), hn::SaturatedSub(hn::Max(above, left), two));
      most = hn::Max(most, cell);
      return cell;
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return {symbols, Pairing(query[i]), hn::Set(D(), 2), most}; }
  HWY_INLINE void end(const Row& row, V /*last*/) { most = row.most; }
};

template <typename Pairing, typename Query>
HWY_INLINE void align_locally(const Query& query, const SymbolColumns& columns, std::uint8_t* best) {
  const D d;
  each_vector(d, columns.columns, [&](std::size_t lane, std::uint8_t* cells) HWY_ATTR {
    Local<Pairing, Query> local{query, columns.symbol.data() + lane};
    align_rows(d, local, query.size(), columns.columns, cells);
    hn::StoreU(local.most, d, best + lane);
  });
}

}  // namespace

void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_locally<Equal>(query, columns, best);
}

void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_locally<Scored>(query, columns, best);
}

namespace {

/// What a pair saves of the edits: both where they are equal, one of them where one is changed to the other.
struct SavedByEqual {
  V own;
  explicit HWY_INLINE SavedByEqual(std::uint8_t symbol) : own(hn::Set(D(), symbol)) {}
  HWY_INLINE V of(V other) const { return hn::IfThenElse(hn::Eq(own, other), hn::Set(D(), 2), hn::Set(D(), 1)); }
};

struct SavedByTable {
  V table;
  explicit HWY_INLINE SavedByTable(const SymbolScores& saves) : table(hn::LoadDup128(D(), saves.data())) {}
  HWY_INLINE V of(V other) const { return hn::TableLookupBytes(table, other); }
};

/// A symbol that is left out or put in saves nothing. So cells only grow.
template <typename Pairing, typename Query>
struct Saved {
  const Query& query;
  const std::uint8_t* symbols;  ///< of the documents, from the first lane on

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) const { return hn::Zero(D()); }

  struct Row {
    const std::uint8_t* symbols;
    Pairing pairing;
    HWY_INLINE V border(V before) const { return before; }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) const {
      return hn::Max(hn::Add(corner, pairing.of(symbol_at(symbols, j))), hn::Max(above, left));
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return {symbols, Pairing(query[i])}; }
  HWY_INLINE void end(const Row& /*row*/, V /*last*/) const {}
};

template <typename Pairing, typename Query>
HWY_INLINE void align_whole(const Query& query, const SymbolColumns& columns, std::uint8_t* saved) {
  const D d;
  each_vector(d, columns.columns, [&](std::size_t lane, std::uint8_t* cells) HWY_ATTR {
    Saved<Pairing, Query> table{query, columns.symbol.data() + lane};
    const V nothing = align_rows(d, table, query.size(), columns.columns, cells);
    const std::uint8_t* const last = cells + (columns.columns - 1) * hn::Lanes(d);
    hn::StoreU(columns.columns == 0 ? nothing : hn::LoadU(d, last), d, saved + lane);
  });
}

}  // namespace

void edits_saved(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* saved) {
  align_whole<SavedByEqual>(query, columns, saved);
}

void pairs_saved(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* saved) {
  align_whole<SavedByTable>(query, columns, saved);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, equal_symbols,
               (std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best),
               (query, columns, best));
RONDO_DISPATCH(void, scored_symbols,
               (std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best),
               (query, columns, best));
RONDO_DISPATCH(void, edits_saved,
               (std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* saved),
               (query, columns, saved));
RONDO_DISPATCH(void, pairs_saved,
               (std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* saved),
               (query, columns, saved));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
