// Compiled once for every instruction set; shared_pitches_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/shared_pitches_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/shared_pitches.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(shared_pitches);
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// A bit for each lane of `sums` that is at least `need`.
template <class D>
HWY_INLINE std::uint64_t enough_bits(D d, hn::Vec<D> sums, hn::Vec<D> need) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, hn::Eq(hn::Max(sums, need), sums), bytes);
  std::uint64_t bits = 0;
  hwy::CopyBytes<8>(bytes, &bits);
  return bits;
}

/// Writes a number for each bit, and behind them at most a vector; how many bits there are.
HWY_INLINE std::size_t write_documents(std::uint64_t bits, std::uint32_t first, std::uint32_t shift,
                                       std::uint32_t* HWY_RESTRICT documents, std::uint32_t* HWY_RESTRICT shifts) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t written = 0;
  for (std::size_t part = 0; part < kSharedGroup; part += width, bits >>= width) {
    std::uint8_t bytes[8];
    hwy::CopyBytes<8>(&bits, bytes);
    const auto mask = hn::LoadMaskBits(d, bytes);
    const auto number = hn::Iota(d, first + static_cast<std::uint32_t>(part));
    hn::StoreU(hn::Compress(number, mask), d, documents + written);
    hn::StoreU(hn::Set(d, shift), d, shifts + written);
    written += hn::CountTrue(d, mask);
  }
  return written;
}

}  // namespace

void shared_pitches(const SharedQuery& query, const SharedRange& range, SharedHits& out) {
  const hn::CappedTag<std::uint8_t, kSharedGroup> d;
  const std::size_t width = hn::Lanes(d);
  const auto pitches = static_cast<int>(query.pitch.size());
  const auto notes = query.sorted.size();
  const std::uint8_t* const HWY_RESTRICT pitch = query.pitch.data();
  // The counts, each in all lanes.
  HWY_ALIGN std::uint8_t counts[(kSharedRange + 1) * kSharedGroup];
  for (int i = 0; i < pitches; ++i) {
    hn::Store(hn::Set(d, query.count[static_cast<std::size_t>(i)]), d, counts + static_cast<std::size_t>(i) * width);
  }
  const auto own = hn::Set(d, query.least);
  std::uint32_t* const HWY_RESTRICT documents = out.document.data();
  std::uint32_t* const HWY_RESTRICT shifts = out.shift.data();
  std::size_t size = 0;
  out.distinct = 0;
  for (std::size_t g = range.begin / kSharedGroup; g * kSharedGroup < range.end; ++g) {
    const SharedGroup& group = range.groups[g];
    // In a transposition that lays fewer notes of the query into the range of the documents than must be shared, they
    // are not shared.
    const std::size_t least =
        query.both ? HWY_MAX(query.least, group.lowest_least) : HWY_MIN(query.least, group.lowest_least);
    if (least > notes) continue;
    const int lowest = least > 0 ? -query.sorted[notes - least] : -kSharedRange;
    const int highest = least > 0 ? group.range - query.sorted[least - 1] : group.range;
    const std::uint64_t wanted = wanted_of(range, g);
    std::uint64_t all = 0;
    int from = 0;      // pitches that lie below the documents
    int to = pitches;  // pitches that do not lie above
    while (from < to && pitch[from] + lowest < 0) ++from;
    for (int t = lowest; t <= highest; ++t) {
      while (from > 0 && pitch[from - 1] + t >= 0) --from;
      while (to > from && pitch[to - 1] + t > group.range) --to;
      std::uint64_t found = 0;
      for (std::size_t part = 0; part < kSharedGroup; part += width) {
        auto shared = hn::Zero(d);
        for (int i = from; i < to; ++i) {
          const auto there = hn::Load(d, group.count[pitch[i] + t] + part);
          shared = hn::SaturatedAdd(shared, hn::Min(hn::Load(d, counts + static_cast<std::size_t>(i) * width), there));
        }
        const auto theirs = hn::Load(d, group.least + part);
        const auto need = query.both ? hn::Max(own, theirs) : hn::Min(own, theirs);
        found |= enough_bits(d, shared, need) << part;
      }
      found &= wanted;
      all |= found;
      if (found == 0) continue;
      size += write_documents(found, static_cast<std::uint32_t>(g * kSharedGroup),
                              static_cast<std::uint8_t>(t) * 0x01010101U, documents + size, shifts + size);
    }
    out.distinct += static_cast<std::uint64_t>(hwy::PopCount(all));
  }
  out.size = size;
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, shared_pitches, (const SharedQuery& query, const SharedRange& range, SharedHits& out),
               (query, range, out));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
