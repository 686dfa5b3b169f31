#include "search/fast/heap_prices.h"

#include <algorithm>
#include <cmath>

namespace rondo::fast {
namespace {

using kernels::Heaps;

/// Beyond this many rounds exact work costs less than what the bound still gains.
constexpr int kRounds = 20;
/// Prices are mended as if so much more than enough were wanted, for the last part of the way takes the longest.
constexpr float kBeyond = 1.02F;

void scale(const Heaps& heaps, float weight, std::vector<float>& out) {
  out = heaps.weight;
  for (float& one : out) one *= weight;
}

}  // namespace

void HeapPrices::begin(const Heaps& query, float query_weight, const Heaps& document, float document_weight) {
  query_ = &query;
  placed_ = query;
  const bool by_document = document.size <= query.size;
  rows_ = by_document ? &placed_ : &document;
  columns_ = by_document ? &document : &placed_;
  const float of_rows = by_document ? query_weight : document_weight;
  const float of_columns = by_document ? document_weight : query_weight;
  scale(*rows_, of_rows, row_weight_);
  scale(*columns_, of_columns, column_weight_);
  rows_may_stay_ = of_rows > 1;
  columns_may_stay_ = of_columns > 1;
  price_.assign(columns_->size, 0.0F);
  column_of_row_.resize(row_weight_.size());
}

float HeapPrices::bound(const kernels::HeapPlacing& placing, float enough) {
  for (std::size_t i = 0; i < query_->time.size(); ++i) {
    placed_.time[i] = query_->time[i] * placing.stretch;
    placed_.pitch[i] = query_->pitch[i] + placing.transposition;
  }
  kernels::lay_ways(*rows_, *columns_, ways_);
  float best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const float here = bound_of_prices();
    if (here > best) {
      best = here;
      best_price_ = price_;
      if (here >= enough) break;
    }
    if (!mend_prices(kBeyond * enough - here)) break;
  }
  if (best > 0) price_ = best_price_;
  return best;
}

/// Weak duality: that is a bound for any prices, as long as what may stay is not paid to move.
float HeapPrices::bound_of_prices() {
  double work =
      kernels::cheapest_columns(ways_, row_weight_.data(), price_.data(), rows_may_stay_, column_of_row_.data());
  float highest = 0;
  for (std::size_t j = 0; j < price_.size(); ++j) {
    work += static_cast<double>(column_weight_[j]) * static_cast<double>(price_[j]);
    highest = std::max(highest, std::abs(price_[j]));
  }
  // Of 500 rows each of four lanes adds up 125, of more lanes each fewer (the scalar reference adds doubles); no number
  // is more than the longest way and the highest price, times its share of the weight.
  constexpr float kRounding = 256 * 0x1p-24F;
  return static_cast<float>(work) - kRounding * (ways_.longest + highest);
}

/// False: they cannot be better.
bool HeapPrices::mend_prices(float missing) {
  missing_ = column_weight_;
  missing_.resize(price_.size() + 1);  // the last one for rows that stay
  missing_.back() = 0;
  for (std::size_t i = 0; i < rows_->size; ++i) missing_[column_of_row_[i]] -= row_weight_[i];
  float squares = 0;
  for (std::size_t j = 0; j < price_.size(); ++j) {
    if (columns_may_stay_ && price_[j] >= 0) missing_[j] = std::min(missing_[j], 0.0F);
    squares += missing_[j] * missing_[j];
  }
  if (squares < 1e-9F) return false;
  const float step = missing / squares;
  for (std::size_t j = 0; j < price_.size(); ++j) {
    price_[j] += step * missing_[j];
    if (columns_may_stay_) price_[j] = std::min(price_[j], 0.0F);
  }
  return true;
}

}  // namespace rondo::fast
