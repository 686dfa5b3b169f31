// Compiled once for every instruction set; tune_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/tune_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <bit>

#include "search/kernels/simd.h"
#include "search/kernels/tune.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(tune);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

HWY_INLINE void find_amounts(const TimeOnPitches& document, std::int32_t* HWY_RESTRICT out) {
  const hn::CappedTag<float, TimeOnPitches::kRoom> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto factor = hn::Set(d, kTunedWhole / static_cast<float>(document.sounding));
  const auto one = hn::Set(di, 1);
  for (std::size_t k = 0; k < document.size; k += hn::Lanes(d)) {
    const auto time = hn::ConvertTo(d, hn::LoadU(di, document.time.data() + k));
    hn::StoreU(hn::Add(hn::ConvertTo(di, hn::Mul(time, factor)), one), di, out + k);
  }
}

}  // namespace

std::size_t tune(const TunedQuery& query, const TimeOnPitches& document, TuneWork& work) {
  if (work.amount.size() < document.size + TimeOnPitches::kRoom) {
    work.amount.resize(document.size + TimeOnPitches::kRoom);
  }
  const std::int32_t* HWY_RESTRICT amounts = work.amount.data();
  find_amounts(document, work.amount.data());
  const hn::CappedTag<std::int16_t, 32> d;
  const int width = static_cast<int>(hn::Lanes(d));
  const int first = document.low - query.high;
  const int last = document.high - query.low;
  std::int16_t* HWY_RESTRICT common = work.common.data();
  auto most = hn::Set(d, 1);
  // Three vectors at a time, for what stands for a pitch of the document is the same for all.
  for (int t = first; t <= last; t += 3 * width) {
    const std::int16_t* const own = query.share.data() + TunedQuery::kReverse + t;
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    for (std::size_t k = 0; k < document.size; ++k) {
      const auto amount = hn::Set(d, static_cast<std::int16_t>(amounts[k]));
      const std::int16_t* const met = own - document.pitch[k];
      sum0 = hn::Add(sum0, hn::Min(amount, hn::LoadU(d, met)));
      sum1 = hn::Add(sum1, hn::Min(amount, hn::LoadU(d, met + width)));
      sum2 = hn::Add(sum2, hn::Min(amount, hn::LoadU(d, met + 2 * width)));
    }
    hn::StoreU(sum0, d, common + (t - first));
    hn::StoreU(sum1, d, common + (t - first) + width);
    hn::StoreU(sum2, d, common + (t - first) + 2 * width);
    most = hn::Max(most, hn::Max(sum0, hn::Max(sum1, sum2)));
  }
  // One less than what is enough, because integers have no >= here.
  const auto slack = hn::Set(d, static_cast<std::int16_t>(tune_slack(query, document) + 1));
  const auto least = hn::Max(hn::Zero(d), hn::Sub(hn::MaxOfLanes(d, most), slack));
  std::size_t found = 0;
  for (int t = first; t <= last; t += width) {
    const auto is_best = hn::Gt(hn::LoadU(d, common + (t - first)), least);
    if (hn::AllFalse(d, is_best)) continue;
    std::uint64_t bits[2] = {};  // more than the lanes of any vector, as StoreMaskBits wants
    hn::StoreMaskBits(d, is_best, reinterpret_cast<std::uint8_t*>(bits));  // NOLINT: bytes in the order of the machine
    for (std::uint64_t left = bits[0]; left != 0; left &= left - 1) {
      work.best[found++] = static_cast<std::int16_t>(t + std::countr_zero(left));
    }
  }
  return found;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(std::size_t, tune, (const TunedQuery& query, const TimeOnPitches& document, TuneWork& work),
               (query, document, work));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
