// Compiled once for every instruction set; common_notes_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_notes_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <algorithm>

#include "search/kernels/common_notes.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(common_transpositions);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// The best and the second best of each lane so far.
template <class D>
struct CommonRanks {
  using T = hn::TFromD<D>;
  hn::Vec<D> best, second;
  HWY_INLINE CommonRanks() : best(hn::Zero(D())), second(hn::Zero(D())) {}

  HWY_INLINE void take(hn::Vec<D> counts, std::size_t first) {
    const D d;
    const auto order = hn::Sub(hn::Set(d, static_cast<T>(kCommonOrder - first)), hn::Iota(d, 0));
    const auto number = hn::Add(hn::ShiftLeft<16>(counts), order);
    second = hn::Max(second, hn::Min(best, number));
    best = hn::Max(best, number);
  }

  HWY_INLINE CommonTranspositions all() const {
    const D d;
    if constexpr (sizeof(T) == 4) {
      const auto most = hn::MaxOfLanes(d, best);
      // No two transpositions have the same number, so one lane has the best of all.
      const auto next = hn::MaxOfLanes(d, hn::IfThenElse(hn::Eq(best, most), second, best));
      return from_order(hn::GetLane(most), hn::GetLane(next));
    }
    T bests[hn::MaxLanes(D())];
    T seconds[hn::MaxLanes(D())];
    hn::StoreU(best, d, bests);
    hn::StoreU(second, d, seconds);
    T most = 0;
    T next = 0;
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      next = std::max(next, std::max(seconds[lane], std::min(most, bests[lane])));
      most = std::max(most, bests[lane]);
    }
    return from_order(static_cast<std::uint32_t>(most), static_cast<std::uint32_t>(next));
  }
};

/// One more note of the document: which notes of the query are the last of a longer common subsequence.
template <class V>
HWY_INLINE V with_note(V open, V where) {
  const V met = hn::And(open, where);
  return hn::Or(hn::Add(open, met), hn::AndNot(met, open));
}

/// Queries whose notes fit into one word of T.
template <class T>
HWY_INLINE CommonTranspositions in_words(const T* where, const CommonQuery& query, const CommonDocument& document) {
  const hn::CappedTag<T, 16> d;
  const int range = query.high - query.low;
  const auto transpositions = static_cast<std::size_t>(document.high - document.low + range + 1);
  const T* const from = where + kCommonZero + document.low - range;
  const T bits = query.notes == 8 * sizeof(T) ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << query.notes) - 1);
  const auto all = hn::Set(d, bits);
  const std::size_t width = hn::Lanes(d);
  const std::int16_t* HWY_RESTRICT pitches = document.pitches;
  CommonRanks<decltype(d)> ranks;
  for (std::size_t t = 0; t < transpositions; t += 2 * width) {
    auto one = hn::Set(d, static_cast<T>(~T{0}));
    auto two = one;
    for (std::size_t j = 0; j < document.notes; ++j) {
      const T* const at = from + t - pitches[j];
      one = with_note(one, hn::LoadU(d, at));
      two = with_note(two, hn::LoadU(d, at + width));
    }
    ranks.take(hn::PopulationCount(hn::AndNot(one, all)), t);
    ranks.take(hn::PopulationCount(hn::AndNot(two, all)), t + width);
  }
  return ranks.all();
}

/// Queries of any length: what a word overflows by is carried to the next.
HWY_INLINE CommonTranspositions in_many_words(const CommonQuery& query, const CommonDocument& document) {
  const hn::CappedTag<std::uint64_t, 8> d;
  using V = hn::Vec<decltype(d)>;
  const int range = query.high - query.low;
  const auto transpositions = static_cast<std::size_t>(document.high - document.low + range + 1);
  const std::size_t width = hn::Lanes(d);
  const V zero = hn::Zero(d);
  const V unit = hn::Set(d, 1);
  CommonRanks<decltype(d)> ranks;
  std::uint64_t open[kMostCommon / 64 * 8];
  for (std::size_t t = 0; t < transpositions; t += width) {
    for (std::size_t w = 0; w < query.words; ++w) hn::StoreU(hn::Set(d, ~std::uint64_t{0}), d, open + w * width);
    for (std::size_t j = 0; j < document.notes; ++j) {
      const std::uint64_t* at = query.long_where.data() + kCommonZero + document.low - range - document.pitches[j] + t;
      V carry = zero;
      for (std::size_t w = 0; w < query.words; ++w, at += kCommonPlaces) {
        const V before = hn::LoadU(d, open + w * width);
        const V met = hn::And(before, hn::LoadU(d, at));
        const V sum = hn::Add(before, met);
        const V more = hn::Add(sum, carry);
        const auto over = hn::Or(hn::Lt(sum, met), hn::Lt(more, carry));
        carry = hn::IfThenElse(over, unit, zero);
        hn::StoreU(hn::Or(more, hn::AndNot(met, before)), d, open + w * width);
      }
    }
    V counts = zero;
    for (std::size_t w = 0; w < query.words; ++w) {
      const std::size_t left = query.notes - w * 64;
      const std::uint64_t bits = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      counts = hn::Add(counts, hn::PopulationCount(hn::AndNot(hn::LoadU(d, open + w * width), hn::Set(d, bits))));
    }
    ranks.take(counts, t);
  }
  return ranks.all();
}

}  // namespace

CommonTranspositions common_transpositions(const CommonQuery& query, const CommonDocument& document) {
  if (query.notes <= 32) return in_words(query.short_where.data(), query, document);
  if (query.notes <= 64) return in_words(query.long_where.data(), query, document);
  return in_many_words(query, document);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(CommonTranspositions, common_transpositions, (const CommonQuery& query, const CommonDocument& document),
               (query, document));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
