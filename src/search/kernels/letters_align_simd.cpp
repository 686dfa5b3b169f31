// Compiled once for every instruction set; letters_align_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/letters_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/align_rows-inl.h"
#include "search/kernels/letters_align.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(letters_align);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint16_t, kBatch>;
using V = hn::Vec<D>;

namespace {

/// The letters of some lanes.
struct Letters {
  const std::vector<std::uint16_t>& query;
  const LetterColumns& columns;
  const LetterCosts& costs;
  std::size_t lane;
  V left_out = hn::Zero(D());

  HWY_INLINE V corner() const { return hn::Zero(D()); }
  HWY_INLINE V above(std::size_t /*j*/) { return left_out = hn::SaturatedAdd(left_out, hn::Set(D(), costs.insertion)); }

  struct Row {
    const Letters& letters;
    V neutral, one, other, insertion, deletion;  ///< the first three: what it costs to replace the letter by each
    HWY_INLINE Row(const Letters& of, std::uint16_t letter)
        : letters(of),
          neutral(hn::Set(D(), letter == kNeutral ? std::uint16_t{0} : of.costs.to_neutral)),
          one(replaced(of.costs, letter, kOne)),
          other(replaced(of.costs, letter, kOther)),
          insertion(hn::Set(D(), of.costs.insertion)),
          deletion(hn::Set(D(), of.costs.deletion)) {}
    static HWY_INLINE V replaced(const LetterCosts& costs, std::uint16_t letter, std::uint16_t by) {
      return hn::Set(D(), letter == by ? std::uint16_t{0} : letter == kNeutral ? costs.to_neutral : costs.opposite);
    }
    HWY_INLINE V border(V before) const { return hn::SaturatedAdd(before, deletion); }
    HWY_INLINE V cell(V corner, V above, V left, std::size_t j) const {
      const V here = hn::LoadU(D(), letters.columns.letter.data() + j * kBatch + letters.lane);
      const V cost = hn::IfThenElse(hn::Eq(here, hn::Set(D(), kNeutral)), neutral,
                                    hn::IfThenElse(hn::Eq(here, hn::Set(D(), kOne)), one, other));
      return hn::Min(hn::SaturatedAdd(corner, cost),
                     hn::Min(hn::SaturatedAdd(above, deletion), hn::SaturatedAdd(left, insertion)));
    }
  };
  HWY_INLINE Row row(std::size_t i) const { return Row(*this, query[i]); }
  HWY_INLINE void end(const Row& /*row*/, V /*last*/) const {}
};

}  // namespace

void letters_align(const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                   std::uint16_t* distance) {
  const D d;
  each_vector(d, columns.columns, [&](std::size_t lane, std::uint16_t* cells) HWY_ATTR {
    Letters letters{query, columns, costs, lane};
    HWY_ALIGN std::uint16_t nothing[kBatch];  // of the document
    hn::Store(align_rows(d, letters, query.size(), columns.columns, cells), d, nothing);
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
      const std::uint32_t length = columns.length[lane + k];
      distance[lane + k] = length == 0 ? nothing[k] : cells[(length - 1) * hn::Lanes(d) + k];
    }
  });
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, letters_align,
               (const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                std::uint16_t* distance),
               (query, columns, costs, distance));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
