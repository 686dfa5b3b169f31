// Compiled once for every instruction set; nearest_work_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/nearest_work_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "search/kernels/nearest_work.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(nearest_work);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, Heaps::kPad>;
using V = hn::Vec<D>;

namespace {

HWY_INLINE V squared(V time, V pitch, V other_time, V other_pitch) {
  const V dt = hn::Sub(time, other_time);
  const V dp = hn::Sub(pitch, other_pitch);
  return hn::MulAdd(dp, dp, hn::Mul(dt, dt));
}

/// The document's heaps, each to the nearest of the query.
HWY_INLINE float by_document(const Heaps& query, const Heaps& document, const HeapPlacing& placing) {
  const D d;
  V sum = hn::Zero(d);
  for (std::size_t j = 0; j < document.time.size(); j += hn::Lanes(d)) {
    const V time = hn::LoadU(d, document.time.data() + j);
    const V pitch = hn::LoadU(d, document.pitch.data() + j);
    V nearest = hn::Set(d, std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < query.size; ++i) {
      const V own_time = hn::Set(d, query.time[i] * placing.stretch);
      const V own_pitch = hn::Set(d, query.pitch[i] + placing.transposition);
      nearest = hn::Min(nearest, squared(time, pitch, own_time, own_pitch));
    }
    sum = hn::MulAdd(hn::LoadU(d, document.weight.data() + j), hn::Sqrt(nearest), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// The query's heaps, each to the nearest of the document.
HWY_INLINE float by_query(const Heaps& query, const Heaps& document, const HeapPlacing& placing) {
  const D d;
  const V stretch = hn::Set(d, placing.stretch);
  const V transposition = hn::Set(d, placing.transposition);
  V sum = hn::Zero(d);
  for (std::size_t i = 0; i < query.time.size(); i += hn::Lanes(d)) {
    const V time = hn::Mul(hn::LoadU(d, query.time.data() + i), stretch);
    const V pitch = hn::Add(hn::LoadU(d, query.pitch.data() + i), transposition);
    V nearest = hn::Set(d, std::numeric_limits<float>::max());
    for (std::size_t j = 0; j < document.size; ++j) {
      const V other = squared(time, pitch, hn::Set(d, document.time[j]), hn::Set(d, document.pitch[j]));
      nearest = hn::Min(nearest, other);
    }
    sum = hn::MulAdd(hn::LoadU(d, query.weight.data() + i), hn::Sqrt(nearest), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace

void nearest_work(const Heaps& query, const Heaps& document, std::span<const HeapPlacing> placings, HeapSides sides,
                  float enough, float* work) {
  for (const HeapPlacing& placing : placings) {
    float least = sides.document ? by_document(query, document, placing) : 0.0F;
    if (sides.query && least < enough) least = HWY_MAX(least, by_query(query, document, placing));
    *work++ = least;
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, nearest_work,
               (const Heaps& query, const Heaps& document, std::span<const HeapPlacing> placings, HeapSides sides,
                float enough, float* work),
               (query, document, placings, sides, enough, work));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
