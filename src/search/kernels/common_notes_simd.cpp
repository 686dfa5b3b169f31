// Compiled once for every instruction set; common_notes_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/common_notes_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <algorithm>

#include "search/kernels/common_notes.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
std::size_t common_by_transposition(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                    std::uint8_t* counts) {
  return common_by_transposition_plain(query, pitches, notes, counts);
}
#else
namespace hn = hwy::HWY_NAMESPACE;

/// Calls `take` with the first transposition and the counts of each vector of transpositions; returns how many
/// transpositions there are.
template <class D, class Take>
HWY_INLINE std::size_t for_transpositions(D d, const hn::TFromD<D>* where, const CommonQuery& query,
                                          const std::int16_t* HWY_RESTRICT pitches, std::size_t notes,
                                          const Take& take) {
  using T = hn::TFromD<D>;
  int low = pitches[0];
  int high = pitches[0];
  for (std::size_t j = 1; j < notes; ++j) {
    low = std::min<int>(low, pitches[j]);
    high = std::max<int>(high, pitches[j]);
  }
  const int range = query.high - query.low;
  const auto transpositions = static_cast<std::size_t>(high - low + range + 1);
  const T* const from = where + kCommonZero + low - range;
  const T bits = query.notes == 8 * sizeof(T) ? ~T{0} : static_cast<T>((T{1} << query.notes) - 1);
  const auto all = hn::Set(d, bits);
  const std::size_t width = hn::Lanes(d);
  for (std::size_t t = 0; t < transpositions; t += 2 * width) {
    auto one = hn::Set(d, static_cast<T>(~T{0}));
    auto two = one;
    for (std::size_t j = 0; j < notes; ++j) {
      const T* const at = from + t - pitches[j];
      const auto met_one = hn::And(one, hn::LoadU(d, at));
      const auto met_two = hn::And(two, hn::LoadU(d, at + width));
      one = hn::Or(hn::Add(one, met_one), hn::AndNot(met_one, one));
      two = hn::Or(hn::Add(two, met_two), hn::AndNot(met_two, two));
    }
    take(t, hn::PopulationCount(hn::AndNot(one, all)));
    take(t + width, hn::PopulationCount(hn::AndNot(two, all)));
  }
  return transpositions;
}

template <class T>
HWY_INLINE std::size_t all_of(const T* where, const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                              std::uint8_t* out) {
  const hn::CappedTag<T, 16> d;
  return for_transpositions(d, where, query, pitches, notes, [&](std::size_t t, auto counts) {
    T values[16];
    hn::StoreU(counts, d, values);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) out[t + lane] = static_cast<std::uint8_t>(values[lane]);
  });
}

std::size_t common_by_transposition(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                    std::uint8_t* counts) {
  return query.notes <= 32 ? all_of(query.short_where.data(), query, pitches, notes, counts)
                           : all_of(query.long_where.data(), query, pitches, notes, counts);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(common_by_transposition);
}  // namespace

std::size_t common_by_transposition(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                    std::uint8_t* counts) {
  if (plain_forced()) return common_by_transposition_plain(query, pitches, notes, counts);
  return HWY_DYNAMIC_DISPATCH(common_by_transposition)(query, pitches, notes, counts);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
