// Compiled once for every instruction set; common_amounts_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_amounts_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/common_amounts.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
std::uint8_t common_notes(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document, std::size_t size,
                          std::uint8_t* out) {
  return common_amounts_plain(query, document, size, out);
}
std::int16_t common_times(const PitchAmounts<std::int16_t>& query, const std::int16_t* document, std::size_t size,
                          std::int16_t* out) {
  return common_amounts_plain(query, document, size, out);
}
#else
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Amount>
HWY_INLINE Amount sum_lanes(const PitchAmounts<Amount>& query, const Amount* HWY_RESTRICT document, std::size_t size,
                            Amount* HWY_RESTRICT out) {
  const hn::CappedTag<Amount, kAmountBlock> d;
  const std::size_t pitches = query.pitch.size();
  const std::uint8_t* const pitch = query.pitch.data();
  const Amount* const amount = query.amount.data();
  auto most = hn::Zero(d);
  for (std::size_t t = 0; t < (size + kAmountBlock - 1) / kAmountBlock * kAmountBlock; t += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < pitches; ++i) {
      sum = hn::Add(sum, hn::Min(hn::Set(d, amount[i]), hn::LoadU(d, document + t + pitch[i])));
    }
    hn::StoreU(sum, d, out + t);
    most = hn::Max(most, sum);
  }
  if constexpr (sizeof(Amount) == 2) {
    return hn::GetLane(hn::MaxOfLanes(d, most));
  } else {
    const hn::Repartition<std::uint16_t, decltype(d)> pairs;
    const auto both = hn::BitCast(pairs, most);
    const auto more = hn::Max(hn::ShiftRight<8>(both), hn::And(both, hn::Set(pairs, 0xFF)));
    return static_cast<Amount>(hn::GetLane(hn::MaxOfLanes(pairs, more)));
  }
}

}  // namespace

std::uint8_t common_notes(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document, std::size_t size,
                          std::uint8_t* out) {
  return sum_lanes(query, document, size, out);
}
std::int16_t common_times(const PitchAmounts<std::int16_t>& query, const std::int16_t* document, std::size_t size,
                          std::int16_t* out) {
  return sum_lanes(query, document, size, out);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(common_notes);
HWY_EXPORT(common_times);
}  // namespace

std::uint8_t common_amounts(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document, std::size_t size,
                            std::uint8_t* out) {
  if (plain_forced()) return common_amounts_plain(query, document, size, out);
  return HWY_DYNAMIC_DISPATCH(common_notes)(query, document, size, out);
}
std::int16_t common_amounts(const PitchAmounts<std::int16_t>& query, const std::int16_t* document, std::size_t size,
                            std::int16_t* out) {
  if (plain_forced()) return common_amounts_plain(query, document, size, out);
  return HWY_DYNAMIC_DISPATCH(common_times)(query, document, size, out);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
