#include <algorithm>
#include <cstdlib>

#include "search/kernels/equal_pitches.h"

namespace rondo::kernels {

void equal_pitches_plain(const PitchLengths& batch, std::int16_t* best) {
  const std::size_t width = batch.columns + 1;
  const std::size_t rows = batch.query_pitch.size();
  std::vector<int> table((rows + 1) * width);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const auto own = [&](std::size_t i) { return int{batch.query_length[i]}; };
    const auto other = [&](std::size_t j) { return int{batch.length[j * kBatch + lane]}; };
    const auto same = [&](std::size_t i, std::size_t j) {
      return batch.query_pitch[i] == batch.pitch[j * kBatch + lane];
    };
    std::fill(table.begin(), table.end(), 0);
    int most = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < batch.columns; ++j) {
        const int* above = table.data() + i * width + j;
        int cell = std::max({0, above[1] - own(i), above[width] - other(j)});
        if (same(i, j)) {
          const int both = 2 * (own(i) + other(j));
          cell = std::max(cell, above[0] + both - 3 * std::abs(own(i) - other(j)));
          if (j > 0 && same(i, j - 1)) {
            const int apart = std::abs(own(i) - other(j) - other(j - 1));
            cell = std::max(cell, above[-1] + both + 2 * other(j - 1) - 3 * apart);
          }
          if (i > 0 && same(i - 1, j)) {
            const int apart = std::abs(own(i) + own(i - 1) - other(j));
            cell = std::max(cell, *(above - width) + both + 2 * own(i - 1) - 3 * apart);
          }
        }
        table[(i + 1) * width + j + 1] = cell;
        most = std::max(most, cell);
      }
    }
    best[lane] = static_cast<std::int16_t>(most);
  }
}

}  // namespace rondo::kernels
