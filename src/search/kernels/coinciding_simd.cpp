// Compiled once for every instruction set; coinciding_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/coinciding_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <bit>

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
  const V unlike = hn::Xor(a, b);
#if HWY_TARGET <= HWY_AVX3
  high = hn::IfVecThenElse(unlike, c, a);  // bit by bit in one instruction, which it is only here
#else
  high = hn::OrAnd(hn::And(a, b), unlike, c);
#endif
  low = hn::Xor(unlike, c);
}

/// Where in query.turned() stands what each note of the document meets, under the transpositions from `first` on and
/// at the places of one word.
template <typename Word>
HWY_INLINE void find_places(const Circles<Word>& query, const TurnedRows& document, int first, std::size_t word,
                            std::uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<std::int32_t, TurnedRows::kRoom> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  constexpr int kBits = std::countr_zero(Circles<Word>::kPlaces);
  const auto set = [&](std::size_t value) HWY_ATTR { return hn::Set(du, static_cast<std::uint32_t>(value)); };
  const auto index = hn::Set(d, query.index_of(0) + first);
  const auto last = hn::Set(d, query.last_index());
  const auto last_word = set(query.words() - 1);
  for (std::size_t j = 0; j < document.notes; j += hn::Lanes(d)) {
    const auto pitch = hn::PromoteTo(d, hn::LoadU(bytes, document.pitch.data() + j));
    const auto time = hn::ShiftRightSame(hn::LoadU(du, document.onset.data() + j), document.halvings);
    auto row = hn::And(time, set(Circles<Word>::kPlaces - 1));
    if (query.words() > 1) {
      const auto from = hn::And(hn::Add(hn::ShiftRight<kBits>(time), set(word)), last_word);
      row = hn::Add(row, hn::ShiftLeft<kBits>(from));
    }
    const auto met = hn::Max(hn::Zero(d), hn::Min(last, hn::Sub(index, pitch)));
    hn::StoreU(hn::Add(hn::Mul(row, set(query.stride())), hn::BitCast(du, met)), du, out + j);
  }
}

/// As many transpositions as a vector has lanes, at the places of one word of the circle: where not zero, enough meet.
/// Sums at every place are kept as one word for each of their bits, four notes at a time (Harley and Seal's way of
/// counting bits). They begin so high that those that reach `least` carry out of the highest bit. `kBits` is their
/// number, so that they stay in registers; 0: any.
template <std::size_t kBits, class D, typename Word = hn::TFromD<D> >
HWY_INLINE hn::Vec<D> enough_in_lanes(D d, const Word* HWY_RESTRICT turned, const std::uint32_t* HWY_RESTRICT places,
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
  const auto met = [&](std::size_t j) HWY_ATTR { return hn::LoadU(d, turned + places[j]); };
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

template <class D, typename Word = hn::TFromD<D> >
HWY_INLINE hn::Vec<D> enough_at_word(D d, const Word* turned, const std::uint32_t* places, std::size_t notes,
                                     std::uint32_t least) {
  std::size_t bits = 2;
  while (least > 1U << bits) ++bits;
  switch (bits) {
    case 2: return enough_in_lanes<2>(d, turned, places, notes, least, bits);
    case 3: return enough_in_lanes<3>(d, turned, places, notes, least, bits);
    case 4: return enough_in_lanes<4>(d, turned, places, notes, least, bits);
    case 5: return enough_in_lanes<5>(d, turned, places, notes, least, bits);
    default: return enough_in_lanes<0>(d, turned, places, notes, least, bits);
  }
}

/// Bit t is set where enough meet under first + t.
template <typename Word>
HWY_INLINE std::uint64_t enough_from(const Circles<Word>& query, const TurnedRows& document, int first,
                                     std::uint32_t least, std::uint32_t* places) {
  const Lanes<Word> d;
  constexpr std::size_t kVectors = Circles<Word>::kTogether / hn::MaxLanes(Lanes<Word>());
  auto here = hn::Zero(d);
  std::uint64_t enough = 0;
  for (std::size_t vector = 0; vector < kVectors; ++vector) {
    const std::size_t t = vector * hn::Lanes(d);
    here = hn::Zero(d);
    for (std::size_t word = 0; word < query.words(); ++word) {
      if (vector == 0 || query.words() > 1) find_places(query, document, first, word, places);
      here = hn::Or(here, enough_at_word(d, query.turned() + t, places, document.notes, least));
    }
    std::uint64_t bits[2] = {};  // more than the lanes of any vector, as StoreMaskBits wants
    hn::StoreMaskBits(d, hn::Ne(here, hn::Zero(d)), reinterpret_cast<std::uint8_t*>(bits));  // NOLINT: as it lies there
    enough |= bits[0] << t;
  }
  return enough;
}

}  // namespace

bool enough_roughly(const RoughCircle& query, const TurnedRows& document, int lowest, int highest, std::uint32_t least,
                    Transpositions& out) {
  std::uint32_t* const places = document.places.data();
  out.lowest = lowest;
  out.bits = {};
  std::uint64_t any = 0;
  for (int t = 0; t <= highest - lowest; t += RoughCircle::kTogether) {
    std::uint64_t enough = enough_from(query, document, lowest + t, least, places);
    const int left = highest - lowest - t + 1;
    if (left < RoughCircle::kTogether) enough &= (std::uint64_t{1} << static_cast<unsigned>(left)) - 1;
    out.bits[static_cast<std::size_t>(t) / 64] |= enough << static_cast<unsigned>(t % 64);
    any |= enough;
  }
  return any != 0;
}

std::uint32_t enough_coincide(const FineCircles& query, const TurnedRows& document, int first, std::uint32_t least) {
  return static_cast<std::uint32_t>(enough_from(query, document, first, least, document.places.data()));
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(bool, enough_roughly,
               (const RoughCircle& query, const TurnedRows& document, int lowest, int highest, std::uint32_t least,
                Transpositions& out),
               (query, document, lowest, highest, least, out));
RONDO_DISPATCH(std::uint32_t, enough_coincide,
               (const FineCircles& query, const TurnedRows& document, int first, std::uint32_t least),
               (query, document, first, least));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
