// Compiled once for every instruction set; coinciding_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/coinciding_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/coinciding.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(enough_on_pitch);
RONDO_SCALAR(enough_coincide);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint64_t, kTranspositions>;
using V = hn::Vec<D>;

/// Three bits at every place become a sum of two.
HWY_INLINE void add(V a, V b, V c, V& high, V& low) {
  const V unlike = hn::Xor(a, b);
  high = hn::OrAnd(hn::And(a, b), unlike, c);
  low = hn::Xor(unlike, c);
}

/// One word of the circles that notes of the document meet, under several transpositions.
class TurnedWords {
 public:
  TurnedWords(const Circles& query, const TurnedRows& document, int first, std::size_t word)
      : origin_(query.of(0, first)),
        pitch_(document.pitch.data()),
        turn_(document.turn.data()),
        word_(word),
        last_(query.words() - 1) {}

  /// Of note j.
  HWY_INLINE V operator()(std::size_t j) const {
    const D d;
    const std::uint64_t* const at = origin_ - pitch_[j];
    const std::size_t from = turn_[j] / kWordOfCircle + word_;
    const int turn = static_cast<int>(turn_[j] % kWordOfCircle);
    const V low = hn::LoadU(d, at + (from & last_) * Circles::kStride);
    const V high = hn::LoadU(d, at + ((from + 1) & last_) * Circles::kStride);
    // In two steps, for a shift by a whole word is none.
    constexpr int kRest = static_cast<int>(kWordOfCircle) - 1;
    return hn::Or(hn::ShiftRightSame(low, turn), hn::ShiftLeftSame(hn::ShiftLeft<1>(high), kRest - turn));
  }

 private:
  const std::uint64_t* origin_;
  const std::uint8_t* pitch_;
  const std::uint32_t* turn_;
  std::size_t word_;
  std::size_t last_;
};

/// As many transpositions as a vector has lanes, at the places of one word of the circle: where not zero, enough meet.
/// Sums at every place are kept as one word for each of their bits, four notes at a time (Harley and Seal's way of
/// counting bits). They begin so high that those that reach `least` carry out of the highest bit.
HWY_INLINE V enough_in_lanes(const TurnedWords& words, std::size_t notes, std::uint32_t least) {
  const D d;
  V sum[12];
  std::size_t bits = 2;
  while (least > 1U << bits) ++bits;
  const std::uint32_t begin = (1U << bits) - least;
  for (std::size_t bit = 0; bit < bits; ++bit) sum[bit] = hn::Set(d, (begin >> bit & 1U) != 0 ? ~std::uint64_t{0} : 0);
  V enough = hn::Zero(d);
  const auto carry = [&](V carried, std::size_t bit) HWY_ATTR {
    for (; bit < bits; ++bit) {
      const V next = hn::And(sum[bit], carried);
      sum[bit] = hn::Xor(sum[bit], carried);
      carried = next;
    }
    enough = hn::Or(enough, carried);
  };
  std::size_t j = 0;
  for (; j + 4 <= notes; j += 4) {
    V twos[2];
    V fours;
    add(sum[0], words(j), words(j + 1), twos[0], sum[0]);
    add(sum[0], words(j + 2), words(j + 3), twos[1], sum[0]);
    add(sum[1], twos[0], twos[1], fours, sum[1]);
    carry(fours, 2);
  }
  for (; j < notes; ++j) carry(words(j), 0);
  return enough;
}

}  // namespace

std::uint64_t enough_on_pitch(const PitchCounts& query, const std::uint8_t* counts, int first, std::uint8_t least) {
  const hn::CappedTag<std::uint8_t, kWordOfTranspositions> d;
  const auto border = hn::Set(d, least);
  std::uint8_t bits[2 * sizeof(std::uint64_t)] = {};  // more than needed, as StoreMaskBits wants
  for (std::size_t t = 0; t < kWordOfTranspositions; t += hn::Lanes(d)) {
    const std::uint8_t* const at = counts + first + static_cast<int>(t);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < query.pitch.size(); ++i) {
      sum = hn::SaturatedAdd(sum, hn::Min(hn::Set(d, query.count[i]), hn::LoadU(d, at + query.pitch[i])));
    }
    hn::StoreMaskBits(d, hn::Eq(hn::Max(sum, border), sum), bits + t / 8);
  }
  std::uint64_t enough = 0;
  hwy::CopyBytes<sizeof enough>(bits, &enough);
  return enough;
}

std::uint32_t enough_coincide(const Circles& query, const TurnedRows& document, int first, std::uint32_t least) {
  const D d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  std::uint32_t enough = 0;
  for (int t = 0; t < kTranspositions; t += lanes) {
    V here = hn::Zero(d);
    for (std::size_t word = 0; word < query.words(); ++word) {
      const TurnedWords words(query, document, first + t, word);
      here = hn::Or(here, enough_in_lanes(words, document.pitch.size(), least));
    }
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Ne(here, hn::Zero(d)), bits);
    enough |= static_cast<std::uint32_t>(bits[0]) << static_cast<unsigned>(t);
  }
  return enough;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(std::uint64_t, enough_on_pitch,
               (const PitchCounts& query, const std::uint8_t* counts, int first, std::uint8_t least),
               (query, counts, first, least));
RONDO_DISPATCH(std::uint32_t, enough_coincide,
               (const Circles& query, const TurnedRows& document, int first, std::uint32_t least),
               (query, document, first, least));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
