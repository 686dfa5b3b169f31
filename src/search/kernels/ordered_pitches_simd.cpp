// Compiled once for every instruction set; ordered_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/ordered_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/ordered_pitches.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(ordered_pitches);
#else
namespace hn = hwy::HWY_NAMESPACE;
using OrderedTag = hn::CappedTag<std::uint32_t, 16>;
using OrderedVec = hn::Vec<OrderedTag>;

namespace {

/// Which notes of the query have the pitch in the lowest byte of each lane; pitches behind kLast were made kLast, which
/// no note has.
class OrderedPlaces {
 public:
  static constexpr std::uint8_t kLast = kSharedRange + 1;
  explicit OrderedPlaces(const std::uint32_t* where) : where_(where) {}
  [[nodiscard]] HWY_INLINE OrderedVec of(OrderedVec pitch) const {
    const OrderedTag d;
    const hn::RebindToSigned<OrderedTag> di;
    return hn::GatherIndex(d, where_, hn::BitCast(di, hn::And(pitch, hn::Set(d, 0xFFU))));
  }

 private:
  const std::uint32_t* where_;
};

#if HWY_TARGET <= HWY_AVX3
/// The same for queries of few pitches, from two registers.
class OrderedTables {
 public:
  static constexpr std::uint8_t kLast = 31;
  explicit OrderedTables(const std::uint32_t* where)
      : low_(hn::LoadU(OrderedTag(), where)), high_(hn::LoadU(OrderedTag(), where + 16)) {}
  [[nodiscard]] HWY_INLINE OrderedVec of(OrderedVec pitch) const {
    // Only the five lowest bits of each lane count.
    return OrderedVec{_mm512_permutex2var_epi32(low_.raw, pitch.raw, high_.raw)};
  }

 private:
  OrderedVec low_, high_;
};
#endif

/// The notes of the query that are still to be met, one bit each: 32, or as many again in `high`.
template <class Places, bool kLong>
class OrderedNotes {
 public:
  explicit OrderedNotes(const OrderedQuery& query)
      : low_places_(query.where[0].data()),
        high_places_(query.where[1].data()),
        low_all_(hn::Set(OrderedTag(), bits_of(query.notes))),
        high_all_(hn::Set(OrderedTag(), bits_of(query.notes < 32 ? 0 : query.notes - 32))) {}

  void clear() { low_ = high_ = hn::Set(OrderedTag(), ~0U); }
  HWY_INLINE void meet(OrderedVec pitch) {
    const OrderedVec met = hn::And(low_, low_places_.of(pitch));
    const OrderedVec sum = hn::Add(low_, met);
    low_ = hn::Or(sum, hn::AndNot(met, low_));
    if constexpr (kLong) {
      // The carry of the lower half is one where its sum is less than what was added.
      const OrderedVec high_met = hn::And(high_, high_places_.of(pitch));
      const OrderedVec high_sum = hn::Add(high_, high_met);
      const OrderedVec carry = hn::VecFromMask(OrderedTag(), hn::Lt(sum, met));
      high_ = hn::Or(hn::Sub(high_sum, carry), hn::AndNot(high_met, high_));
    }
  }
  [[nodiscard]] HWY_INLINE OrderedVec count() const {
    const OrderedVec low = hn::PopulationCount(hn::AndNot(low_, low_all_));
    if constexpr (!kLong) return low;
    return hn::Add(low, hn::PopulationCount(hn::AndNot(high_, high_all_)));
  }

 private:
  static std::uint32_t bits_of(std::uint32_t notes) { return notes >= 32 ? ~0U : (1U << notes) - 1; }
  Places low_places_, high_places_;
  OrderedVec low_all_, high_all_;
  OrderedVec low_{}, high_{};
};

template <class Places, bool kLong>
void ordered_by(const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                const SharedHits& hits, std::vector<OrderedHit>& out) {
  const OrderedTag d;
  const hn::RebindToSigned<OrderedTag> di;
  const hn::Repartition<std::uint8_t, OrderedTag> bytes;
  const std::size_t width = hn::Lanes(d);
  const auto last = hn::Set(bytes, Places::kLast);
  const auto ended = hn::Set(d, OrderedDocuments::kNoPitch * 0x01010101U);
  const auto own = hn::Set(d, query.least);
  const std::uint32_t* const HWY_RESTRICT words = documents.words.data();
  HWY_ALIGN std::uint32_t commons[16];
  OrderedNotes<Places, kLong> notes(query);
  for (std::size_t hit = 0; hit < hits.size; hit += width) {
    const std::size_t there = HWY_MIN(width, hits.size - hit);
    // Lanes behind the last hit look at the first document.
    const auto number =
        hn::IfThenElseZero(hn::FirstN(d, there), hn::Sub(hn::LoadU(d, hits.document.data() + hit), hn::Set(d, first)));
    const auto entry = hn::BitCast(di, hn::Add(number, number));
    const auto at = hn::BitCast(di, hn::GatherIndex(d, documents.table.data(), entry));
    const auto second = hn::GatherIndex(d, documents.table.data(), hn::Add(entry, hn::Set(di, 1)));
    const auto its = hn::BitCast(di, hn::ShiftRight<16>(second));
    const auto shift = hn::BitCast(bytes, hn::LoadU(d, hits.shift.data() + hit));
    const std::int32_t longest = hn::GetLane(hn::MaxOfLanes(di, its));
    notes.clear();
    for (std::int32_t w = 0; w < longest; ++w) {
      const auto has = hn::Lt(hn::Set(di, w), its);
      const auto word = hn::GatherIndex(d, words, hn::Add(at, hn::IfThenElseZero(has, hn::Set(di, w))));
      const auto pitches = hn::BitCast(bytes, hn::IfThenElse(hn::RebindMask(d, has), word, ended));
      const OrderedVec four = hn::BitCast(d, hn::Min(hn::Sub(pitches, shift), last));
      notes.meet(four);
      notes.meet(hn::ShiftRight<8>(four));
      notes.meet(hn::ShiftRight<16>(four));
      notes.meet(hn::ShiftRight<24>(four));
    }
    const OrderedVec common = notes.count();
    const auto theirs = hn::And(second, hn::Set(d, 0xFFFFU));
    const auto need = query.both ? hn::Max(own, theirs) : hn::Min(own, theirs);
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::Eq(hn::Max(common, need), common), mask);
    auto enough = static_cast<std::uint32_t>(mask[0] | mask[1] << 8U) & ((1U << there) - 1);
    if (enough == 0) continue;
    hn::Store(common, d, commons);
    for (; enough != 0; enough &= enough - 1) {
      const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(enough));
      out.push_back({static_cast<std::uint32_t>(hit) + lane, commons[lane]});
    }
  }
}

}  // namespace

void ordered_pitches(const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                     const SharedHits& hits, std::vector<OrderedHit>& out) {
  out.clear();
  const bool is_long = query.notes > 32;
#if HWY_TARGET <= HWY_AVX3
  if (query.range < OrderedTables::kLast) {
    return is_long ? ordered_by<OrderedTables, true>(query, documents, first, hits, out)
                   : ordered_by<OrderedTables, false>(query, documents, first, hits, out);
  }
#endif
  return is_long ? ordered_by<OrderedPlaces, true>(query, documents, first, hits, out)
                 : ordered_by<OrderedPlaces, false>(query, documents, first, hits, out);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, ordered_pitches,
               (const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                const SharedHits& hits, std::vector<OrderedHit>& out),
               (query, documents, first, hits, out));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
