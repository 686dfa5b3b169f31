#include <algorithm>
#include <cstdlib>

#include "search/kernels/rated_align.h"

namespace rondo::kernels {
namespace {

/// What is left of a rating where two places or weights lie apart.
int less(int rated, int one, int other) { return rated - ((rated * std::abs(one - other) + 0x4000) >> 15); }

int rating(const RatedRows& rows, std::size_t i, const RatedColumns& columns, std::size_t at) {
  const int apart = std::abs(columns.pitch[at] - rows.pitch[i]);
  if (!rows.band) return apart == 0 ? kRatedOne : -kRatedOne;
  const int distance = apart % kRatedOctave;
  if (distance > kRatedOne) return -kRatedOne;
  int rated = 2 * kRatedOne - distance;
  if (rows.places) rated = less(rated, columns.place[at], rows.place[i]);
  if (rows.beats) rated = less(rated, columns.beat[at], rows.beat[i]);
  return rated - kRatedOne + rated_slack(rows.places, rows.beats);
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
        const int paired = corner + rating(rows, i, columns, (j - 1) * kBatch + lane);
        corner = row[j];
        row[j] = std::max({paired, row[j] - rows.gap, row[j - 1] - rows.gap});
      }
      most = std::max(most, row.back());
    }
    best[lane] = static_cast<std::int16_t>(std::max(most, *std::max_element(row.begin(), row.end())));
  }
}

}  // namespace rondo::kernels
