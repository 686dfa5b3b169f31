// Compiled once for every instruction set; rated_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/rated_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/align_rows-inl.h"
#include "search/kernels/rated_align.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(rated_align);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int16_t, kBatch>;
using V = hn::Vec<D>;

namespace {

/// What is left of a distance when octaves are taken off, from `octaves` (a power of two of them) downwards; with kNear
/// one at most. Taken off what is less, they leave a number so great without its sign that the lesser is what there
/// was.
template <bool kNear>
HWY_INLINE V within_octave(V apart, std::uint16_t octaves) {
  const hn::RebindToUnsigned<D> d;
  auto rest = hn::BitCast(d, apart);
  if (!kNear) {
    for (; octaves > kRatedOctave; octaves /= 2) rest = hn::Min(rest, hn::Sub(rest, hn::Set(d, octaves)));
  }
  rest = hn::Min(rest, hn::Sub(rest, hn::Set(d, kRatedOctave)));
  return hn::BitCast(D(), rest);
}

/// What is left of a rating where two places or weights lie apart.
HWY_INLINE V less(V rated, V one, V other) {
  return hn::Sub(rated, hn::MulFixedPoint15(rated, hn::Abs(hn::Sub(one, other))));
}

/// The notes of the batch as a row meets them.
struct Lanes {
  const RatedColumns& columns;
  std::size_t lane;
  std::uint16_t octaves;
  HWY_INLINE V at(D d, const AlignedVector<std::int16_t>& values, std::size_t j) const {
    return hn::LoadU(d, values.data() + j * kBatch + lane);
  }
};

struct SamePitch {
  V pitch;
  HWY_INLINE SamePitch(D d, const RatedRows& rows, std::size_t i) : pitch(hn::Set(d, rows.pitch[i])) {}
  HWY_INLINE V rating(D d, const Lanes& lanes, std::size_t j) const {
    return hn::IfThenElse(hn::Eq(lanes.at(d, lanes.columns.pitch, j), pitch), hn::Set(d, kRatedOne),
                          hn::Set(d, static_cast<std::int16_t>(-kRatedOne)));
  }
};

template <bool kPlaces, bool kBeats, bool kNear>
struct NearPitch {
  V pitch, place, beat;
  HWY_INLINE NearPitch(D d, const RatedRows& rows, std::size_t i)
      : pitch(hn::Set(d, rows.pitch[i])),
        place(hn::Set(d, kPlaces ? rows.place[i] : std::int16_t{0})),
        beat(hn::Set(d, kBeats ? rows.beat[i] : std::int16_t{0})) {}
  HWY_INLINE V rating(D d, const Lanes& lanes, std::size_t j) const {
    const V one = hn::Set(d, kRatedOne);
    const V distance =
        within_octave<kNear>(hn::Abs(hn::Sub(lanes.at(d, lanes.columns.pitch, j), pitch)), lanes.octaves);
    V rated = hn::Sub(hn::Set(d, 2 * kRatedOne), distance);
    if (kPlaces) rated = less(rated, lanes.at(d, lanes.columns.place, j), place);
    if (kBeats) rated = less(rated, lanes.at(d, lanes.columns.beat, j), beat);
    const V below = hn::Set(d, static_cast<std::int16_t>(kRatedOne - rated_slack(kPlaces, kBeats)));
    return hn::IfThenElse(hn::Gt(distance, one), hn::Neg(one), hn::Sub(rated, below));
  }
};

/// What lies beyond either end costs nothing.
template <typename Rater>
struct Rated {
  const RatedRows& rows;
  Lanes lanes;
  V most = hn::Zero(D());

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) const { return hn::Zero(D()); }

  struct Row {
    const Lanes& lanes;
    Rater rater;
    V gap;
    HWY_INLINE V border(V before) const { return before; }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) const {
      return hn::Max(hn::Add(corner, rater.rating(D(), lanes, j)), hn::Sub(hn::Max(above, left), gap));
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return {lanes, Rater(D(), rows, i), hn::Set(D(), rows.gap)}; }
  HWY_INLINE void end(const Row& /*row*/, V last) { most = hn::Max(most, last); }
};

template <typename Rater>
void align_all(const RatedRows& rows, const RatedColumns& columns, std::uint16_t octaves, std::int16_t* best) {
  const D d;
  each_vector(d, columns.columns, [&](std::size_t lane, std::int16_t* cells) HWY_ATTR {
    Rated<Rater> rated{rows, {columns, lane, octaves}};
    align_rows(d, rated, rows.pitch.size(), columns.columns, cells);
    V most = rated.most;
    for (std::size_t j = 0; j < columns.columns; ++j) most = hn::Max(most, hn::LoadU(d, cells + j * hn::Lanes(d)));
    hn::StoreU(most, d, best + lane);
  });
}

template <bool kNear>
void align_near(const RatedRows& rows, const RatedColumns& columns, std::uint16_t octaves, std::int16_t* best) {
  if (rows.places && rows.beats) return align_all<NearPitch<true, true, kNear> >(rows, columns, octaves, best);
  if (rows.places) return align_all<NearPitch<true, false, kNear> >(rows, columns, octaves, best);
  if (rows.beats) return align_all<NearPitch<false, true, kNear> >(rows, columns, octaves, best);
  return align_all<NearPitch<false, false, kNear> >(rows, columns, octaves, best);
}

}  // namespace

void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  std::uint16_t octaves = kRatedOctave;
  while (2 * octaves <= columns.farthest) octaves = static_cast<std::uint16_t>(2 * octaves);
  if (!rows.band) return align_all<SamePitch>(rows, columns, octaves, best);
  if (octaves == kRatedOctave) return align_near<true>(rows, columns, octaves, best);
  return align_near<false>(rows, columns, octaves, best);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, rated_align, (const RatedRows& rows, const RatedColumns& columns, std::int16_t* best),
               (rows, columns, best));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
