// Compiled once for every instruction set, so not guarded in the usual way.
#if defined(RONDO_ALIGN_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RONDO_ALIGN_ROWS_INL_H
#undef RONDO_ALIGN_ROWS_INL_H
#else
#define RONDO_ALIGN_ROWS_INL_H
#endif

#include <hwy/highway.h>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {

/// Fills the table of an alignment row by row, one document in each lane; only the last row is kept, `cells`, without
/// the cell left of it, which is returned.
///
/// A Model says what stands in the cells:
///   V corner()                   above and left of all others
///   V above(std::size_t j)       above the first row; asked in order
///   Row row(std::size_t i)       a row of the query, with
///     V border(V before)         left of it; `before` is the one of the row before
///     V cell(V corner, V above, V left, std::size_t j)
///   void end(const Row& row, V last)   after each row, with its last cell
template <class D, class Model>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> align_rows(D d, Model& model, std::size_t rows, std::size_t columns,
                                                 hwy::HWY_NAMESPACE::TFromD<D>* HWY_RESTRICT cells) {
  namespace hn = hwy::HWY_NAMESPACE;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t j = 0; j < columns; ++j) hn::StoreU(model.above(j), d, cells + j * width);
  auto border = model.corner();
  for (std::size_t i = 0; i < rows; ++i) {
    auto row = model.row(i);
    auto corner = border;
    border = row.border(border);
    auto left = border;
    for (std::size_t j = 0; j < columns; ++j) {
      const auto above = hn::LoadU(d, cells + j * width);
      left = row.cell(corner, above, left, j);
      corner = above;
      hn::StoreU(left, d, cells + j * width);
    }
    model.end(row, left);
  }
  return border;
}

/// work(lane, cells) for each vector of lanes of a batch; `cells` has room for a row of so many columns.
template <class D, class Work>
void each_vector(D d, std::size_t columns, const Work& work) {
  namespace hn = hwy::HWY_NAMESPACE;
  const std::size_t width = hn::Lanes(d);
  thread_local AlignedVector<hn::TFromD<D>> cells;
  if (cells.size() < columns * width) cells.resize(columns * width);
  for (std::size_t lane = 0; lane < kBatch; lane += width) work(lane, cells.data());
}

}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
