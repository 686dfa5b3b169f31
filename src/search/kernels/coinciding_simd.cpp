// Compiled once for every instruction set; coinciding_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/coinciding_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/coinciding.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
std::uint64_t enough_on_pitch(const PitchCounts& query, const std::uint8_t* counts, int first, std::uint8_t least) {
  return enough_on_pitch_plain(query, counts, first, least);
}
bool enough_coincide(const TurnedRows& rows, const std::uint64_t* words, int first, std::uint32_t least) {
  return enough_coincide_plain(rows, words, first, least);
}
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

/// The word of a note under several transpositions, turned by its time; nothing behind the last note.
HWY_INLINE V turned(const TurnedRows& rows, std::size_t i, const std::uint64_t* words) {
  const D d;
  if (i >= rows.pitch.size()) return hn::Zero(d);
  const V word = hn::LoadU(d, words + rows.pitch[i]);
  const int turn = rows.turn[i];
  constexpr auto kWhole = static_cast<int>(kCircle);
  return hn::Or(hn::ShiftRightSame(word, turn), hn::ShiftLeftSame(word, (kWhole - turn) % kWhole));
}

/// As many transpositions as a vector has lanes, from where `words` points. Sums at every place are kept as one word
/// for each of their bits, four notes at a time (Harley and Seal's way of counting bits). They begin so high that
/// those that reach `least` carry out of the highest bit.
HWY_INLINE bool enough_in_lanes(const TurnedRows& rows, const std::uint64_t* words, std::uint32_t least) {
  const D d;
  V sum[8];
  std::size_t bits = 2;
  while (least > 1U << bits) ++bits;
  const std::uint32_t begin = (1U << bits) - least;
  for (std::size_t bit = 0; bit < bits; ++bit) sum[bit] = hn::Set(d, (begin >> bit & 1U) != 0 ? ~std::uint64_t{0} : 0);
  V enough = hn::Zero(d);
  for (std::size_t i = 0; i < rows.pitch.size(); i += 4) {
    V twos[2];
    V fours;
    add(sum[0], turned(rows, i, words), turned(rows, i + 1, words), twos[0], sum[0]);
    add(sum[0], turned(rows, i + 2, words), turned(rows, i + 3, words), twos[1], sum[0]);
    add(sum[1], twos[0], twos[1], fours, sum[1]);
    for (std::size_t bit = 2; bit < bits; ++bit) {
      const V carried = hn::And(sum[bit], fours);
      sum[bit] = hn::Xor(sum[bit], fours);
      fours = carried;
    }
    enough = hn::Or(enough, fours);
  }
  return !hn::AllTrue(d, hn::Eq(enough, hn::Zero(d)));
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
      sum = hn::Add(sum, hn::Min(hn::Set(d, query.count[i]), hn::LoadU(d, at + query.pitch[i])));
    }
    hn::StoreMaskBits(d, hn::Eq(hn::Max(sum, border), sum), bits + t / 8);
  }
  std::uint64_t enough = 0;
  hwy::CopyBytes<sizeof enough>(bits, &enough);
  return enough;
}

bool enough_coincide(const TurnedRows& rows, const std::uint64_t* words, int first, std::uint32_t least) {
  const auto lanes = static_cast<int>(hn::Lanes(D()));
  for (int t = first; t < first + kTranspositions; t += lanes) {
    if (enough_in_lanes(rows, words + t, least)) return true;
  }
  return false;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(enough_on_pitch);
HWY_EXPORT(enough_coincide);
}  // namespace

std::uint64_t enough_on_pitch(const PitchCounts& query, const std::uint8_t* counts, int first, std::uint8_t least) {
  if (plain_forced()) return enough_on_pitch_plain(query, counts, first, least);
  return HWY_DYNAMIC_DISPATCH(enough_on_pitch)(query, counts, first, least);
}

bool enough_coincide(const TurnedRows& rows, const std::uint64_t* words, int first, std::uint32_t least) {
  if (plain_forced()) return enough_coincide_plain(rows, words, first, least);
  return HWY_DYNAMIC_DISPATCH(enough_coincide)(rows, words, first, least);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
