// Compiled once for every instruction set; letters_align_plain.cpp has the same put plainly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/letters_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/letters_align.h"
#include "search/kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void letters_align(const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                   std::uint16_t* distance) {
  letters_align_plain(query, columns, costs, distance);
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint16_t, kBatch>;
using V = hn::Vec<D>;

/// What it costs to replace a letter of the query by each of the three.
struct Replacing {
  std::uint16_t neutral, one, other;
  Replacing(std::uint16_t letter, const LetterCosts& costs)
      : neutral(letter == kNeutral ? std::uint16_t{0} : costs.to_neutral),
        one(letter == kOne       ? std::uint16_t{0}
            : letter == kNeutral ? costs.to_neutral
                                 : costs.opposite),
        other(letter == kOther     ? std::uint16_t{0}
              : letter == kNeutral ? costs.to_neutral
                                   : costs.opposite) {}
};

HWY_INLINE void align_lanes(const std::vector<std::uint16_t>& query, const LetterColumns& columns,
                            const LetterCosts& costs, std::size_t lane, std::uint16_t* HWY_RESTRICT row,
                            std::uint16_t* HWY_RESTRICT distance) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V insertion = hn::Set(d, costs.insertion);
  const V deletion = hn::Set(d, costs.deletion);
  const V neutral_letter = hn::Set(d, kNeutral);
  const V one_letter = hn::Set(d, kOne);
  V border = hn::Zero(d);
  for (std::size_t j = 0; j < columns.columns; ++j) {
    border = hn::SaturatedAdd(border, insertion);
    hn::StoreU(border, d, row + j * width);
  }
  V left_border = hn::Zero(d);
  for (const std::uint16_t letter : query) {
    const Replacing replacing(letter, costs);
    const V neutral = hn::Set(d, replacing.neutral);
    const V one = hn::Set(d, replacing.one);
    const V other = hn::Set(d, replacing.other);
    V corner = left_border;
    left_border = hn::SaturatedAdd(left_border, deletion);
    V left = left_border;
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const V here = hn::LoadU(d, columns.letter.data() + j * kBatch + lane);
      const V cost =
          hn::IfThenElse(hn::Eq(here, neutral_letter), neutral, hn::IfThenElse(hn::Eq(here, one_letter), one, other));
      const V above = hn::LoadU(d, row + j * width);
      const V cell = hn::Min(hn::SaturatedAdd(corner, cost),
                             hn::Min(hn::SaturatedAdd(above, deletion), hn::SaturatedAdd(left, insertion)));
      corner = above;
      left = cell;
      hn::StoreU(cell, d, row + j * width);
    }
  }
  HWY_ALIGN std::uint16_t ends[kBatch];
  hn::Store(left_border, d, ends);
  for (std::size_t k = 0; k < width; ++k) {
    const std::uint32_t length = columns.length[lane + k];
    distance[lane + k] = length == 0 ? ends[k] : row[(length - 1) * width + k];
  }
}

void letters_align(const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                   std::uint16_t* distance) {
  const std::size_t width = hn::Lanes(D());
  thread_local std::vector<std::uint16_t> row;
  row.resize(columns.columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) {
    align_lanes(query, columns, costs, lane, row.data(), distance);
  }
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(letters_align);
}  // namespace

void letters_align(const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                   std::uint16_t* distance) {
  if (plain_forced() || columns.columns == 0) return letters_align_plain(query, columns, costs, distance);
  HWY_DYNAMIC_DISPATCH(letters_align)(query, columns, costs, distance);
}

}  // namespace rondo::kernels
#endif  // HWY_ONCE
