#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/nearest_work.h"

/// A lower bound of the transport cost of one set of heaps onto another by linear-programming duality: every heap goes
/// where the distance less the price of the place is least. What that costs, and the prices for the weight that lies
/// there, is never more than the least cost, whatever the prices are; with the best prices it is the least cost itself.
namespace rondo::kernels {

/// The ways from each of `rows` heaps to each of `columns`: one column after the other, of `rows` numbers each, padded
/// to a multiple of Heaps::kPad.
struct Ways {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> way;
  float longest = 0;
};
void lay_ways(const Heaps& rows, const Heaps& columns, Ways& out);
void lay_ways_plain(const Heaps& rows, const Heaps& columns, Ways& out);

/// For every row the column where the way less the price is least, the first of several; the sum of these least
/// numbers times the weights of the rows. With `may_stay` a row stays where that is above 0, at column `columns`.
float cheapest_columns(const Ways& ways, const float* weight, const float* price, bool may_stay, std::uint32_t* column);
float cheapest_columns_plain(const Ways& ways, const float* weight, const float* price, bool may_stay,
                             std::uint32_t* column);

}  // namespace rondo::kernels
