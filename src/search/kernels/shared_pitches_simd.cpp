// Compiled once for every instruction set; shared_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/shared_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/shared_pitches.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(shared_pitches);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// A bit for each lane of `sums` that is at least `need`.
template <class D>
HWY_INLINE std::uint32_t enough_bits(D d, hn::Vec<D> sums, std::uint8_t need) {
  const auto enough = hn::Eq(hn::Max(sums, hn::Set(d, need)), sums);
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, enough, bytes);
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8U |
         static_cast<std::uint32_t>(bytes[2]) << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
}

}  // namespace

std::size_t shared_pitches(const SharedQuery& query, const std::uint8_t* HWY_RESTRICT rows,
                           const std::uint8_t* HWY_RESTRICT least, std::size_t begin, std::size_t end,
                           SharedHit* HWY_RESTRICT out) {
  const hn::CappedTag<std::uint8_t, kSharedLanes> d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t pitches = query.pitch.size();
  const std::uint8_t* const HWY_RESTRICT pitch = query.pitch.data();
  const std::uint8_t* const HWY_RESTRICT count = query.count.data();
  std::size_t hits = 0;
  for (std::size_t document = begin; document < end; ++document) {
    const std::uint8_t own = least[document];
    const std::uint8_t need = query.both ? HWY_MAX(own, query.least) : HWY_MIN(own, query.least);
    const std::uint8_t* const HWY_RESTRICT row = rows + document * kSharedRow + kSharedBefore + query.first;
    std::uint32_t enough = 0;
    for (std::size_t t = 0; t < kSharedLanes; t += width) {
      auto shared = hn::Zero(d);
      for (std::size_t i = 0; i < pitches; ++i) {
        shared = hn::SaturatedAdd(shared, hn::Min(hn::Set(d, count[i]), hn::LoadU(d, row + t + pitch[i])));
      }
      enough |= enough_bits(d, shared, need) << t;
    }
    out[hits] = {static_cast<std::uint32_t>(document), enough};
    hits += enough != 0 ? 1 : 0;
  }
  return hits;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(std::size_t, shared_pitches,
               (const SharedQuery& query, const std::uint8_t* rows, const std::uint8_t* least, std::size_t begin,
                std::size_t end, SharedHit* out),
               (query, rows, least, begin, end, out));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
