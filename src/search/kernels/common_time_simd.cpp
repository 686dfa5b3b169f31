// Compiled once for every instruction set; common_time_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_time_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/common_time.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(longest_common);
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;

}  // namespace

std::int16_t longest_common(const std::int16_t* turns, std::size_t steps) {
  const hn::CappedTag<std::int16_t, kSweeps> d;
  auto most = hn::Zero(d);
  for (std::size_t sweep = 0; sweep < kSweeps; sweep += hn::Lanes(d)) {
    auto slope = hn::Zero(d);
    auto common = hn::Zero(d);
    for (std::size_t step = 0; step < steps; ++step) {
      most = hn::Max(most, common);
      slope = hn::Add(slope, hn::LoadU(d, turns + step * kSweeps + sweep));
      common = hn::Add(common, slope);
    }
  }
  return hn::GetLane(hn::MaxOfLanes(d, most));
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(std::int16_t, longest_common, (const std::int16_t* turns, std::size_t steps), (turns, steps));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
