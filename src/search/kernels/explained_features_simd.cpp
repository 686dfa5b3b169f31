// Compiled once for every instruction set; explained_features_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/explained_features_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/explained_features.h"
#include "search/kernels/simd.h"
#include "similarity/systems/rondo.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(explained_features);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

HWY_INLINE void explained_pitches(const ExplainedNotes& notes, ExplainedColumns& out, std::size_t lane) {
  const hn::CappedTag<std::int16_t, kBatch> d;
  const auto first = hn::LoadU(d, notes.first + lane);
  const auto second = hn::LoadU(d, notes.second + lane);
  for (std::size_t j = 0; j < notes.columns; ++j) {
    const std::size_t at = j * kBatch + lane;
    const auto pitch = hn::LoadU(d, notes.pitch.data() + at);
    hn::StoreU(hn::Sub(pitch, first), d, out.pitch.data() + at);
    hn::StoreU(hn::Sub(pitch, second), d, out.other.data() + at);
    const auto after = j + 1 < notes.columns ? hn::LoadU(d, notes.pitch.data() + at + kBatch) : pitch;
    hn::StoreU(hn::Sub(after, pitch), d, out.next.data() + at);
  }
}

using FloatTag = hn::CappedTag<float, kBatch / 4>;
using WholeTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Wholes = hn::Vec<WholeTag>;

/// Octaves as whole steps. `doubt` keeps how far the most doubtful one was from the middle of its step: logarithms of
/// ticks, up to 28, have errors below 2^-19, so a step that is nearer to its border than this may be another.
constexpr float kSureWithin = 0.4999F;
HWY_INLINE Wholes whole_steps(Floats octaves, Floats& doubt) {
  const FloatTag d;
  const Floats most = hn::Set(d, static_cast<float>(explained::kMostLength));
  const Floats steps =
      hn::Clamp(hn::Mul(octaves, hn::Set(d, static_cast<float>(explained::kLengthSteps))), hn::Neg(most), most);
  const Wholes nearest = hn::NearestInt(steps);
  doubt = hn::Max(doubt, hn::Abs(hn::Sub(steps, hn::ConvertTo(d, nearest))));
  return nearest;
}

HWY_INLINE void store_narrow(Wholes values, std::int16_t* to) {
  const hn::Rebind<std::int16_t, WholeTag> narrow;
  hn::StoreU(hn::DemoteTo(narrow, values), narrow, to);
}

HWY_INLINE void explained_times(const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out,
                                std::size_t lane, bool* doubtful) {
  const FloatTag d;
  const WholeTag whole;
  const Wholes all = hn::LoadU(whole, notes.all + lane);
  const Floats part = hn::Div(hn::Set(d, static_cast<float>(explained::kLastPlace)), hn::ConvertTo(d, all));
  const Floats average = hn::LoadU(d, notes.average + lane);
  const Wholes length_cost = hn::Set(whole, costs.length);
  const Wholes change_cost = hn::Set(whole, costs.change);
  const Wholes gap_base = hn::Set(whole, costs.gap.base);
  const Wholes gap_slope = hn::Set(whole, costs.gap.slope);
  const Wholes gap_least = hn::Set(whole, costs.gap.least);
  const Wholes one = hn::Set(whole, 1);
  const Wholes zero = hn::Zero(whole);
  Floats doubt = hn::Zero(d);
  Wholes since = zero;
  Floats before = hn::LoadU(d, notes.octaves.data() + lane);
  for (std::size_t j = 0; j < notes.columns; ++j) {
    const std::size_t at = j * kBatch + lane;
    const Floats octaves = hn::LoadU(d, notes.octaves.data() + at);
    const Wholes length = whole_steps(hn::Sub(octaves, average), doubt);
    const Wholes change = whole_steps(hn::Sub(octaves, before), doubt);
    before = octaves;
    store_narrow(hn::Mul(length, length_cost), out.length.data() + at);
    store_narrow(hn::Mul(change, change_cost), out.change.data() + at);
    const Wholes gap = hn::ShiftRight<16>(hn::Add(gap_base, hn::Mul(gap_slope, length)));
    store_narrow(hn::Max(gap, gap_least), out.gap.data() + at);
    // The place, rounded down: the product of floats is at most one off. The remainder is right although what it is the
    // difference of may overflow, for it is itself small.
    Wholes place = hn::ConvertTo(whole, hn::Mul(hn::ConvertTo(d, since), part));
    const Wholes rest = hn::Sub(hn::Mul(since, hn::Set(whole, explained::kLastPlace)), hn::Mul(place, all));
    place = hn::Add(place, hn::IfThenZeroElse(hn::Lt(rest, all), one));
    place = hn::Sub(place, hn::IfThenElseZero(hn::Lt(rest, zero), one));
    store_narrow(place, out.place.data() + at);
    since = hn::Add(since, hn::LoadU(whole, notes.length.data() + at));
  }
  float doubts[kBatch];
  hn::StoreU(doubt, d, doubts);
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) doubtful[lane + k] = doubts[k] > kSureWithin;
}

}  // namespace

void explained_features(const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out,
                        bool* doubtful) {
  const std::size_t narrow = hn::Lanes(hn::CappedTag<std::int16_t, kBatch>());
  for (std::size_t lane = 0; lane < kBatch; lane += narrow) explained_pitches(notes, out, lane);
  for (std::size_t lane = 0; lane < kBatch; ++lane) doubtful[lane] = false;
  if (!costs.rhythm) return;
  const std::size_t wide = hn::Lanes(FloatTag());
  for (std::size_t lane = 0; lane < kBatch; lane += wide) explained_times(notes, costs, out, lane, doubtful);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, explained_features,
               (const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out, bool* doubtful),
               (notes, costs, out, doubtful));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
