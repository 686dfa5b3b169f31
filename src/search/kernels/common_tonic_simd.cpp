// Compiled once for every instruction set; common_tonic_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_tonic_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <algorithm>

#include "search/kernels/common_tonic.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(common_tonic);
RONDO_SCALAR(common_tonics);
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
  const T* const from = there + first;
  if constexpr (sizeof(T) == 4) {
    // Beside each sum its tonic, so that the greatest is at once that of the first of equally good ones. Lanes above
    // the twelfth have the sums of the first once more, or less.
    alignas(64) T wanted[kWhole];
    const hn::CappedTag<double, 4> doubles;
    const hn::Rebind<T, decltype(doubles)> half;
    for (std::size_t i = 0; i < kClasses; i += hn::Lanes(half)) {
      const auto time = hn::DemoteTo(half, hn::LoadU(doubles, query.time.data() + i));
      hn::StoreU(hn::Mul(time, hn::Set(half, static_cast<T>(document_time))), half, wanted + i);
    }
    auto best = hn::Zero(d);
    for (std::size_t above = 0; above < kClasses; above += width) {
      auto sum = hn::Zero(d);
      for (std::size_t i = 0; i < kClasses; ++i) {
        sum = hn::Add(sum, hn::Min(hn::LoadU(d, from + above + i), hn::Set(d, wanted[i])));
      }
      const auto order = hn::Sub(hn::Set(d, static_cast<T>(kWhole - 1 - above)), hn::Iota(d, 0));
      best = hn::Max(best, hn::Or(hn::ShiftLeft<4>(sum), order));
    }
    const int order = static_cast<int>(hn::GetLane(hn::MaxOfLanes(d, best)) & 15);
    return (first + 15 - order) % static_cast<int>(kClasses);
  } else {
    alignas(64) T common[kWhole];
    for (std::size_t above = 0; above < kClasses; above += width) {
      auto sum = hn::Zero(d);
      for (std::size_t i = 0; i < kClasses; ++i) {
        const auto wanted = hn::Set(d, query.time[i] * static_cast<T>(document_time));
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
}

int find_tonic(const TonicQuery& query, const ClassTicks& document, int first) {
  std::int64_t document_time = 0;
  for (const std::int32_t time : document.time) document_time += time;
  // So that sums leave four bits for a tonic.
  if (query.total * static_cast<double>(document_time) < 1e8) {
    return tonic_in_lanes(hn::CappedTag<std::int32_t, 16>(), query, document, document_time, first);
  }
  return tonic_in_lanes(hn::CappedTag<double, 8>(), query, document, document_time, first);
}

// Where 32 bits for each of the twelve tonics fit one vector.
#if HWY_TARGET <= HWY_AVX3
/// As tonic_in_lanes, but all stays in registers: what was just written to memory piece by piece cannot be read as a
/// whole soon.
void tonics_in_one_vector(const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic) {
  constexpr std::size_t kClasses = 12;
  const hn::FixedTag<std::int32_t, 16> d;
  const hn::FixedTag<std::int16_t, 16> half;
  const hn::FixedTag<std::int16_t, 8> quarter;
  alignas(64) std::int32_t numbers[16] = {};
  for (std::size_t i = 0; i < kClasses; ++i) numbers[i] = static_cast<std::int32_t>(query.time[i]);
  const auto query_times = hn::Load(d, numbers);
  const auto query_time = hn::Set(d, static_cast<std::int32_t>(query.total));
  // turned[i]: for each tonic the place of the pitch class i above it. Lanes from the twelfth on are ignored.
  hn::Vec<decltype(d)> turned[kClasses];
  for (std::size_t i = 0; i < kClasses; ++i) {
    for (std::size_t lane = 0; lane < 16; ++lane) numbers[lane] = static_cast<std::int32_t>((lane + i) % kClasses);
    turned[i] = hn::Load(d, numbers);
  }
  const auto tonics = hn::Iota(d, 0);
  const auto is_tonic = hn::FirstN(d, kClasses);
  for (const PitchTicks& document : documents) {
    const std::int16_t* const time = document.time;
    const auto low = hn::PromoteTo(d, hn::LoadU(half, time));
    const auto middle = hn::PromoteTo(d, hn::LoadU(half, time + kClasses));
    const auto high = hn::PromoteTo(d, hn::ZeroExtendVector(half, hn::LoadU(quarter, time + 2 * kClasses)));
    const auto there = hn::Mul(hn::Add(hn::Add(low, middle), high), query_time);
    const auto wanted = hn::Mul(query_times, hn::Set(d, document.total));
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < kClasses; ++i) {
      const auto here = hn::TableLookupLanes(there, hn::IndicesFromVec(d, turned[i]));
      const auto own = hn::TableLookupLanes(wanted, hn::IndicesFromVec(d, hn::Set(d, static_cast<std::int32_t>(i))));
      sum = hn::Add(sum, hn::Min(here, own));
    }
    // Beside each sum how far its tonic is above the first note: of equal ones the nearest.
    const auto above = hn::Sub(tonics, hn::Set(d, document.first));
    const auto around = hn::IfThenElse(hn::Lt(above, hn::Zero(d)), hn::Add(above, hn::Set(d, 12)), above);
    const auto order = hn::Sub(hn::Set(d, 15), around);
    const auto best = hn::IfThenElseZero(is_tonic, hn::Or(hn::ShiftLeft<4>(sum), order));
    const int distance = 15 - static_cast<int>(hn::GetLane(hn::MaxOfLanes(d, best)) & 15);
    const int found = document.first + distance;
    *tonic++ = static_cast<std::uint8_t>(found < 12 ? found : found - 12);
  }
}
#endif

}  // namespace

int common_tonic(const TonicQuery& query, const ClassTicks& document, int first) {
  return find_tonic(query, document, first);
}

void common_tonics(const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic) {
#if HWY_TARGET <= HWY_AVX3
  std::int32_t longest = 0;
  for (const PitchTicks& document : documents) longest = std::max(longest, document.total);
  // So that sums leave four bits for a tonic.
  if (query.total * longest < 1e8) return tonics_in_one_vector(query, documents, tonic);
#endif
  for (const PitchTicks& document : documents) {
    ClassTicks classes{};
    for (std::size_t i = 0; i < 12; ++i) classes.time[i] = document.time[i] + document.time[i + 12];
    for (std::size_t i = 24; i < PitchTicks::kPitches; ++i) classes.time[i - 24] += document.time[i];
    *tonic++ = static_cast<std::uint8_t>(find_tonic(query, classes, document.first));
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(int, common_tonic, (const TonicQuery& query, const ClassTicks& document, int first),
               (query, document, first));
RONDO_DISPATCH(void, common_tonics,
               (const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic),
               (query, documents, tonic));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
