// Compiled once for every instruction set; common_tonic_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_tonic_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/common_tonic.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(common_tonic);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// A tonic in each lane: the twelve above `first`.
template <class D>
HWY_INLINE int tonic_in_lanes(D d, const TonicQuery& query, const ClassTicks& document, std::int64_t document_time,
                              int first) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kClasses = 12;
  constexpr std::size_t kWhole = 16;  // in whole vectors
  const hn::Rebind<std::int32_t, D> ticks;
  const std::size_t width = hn::Lanes(d);
  // The octave three times, so that the one above every tonic lies in one piece. What is behind each is written over
  // by the next.
  alignas(64) T there[2 * kClasses + kWhole];
  const auto query_time = hn::Set(d, static_cast<T>(query.total));
  for (std::size_t octave = 0; octave < 3; ++octave) {
    for (std::size_t i = 0; i < kWhole; i += width) {
      const auto time = hn::LoadU(ticks, document.time.data() + i);
      if constexpr (sizeof(T) == 4) {
        hn::StoreU(hn::Mul(time, query_time), d, there + octave * kClasses + i);
      } else {
        hn::StoreU(hn::Mul(hn::PromoteTo(d, time), query_time), d, there + octave * kClasses + i);
      }
    }
  }
  alignas(64) T common[kWhole];
  const T* const from = there + first;
  for (std::size_t above = 0; above < kClasses; above += width) {
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < kClasses; ++i) {
      const auto wanted = hn::Set(d, static_cast<T>(static_cast<T>(query.time[i]) * static_cast<T>(document_time)));
      sum = hn::Add(sum, hn::Min(hn::LoadU(d, from + above + i), wanted));
    }
    hn::Store(sum, d, common + above);
  }
  int best = 0;
  for (int above = 1; above < static_cast<int>(kClasses); ++above) {
    if (common[above] > common[best]) best = above;
  }
  return (first + best) % static_cast<int>(kClasses);
}

}  // namespace

int common_tonic(const TonicQuery& query, const ClassTicks& document, int first) {
  std::int64_t document_time = 0;
  for (const std::int32_t time : document.time) document_time += time;
  if (query.total * static_cast<double>(document_time) < 1e9) {
    return tonic_in_lanes(hn::CappedTag<std::int32_t, 16>(), query, document, document_time, first);
  }
  return tonic_in_lanes(hn::CappedTag<double, 8>(), query, document, document_time, first);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(int, common_tonic, (const TonicQuery& query, const ClassTicks& document, int first),
               (query, document, first));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
