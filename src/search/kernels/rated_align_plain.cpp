#include <algorithm>
#include <cstdlib>

#include "search/kernels/rated_align.h"

namespace rondo::kernels {
namespace {

int rating(const RatedRows& rows, std::size_t i, int pitch, int place) {
  const int apart = std::abs(pitch - rows.pitch[i]);
  if (!rows.band) return apart == 0 ? kRatedOne : -kRatedOne;
  const int distance = apart % 40;
  if (distance > 23) return -kRatedOne;
  const int near = (46 - distance) * (kRatedOne / 23);
  if (!rows.places) return near - kRatedOne;
  const int close = 32767 - std::abs(place - rows.place[i]);
  return (2 * near * close >> 16) + 2 - kRatedOne;  // two more than what was cut off and rounded
}

}  // namespace

void rated_align_plain(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best) {
  std::vector<int> row(columns.columns + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    std::fill(row.begin(), row.end(), 0);
    int most = 0;
    for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
      int corner = 0;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t at = (j - 1) * kBatch + lane;
        const int paired = corner + rating(rows, i, columns.pitch[at], rows.places ? columns.place[at] : 0);
        corner = row[j];
        row[j] = std::max({paired, row[j] - rows.gap, row[j - 1] - rows.gap});
      }
      most = std::max(most, row.back());
    }
    best[lane] = static_cast<std::int16_t>(std::max(most, *std::max_element(row.begin(), row.end())));
  }
}

}  // namespace rondo::kernels
