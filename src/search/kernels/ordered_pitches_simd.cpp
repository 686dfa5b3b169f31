// Compiled once for every instruction set; ordered_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/ordered_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <bit>

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

/// Some transpositions of a document.
struct OrderedWork {
  OrderedDocument* document;
  std::uint32_t lane;         ///< the bit of the first
  const std::uint32_t* from;  ///< the place of pitch 0 in the first
};

HWY_INLINE OrderedVec with_ordered_note(OrderedVec open, const std::uint32_t* at) {
  const OrderedVec met = hn::And(open, hn::LoadU(OrderedTag(), at));
  return hn::Or(hn::Add(open, met), hn::AndNot(met, open));
}

HWY_INLINE OrderedVec ordered_to_end(const OrderedWork& work, std::uint32_t begin, OrderedVec open) {
  for (std::uint32_t j = begin; j < work.document->notes; ++j) {
    open = with_ordered_note(open, work.from - work.document->pitches[j]);
  }
  return open;
}

HWY_INLINE void clear_too_few(const OrderedWork& work, OrderedVec open, OrderedVec all) {
  const OrderedTag d;
  const auto counts = hn::PopulationCount(hn::AndNot(open, all));
  const auto enough = hn::Eq(hn::Max(counts, hn::Set(d, work.document->least)), counts);
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, enough, bytes);
  const std::uint64_t kept = static_cast<std::uint64_t>(bytes[0]) | static_cast<std::uint64_t>(bytes[1]) << 8U;
  const std::uint64_t lanes = (std::uint64_t{1} << hn::Lanes(d)) - 1;
  const auto cleared = static_cast<std::uint32_t>((lanes & ~kept) << work.lane);
  work.document->transpositions &= ~cleared;
}

}  // namespace

void ordered_pitches(const OrderedQuery& query, int first, std::span<OrderedDocument> documents) {
  const OrderedTag d;
  const auto width = static_cast<std::uint32_t>(hn::Lanes(d));
  const OrderedVec every = hn::Set(d, ~0U);
  const OrderedVec all = hn::Set(d, static_cast<std::uint32_t>((std::uint64_t{1} << query.notes) - 1));
  const std::uint32_t* const zero = query.where.data() + OrderedQuery::kZero + first;
  OrderedWork waiting[2];
  std::size_t waits = 0;
  // Two at once: each step of one waits for the one before.
  const auto add = [&](const OrderedWork& work) {
    waiting[waits++] = work;
    if (waits < 2) return;
    waits = 0;
    const std::uint32_t shorter = HWY_MIN(waiting[0].document->notes, waiting[1].document->notes);
    const std::uint8_t* const HWY_RESTRICT one_pitches = waiting[0].document->pitches;
    const std::uint8_t* const HWY_RESTRICT two_pitches = waiting[1].document->pitches;
    OrderedVec one = every;
    OrderedVec two = every;
    for (std::uint32_t j = 0; j < shorter; ++j) {
      one = with_ordered_note(one, waiting[0].from - one_pitches[j]);
      two = with_ordered_note(two, waiting[1].from - two_pitches[j]);
    }
    clear_too_few(waiting[0], ordered_to_end(waiting[0], shorter, one), all);
    clear_too_few(waiting[1], ordered_to_end(waiting[1], shorter, two), all);
  };
  for (OrderedDocument& document : documents) {
    for (std::uint32_t bits = document.transpositions; bits != 0;) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
      add({&document, lane, zero + lane});
      // What the lanes of this vector have decided.
      bits = lane + width >= 32 ? 0 : bits >> (lane + width) << (lane + width);
    }
  }
  if (waits == 1) clear_too_few(waiting[0], ordered_to_end(waiting[0], 0, every), all);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, ordered_pitches, (const OrderedQuery& query, int first, std::span<OrderedDocument> documents),
               (query, first, documents));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
