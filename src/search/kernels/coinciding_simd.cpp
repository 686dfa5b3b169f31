// Compiled once for every instruction set; coinciding_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/coinciding_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <type_traits>

#include "search/kernels/coinciding.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(enough_roughly);
RONDO_SCALAR(enough_coincide);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Word>
using Lanes = hn::CappedTag<Word, Circles<Word>::kTogether>;

/// Three bits at every place become a sum of two.
template <class V>
HWY_INLINE void add(V a, V b, V c, V& high, V& low) {
#if HWY_TARGET <= HWY_AVX3
  // The majority of three bits takes one instruction, which only this instruction set has.
  high = V{_mm512_ternarylogic_epi32(a.raw, b.raw, c.raw, 0xE8)};
  low = hn::Xor3(a, b, c);
#else
  const V unlike = hn::Xor(a, b);
  high = hn::OrAnd(hn::And(a, b), unlike, c);
  low = hn::Xor(unlike, c);
#endif
}

/// The upper halves of the products of 32 bits.
template <class V>
HWY_INLINE V high_product(V a, V b) {
  const hn::DFromV<V> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, a))), b);
  return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
}

/// Onsets modulo the number of places.
HWY_INLINE void find_places(const FineCircles& query, const TimedNotes& document) {
  const hn::CappedTag<std::uint32_t, TimedNotes::kRoom> d;
  const auto places = hn::Set(d, query.places());
  // One too small at most: the quotient lies less than time / 2^32 below time / places before it is cut off.
  const auto inverse = hn::Set(d, static_cast<std::uint32_t>((std::uint64_t{1} << 32U) / query.places()));
  for (std::size_t j = 0; j < document.notes; j += hn::Lanes(d)) {
    const auto time = hn::LoadU(d, document.onset.data() + j);
    const auto rest = hn::Sub(time, hn::Mul(high_product(time, inverse), places));
    hn::StoreU(hn::Min(rest, hn::Sub(rest, places)), d, document.places.data() + j);
  }
}

/// Where in query.turned() stands what notes of the document meet, under the transpositions from `first` on.
template <typename Word, class D, class V = hn::Vec<D> >
HWY_INLINE V rows_of(D d, const Circles<Word>& query, V pitch, V place, int first) {
  const auto index = hn::Sub(hn::Set(d, query.index_of(0) + first), pitch);
  const auto met = hn::Max(hn::Zero(d), hn::Min(hn::Set(d, query.last_index()), index));
  return hn::Add(hn::Mul(place, hn::Set(d, static_cast<std::int32_t>(query.stride()))), met);
}

/// The same at the places of one word of larger circles.
HWY_INLINE void find_rows(const FineCircles& query, const TimedNotes& document, int first, std::size_t word) {
  const hn::CappedTag<std::int32_t, TimedNotes::kRoom> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto set = [&](std::size_t value) HWY_ATTR { return hn::Set(du, static_cast<std::uint32_t>(value)); };
  for (std::size_t j = 0; j < document.notes; j += hn::Lanes(d)) {
    const auto pitch = hn::PromoteTo(d, hn::LoadU(bytes, document.pitch.data() + j));
    auto place = hn::LoadU(du, document.places.data() + j);
    if (word > 0) {
      place = hn::Add(place, set(word * FineCircles::kBits));
      place = hn::Min(place, hn::Sub(place, set(query.places())));
    }
    const auto rows = rows_of(d, query, pitch, hn::BitCast(d, place), first);
    hn::StoreU(hn::BitCast(du, rows), du, document.rows.data() + j);
  }
}

/// The same of a document as bytes.
HWY_INLINE void find_rows(const RoughCircle& query, const PlacedNotes& document, int first,
                          std::uint32_t* HWY_RESTRICT rows) {
  const hn::CappedTag<std::int32_t, PlacedNotes::kRoom> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  for (std::size_t j = 0; j < document.notes; j += hn::Lanes(d)) {
    const auto pitch = hn::PromoteTo(d, hn::LoadU(bytes, document.pitch + j));
    const auto place = hn::PromoteTo(d, hn::LoadU(bytes, document.place + j));
    hn::StoreU(hn::BitCast(du, rows_of(d, query, pitch, place, first)), du, rows + j);
  }
}

struct PitchRange {
  int low;
  int high;
};
HWY_INLINE PitchRange range_of(const PlacedNotes& document) {
  const hn::CappedTag<std::uint8_t, PlacedNotes::kRoom> d;
  const auto first = hn::Set(d, document.pitch[0]);
  auto low = first;
  auto high = first;
  for (std::size_t j = 0; j < document.notes; j += hn::Lanes(d)) {
    const auto loaded = hn::LoadU(d, document.pitch + j);
    const auto pitch = hn::IfThenElse(hn::FirstN(d, document.notes - j), loaded, first);
    low = hn::Min(low, pitch);
    high = hn::Max(high, pitch);
  }
  return {hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
}

/// As many transpositions as a vector has lanes, at the places of one word of the circle: where not zero, enough meet.
/// Sums at every place are kept as one word for each of their bits, four notes at a time (Harley and Seal's way of
/// counting bits). They begin so high that those that reach `least` carry out of the highest bit. `kBits` is their
/// number, so that they stay in registers; 0: any.
template <std::size_t kBits, class D, typename Word = hn::TFromD<D> >
HWY_INLINE hn::Vec<D> enough_in_lanes(D d, const Word* HWY_RESTRICT turned, const std::uint32_t* HWY_RESTRICT rows,
                                      std::size_t notes, std::uint32_t least, std::size_t any_bits) {
  using V = hn::Vec<D>;
  const std::size_t bits = kBits == 0 ? any_bits : kBits;
  V sum[kBits == 0 ? 12 : kBits];
  const std::uint32_t begin = (1U << bits) - least;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    sum[bit] = hn::Set(d, static_cast<Word>((begin >> bit & 1U) != 0 ? ~Word{0} : Word{0}));
  }
  V enough = hn::Zero(d);
  const auto carry = [&](V carried, std::size_t bit) HWY_ATTR {
    for (; bit < bits; ++bit) {
      const V next = hn::And(sum[bit], carried);
      sum[bit] = hn::Xor(sum[bit], carried);
      carried = next;
    }
    enough = hn::Or(enough, carried);
  };
  const auto met = [&](std::size_t j) HWY_ATTR { return hn::LoadU(d, turned + rows[j]); };
  std::size_t j = 0;
  for (; j + 4 <= notes; j += 4) {
    V twos[2];
    V fours;
    add(sum[0], met(j), met(j + 1), twos[0], sum[0]);
    add(sum[0], met(j + 2), met(j + 3), twos[1], sum[0]);
    add(sum[1], twos[0], twos[1], fours, sum[1]);
    carry(fours, 2);
  }
  for (; j < notes; ++j) carry(met(j), 0);
  return enough;
}

