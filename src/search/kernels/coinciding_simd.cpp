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
std::uint32_t most_coinciding(const TurnedRows& rows, const std::uint64_t* words, int first) {
  return most_coinciding_plain(rows, words, first);
}
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint64_t, kTranspositions>;
using V = hn::Vec<D>;

/// Three bits at every place become a sum of two.
HWY_INLINE void add(V a, V b, V c, V& high, V& low) {
  const V unlike = hn::Xor(a, b);
  high = hn::Or(hn::And(a, b), hn::And(unlike, c));
  low = hn::Xor(unlike, c);
}

/// The word of a note under several transpositions, turned by its time; nothing behind the last note.
HWY_INLINE V turned(const TurnedRows& rows, std::size_t i, const std::uint64_t* words) {
  const D d;
  if (i >= rows.pitch.size()) return hn::Zero(d);
  const V word = hn::LoadU(d, words + rows.pitch[i]);
  const int turn = rows.turn[i];
  if (turn == 0) return word;
  return hn::Or(hn::ShiftRightSame(word, turn), hn::ShiftLeftSame(word, static_cast<int>(kCircle) - turn));
}

/// As many transpositions as a vector has lanes, from where `words` points. Sums at every place are kept as one word
/// for each of their bits, eight notes at a time (Harley and Seal's way of counting bits).
HWY_INLINE std::uint32_t most_of_lanes(const TurnedRows& rows, const std::uint64_t* words) {
  const D d;
  const V zero = hn::Zero(d);
  constexpr int kBits = 8;
  V sum[kBits];
  for (V& bit : sum) bit = zero;
  for (std::size_t i = 0; i < rows.pitch.size(); i += 8) {
    const auto note = [&](std::size_t k) HWY_ATTR { return turned(rows, i + k, words); };
    V twos[2];
    V fours[2];
    V eights;
    for (std::size_t half = 0; half < 2; ++half) {
      add(sum[0], note(4 * half), note(4 * half + 1), twos[0], sum[0]);
      add(sum[0], note(4 * half + 2), note(4 * half + 3), twos[1], sum[0]);
      add(sum[1], twos[0], twos[1], fours[half], sum[1]);
    }
    add(sum[2], fours[0], fours[1], eights, sum[2]);
    for (int bit = 3; bit < kBits; ++bit) {
      const V carried = hn::And(sum[bit], eights);
      sum[bit] = hn::Xor(sum[bit], eights);
      eights = carried;
    }
  }
  // The greatest sum, bit by bit from the top: among the places that are greatest so far.
  V among = hn::Set(d, ~std::uint64_t{0});
  std::uint32_t most = 0;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    const V left = hn::And(among, sum[bit]);
    if (hn::AllTrue(d, hn::Eq(left, zero))) continue;
    among = left;
    most |= 1U << static_cast<unsigned>(bit);
  }
  return most;
}

}  // namespace

std::uint32_t most_coinciding(const TurnedRows& rows, const std::uint64_t* words, int first) {
  const auto lanes = static_cast<int>(hn::Lanes(D()));
  std::uint32_t most = 0;
  for (int t = first; t < first + kTranspositions; t += lanes) most = HWY_MAX(most, most_of_lanes(rows, words + t));
  return most;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(most_coinciding);
}  // namespace

std::uint32_t most_coinciding(const TurnedRows& rows, const std::uint64_t* words, int first) {
  if (plain_forced()) return most_coinciding_plain(rows, words, first);
  return HWY_DYNAMIC_DISPATCH(most_coinciding)(rows, words, first);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
