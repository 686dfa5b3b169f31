#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/priced_work.h"

namespace rondo::fast {

/// Lower bounds of the work between two sets of heaps, by prices that are mended round by round: a place's price rises
/// where less comes than there is, and falls where more comes (the subgradient method, with the steps of B. Polyak:
/// Minimization of unsmooth functionals, 1969). The prices are kept from one placing to the next, where they are nearly
/// as good.
class HeapPrices {
 public:
  /// Two sets that stay as they are while placings are asked for. What is carried weighs 1: one side, or both, and the
  /// other one as much more as it is heavier.
  void begin(const kernels::Heaps& query, float query_weight, const kernels::Heaps& document, float document_weight);
  /// A bound of the work for this placing. Where it would be at least `enough` it may be anything from there on.
  [[nodiscard]] float bound(const kernels::HeapPlacing& placing, float enough);

 private:
  [[nodiscard]] float bound_of_prices();
  [[nodiscard]] bool mend_prices(float missing);

  const kernels::Heaps* query_ = nullptr;
  kernels::Heaps placed_;  ///< the query as the placing lays it
  const kernels::Heaps* rows_ = nullptr;
  const kernels::Heaps* columns_ = nullptr;  ///< the side with fewer heaps: these have prices
  std::vector<float> row_weight_;
  std::vector<float> column_weight_;
  bool rows_may_stay_ = false;
  bool columns_may_stay_ = false;
  kernels::Ways ways_;
  std::vector<float> price_;
  std::vector<float> best_price_;
  std::vector<std::uint32_t> column_of_row_;
  std::vector<float> missing_;  ///< at each column: its weight less what comes
};

}  // namespace rondo::fast