/// Calls what is given with the number of bits that sums up to `least` have, as a constant where there are few; then 0.
template <class Function>
HWY_INLINE void with_bits_of(std::uint32_t least, const Function& function) {
  std::size_t bits = 2;
  while (least > 1U << bits) ++bits;
  switch (bits) {
    case 2: return function(std::integral_constant<std::size_t, 2>(), bits);
    case 3: return function(std::integral_constant<std::size_t, 3>(), bits);
    case 4: return function(std::integral_constant<std::size_t, 4>(), bits);
    case 5: return function(std::integral_constant<std::size_t, 5>(), bits);
    default: return function(std::integral_constant<std::size_t, 0>(), bits);
  }
}

/// Bit t is set where a vector has a lane that is not zero, in the t-th lane.
template <class D>
HWY_INLINE std::uint64_t lanes_of(D d, hn::Vec<D> v) {
  std::uint64_t bits[2] = {};  // more than the lanes of any vector, as StoreMaskBits wants
  hn::StoreMaskBits(d, hn::Ne(v, hn::Zero(d)), reinterpret_cast<std::uint8_t*>(bits));  // NOLINT: as it lies there
  return bits[0];
}

template <std::size_t kBits>
HWY_INLINE void enough_of(const RoughCircle& query, PlacedNotes& document, Reach reach, std::uint32_t least,
                          std::uint32_t* HWY_RESTRICT rows, std::size_t bits) {
  const Lanes<std::uint32_t> d;
  const PitchRange range = range_of(document);
  const int lowest = range.low + reach.lowest;
  const int highest = range.high + reach.highest;
  document.chances = {lowest, {}};
  std::uint64_t any = 0;
  for (int t = 0; t <= highest - lowest; t += RoughCircle::kTogether) {
    find_rows(query, document, lowest + t, rows);
    std::uint64_t enough = 0;
    for (std::size_t lane = 0; lane < RoughCircle::kTogether; lane += hn::Lanes(d)) {
      const auto here = enough_in_lanes<kBits>(d, query.turned() + lane, rows, document.notes, least, bits);
      enough |= lanes_of(d, here) << lane;
    }
    const int left = highest - lowest - t + 1;
    if (left < RoughCircle::kTogether) enough &= (std::uint64_t{1} << static_cast<unsigned>(left)) - 1;
    document.chances.bits[static_cast<std::size_t>(t) / 64] |= enough << static_cast<unsigned>(t % 64);
    any |= enough;
  }
  document.any = any != 0;
}

template <std::size_t kBits>
HWY_INLINE std::uint64_t enough_of(const FineCircles& query, const TimedNotes& document, int first, std::uint32_t least,
                                   std::size_t bits) {
  const Lanes<std::uint64_t> d;
  const std::size_t words = query.words();
  std::uint64_t enough = 0;
  for (std::size_t lane = 0; lane < FineCircles::kTogether; lane += hn::Lanes(d)) {
    auto here = hn::Zero(d);
    for (std::size_t word = 0; word < words; ++word) {
      if (lane == 0 || words > 1) find_rows(query, document, first, word);
      const std::uint64_t* const turned = query.turned() + lane;
      here = hn::Or(here, enough_in_lanes<kBits>(d, turned, document.rows.data(), document.notes, least, bits));
    }
    enough |= lanes_of(d, here) << lane;
  }
  return enough;
}

}  // namespace

void enough_roughly(const RoughCircle& query, std::span<PlacedNotes> documents, Reach reach, std::uint32_t least,
                    std::uint32_t* rows) {
  with_bits_of(least, [&](auto kBits, std::size_t bits) HWY_ATTR {
    for (PlacedNotes& document : documents) enough_of<kBits()>(query, document, reach, least, rows, bits);
  });
}

std::uint32_t enough_coincide(const FineCircles& query, const TimedNotes& document, int first, std::uint32_t least) {
  find_places(query, document);
  std::uint64_t enough = 0;
  with_bits_of(least, [&](auto kBits, std::size_t bits)
                          HWY_ATTR { enough = enough_of<kBits()>(query, document, first, least, bits); });
  return static_cast<std::uint32_t>(enough);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, enough_roughly,
               (const RoughCircle& query, std::span<PlacedNotes> documents, Reach reach, std::uint32_t least,
                std::uint32_t* rows),
               (query, documents, reach, least, rows));
RONDO_DISPATCH(std::uint32_t, enough_coincide,
               (const FineCircles& query, const TimedNotes& document, int first, std::uint32_t least),
               (query, document, first, least));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
