// Compiled once for every instruction set; pitch_edits_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/pitch_edits_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/align_rows-inl.h"
#include "search/kernels/aligned.h"
#include "search/kernels/pitch_edits.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(pitch_edits);
RONDO_SCALAR(pitch_gains);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint8_t, kBatch>;
using V = hn::Vec<D>;

namespace {

/// A cell as far as i - j off the diagonal costs at least that, so only a band of `most` to either side is filled; what
/// lies outside stays above `most`, as it truly is. Sums stop at 255, which is above `most` as well.
HWY_INLINE void align_lanes(std::span<const std::uint8_t> query, const PitchColumns& columns, std::size_t most,
                            std::size_t lane, std::uint8_t* HWY_RESTRICT row, std::uint8_t* HWY_RESTRICT distance) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V one = hn::Set(d, 1);
  const V full = hn::Set(d, 255);
  const V limit = hn::Set(d, static_cast<std::uint8_t>(most));
  const std::size_t count = columns.columns;
  for (std::size_t j = 0; j <= count; ++j) {
    hn::StoreU(hn::Set(d, static_cast<std::uint8_t>(HWY_MIN(j, 255U))), d, row + j * width);
  }
  for (std::size_t i = 1; i <= query.size(); ++i) {
    const std::size_t begin = i > most ? i - most : 1;
    const std::size_t end = HWY_MIN(count, i + most);
    if (begin > end + 1) break;
    const V wanted = hn::Set(d, query[i - 1]);
    V corner = hn::LoadU(d, row + (begin - 1) * width);
    // The border belongs to the band only while i itself is within it.
    V left = begin == 1 && i <= most ? hn::Set(d, static_cast<std::uint8_t>(i)) : full;
    hn::StoreU(left, d, row + (begin - 1) * width);
    V least = left;
    for (std::size_t j = begin; j <= end; ++j) {
      const V here = hn::LoadU(d, columns.pitch.data() + (j - 1) * kBatch + lane);
      const V apart = hn::Sub(hn::Max(here, wanted), hn::Min(here, wanted));
      const V above = hn::LoadU(d, row + j * width);
      const V cell = hn::Min(hn::SaturatedAdd(corner, apart), hn::SaturatedAdd(hn::Min(above, left), one));
      corner = above;
      left = cell;
      least = hn::Min(least, cell);
      hn::StoreU(cell, d, row + j * width);
    }
    // Costs never shrink from row to row.
    if (hn::AllFalse(d, hn::Eq(hn::Min(least, limit), least))) {
      hn::StoreU(full, d, distance + lane);
      return;
    }
  }
  V best = full;
  const std::size_t last = query.size();
  for (std::size_t j = last > most ? last - most : 0; j <= HWY_MIN(count, last + most); ++j) {
    best = hn::Min(best, hn::LoadU(d, row + j * width));
  }
  hn::StoreU(hn::IfThenElse(hn::Eq(hn::Min(best, limit), best), best, full), d, distance + lane);
}

}  // namespace

void pitch_edits(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t most,
                 std::uint8_t* distance) {
  const std::size_t width = hn::Lanes(D());
  thread_local AlignedVector<std::uint8_t> row;
  row.resize((columns.columns + 1) * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    align_lanes(query, columns, most, lane, row.data(), distance);
  }
}

namespace {

constexpr std::size_t kPitches = 256;  // what a byte may be

/// The pitches of a query, each once. Returns how many.
std::size_t different_pitches(std::span<const std::uint8_t> query, std::uint8_t* out) {
  bool seen[kPitches] = {};
  std::size_t count = 0;
  for (const std::uint8_t pitch : query) {
    if (!seen[pitch]) out[count++] = pitch;
    seen[pitch] = true;
  }
  return count;
}

/// Cells hold i + j less their distance: what pairs save against leaving out all notes of both sides. So a note that is
/// left out changes nothing, a pair of one pitch brings 2, one of neighbouring pitches 1, all others nothing.
struct Gains {
  std::span<const std::uint8_t> query;
  const PitchColumns& columns;
  std::size_t lane;

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) const { return hn::Zero(D()); }

  struct Row {
    const Gains& gains;
    V wanted;
    HWY_INLINE V border(V before) const { return before; }
    HWY_INLINE V gain(std::size_t j) const {
      const V here = hn::LoadU(D(), gains.columns.pitch.data() + j * kBatch + gains.lane);
      const V apart = hn::Sub(hn::Max(here, wanted), hn::Min(here, wanted));
      return hn::SaturatedSub(hn::Set(D(), 2), apart);
    }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) const {
      return hn::Max(hn::Max(above, left), hn::Add(corner, gain(j)));
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return {*this, hn::Set(D(), query[i])}; }
  HWY_INLINE void end(const Row& /*row*/, V /*last*/) const {}
};

/// The same, with what pairs bring worked out before, [pitch of the query][note][lane]: a long query has each of its
/// pitches many times.
struct KnownGains {
  std::span<const std::uint8_t> query;
  const std::uint8_t* by_pitch[kPitches];
  static constexpr std::size_t kMostBytes = 32 * 1024;  ///< what stays near while rows are filled

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) const { return hn::Zero(D()); }

  struct Row {
    const std::uint8_t* gains;
    HWY_INLINE V border(V before) const { return before; }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) const {
      return hn::Max(hn::Max(above, hn::Add(corner, hn::LoadU(D(), gains + j * hn::Lanes(D())))), left);
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return {by_pitch[query[i]]}; }
  HWY_INLINE void end(const Row& /*row*/, V /*last*/) const {}
};

}  // namespace

void pitch_gains(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t* gain) {
  const D d;
  const std::size_t bytes_of_pitch = columns.columns * hn::Lanes(d);
  std::uint8_t pitches[kPitches];
  const std::size_t different = different_pitches(query, pitches);
  const bool known = different * bytes_of_pitch <= KnownGains::kMostBytes && 4 * different <= query.size();
  thread_local AlignedVector<std::uint8_t> table;
  if (known && table.size() < KnownGains::kMostBytes) table.resize(KnownGains::kMostBytes);
  each_vector(d, columns.columns, [&](std::size_t lane, std::uint8_t* cells) HWY_ATTR {
    Gains gains{query, columns, lane};
    if (known) {
      KnownGains model{query, {}};
      for (std::size_t p = 0; p < different; ++p) {
        std::uint8_t* const out = table.data() + p * bytes_of_pitch;
        const Gains::Row row{gains, hn::Set(d, pitches[p])};
        for (std::size_t j = 0; j < columns.columns; ++j) hn::StoreU(row.gain(j), d, out + j * hn::Lanes(d));
        model.by_pitch[pitches[p]] = out;
      }
      align_rows(d, model, query.size(), columns.columns, cells);
    } else {
      align_rows(d, gains, query.size(), columns.columns, cells);
    }
    V most = hn::Zero(d);
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const V column = hn::Set(d, static_cast<std::uint8_t>(j + 1));
      most = hn::Max(most, hn::SaturatedSub(hn::LoadU(d, cells + j * hn::Lanes(d)), column));
    }
    hn::StoreU(most, d, gain + lane);
  });
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, pitch_edits,
               (std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t most,
                std::uint8_t* distance),
               (query, columns, most, distance));
RONDO_DISPATCH(void, pitch_gains,
               (std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t* gain),
               (query, columns, gain));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
