#include <algorithm>
#include <cmath>

#include "search/kernels/priced_work.h"

namespace rondo::kernels {

void lay_ways_plain(const Heaps& rows, const Heaps& columns, Ways& out) {
  out.rows = rows.time.size();
  out.columns = columns.size;
  out.way.resize(out.rows * out.columns);
  out.longest = 0;
  float* way = out.way.data();
  for (std::size_t j = 0; j < columns.size; ++j) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const float dt = rows.time[i] - columns.time[j];
      const float dp = rows.pitch[i] - columns.pitch[j];
      *way = std::sqrt(dt * dt + dp * dp);
      out.longest = std::max(out.longest, *way++);
    }
  }
}

float cheapest_columns_plain(const Ways& ways, const float* weight, const float* price, bool may_stay,
                             std::uint32_t* column) {
  double sum = 0;
  for (std::size_t i = 0; i < ways.rows; ++i) {
    float least = may_stay ? 0 : ways.way[i] - price[0];
    column[i] = may_stay ? static_cast<std::uint32_t>(ways.columns) : 0;
    for (std::size_t j = 0; j < ways.columns; ++j) {
      const float here = ways.way[j * ways.rows + i] - price[j];
      if (here >= least) continue;
      least = here;
      column[i] = static_cast<std::uint32_t>(j);
    }
    sum += static_cast<double>(weight[i]) * static_cast<double>(least);
  }
  return static_cast<float>(sum);
}

}  // namespace rondo::kernels
