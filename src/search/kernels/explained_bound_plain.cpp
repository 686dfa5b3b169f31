#include <algorithm>
#include <cstdlib>

#include "search/kernels/explained_bound.h"
#include "similarity/systems/rondo.h"

namespace rondo::kernels {
namespace {

int cut_off(int value) { return std::clamp(value, -32768, 32767); }

int bound_of_lane(const BoundRows& rows, const BoundColumns& columns, std::size_t lane) {
  std::vector<int> row(columns.columns + 1, 0);
  int most = 0;
  for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
    const bool goes_on = i + 1 < rows.pitch.size();
    int corner = 0;
    for (std::size_t j = 0; j < columns.columns; ++j) {
      const std::size_t at = j * kBatch + lane;
      const int distance = std::abs(columns.pitch[at] - rows.pitch[i]);
      const int worth = distance == 0 ? explained::kFine : distance >= 2 && distance <= 4 ? rows.near : rows.far;
      int cost = cut_off(std::abs(columns.length[at] - rows.length[i]) + std::abs(columns.change[at] - rows.change[i]));
      cost = cut_off(cost + ((columns.place_factor[lane] * std::abs(columns.place[at] - rows.place[i])) >> 16));
      if (goes_on && columns.next[at] != rows.next[i]) cost = cut_off(cost + columns.interval[at]);
      const int fine = std::max(0, cut_off(worth - cost));
      const int pair = explained::Costs::weighted(fine, std::max(rows.weight[i], columns.weight[at]));
      const int paired = cut_off(corner + pair);
      corner = row[j + 1];
      row[j + 1] = std::max({0, paired, cut_off(row[j] - columns.gap[at]), cut_off(corner - rows.gap[i])});
      most = std::max(most, row[j + 1]);
    }
  }
  return most;
}

}  // namespace

void explained_bound_plain(const BoundRows& rows, const BoundColumns& columns, std::int16_t* bound) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    bound[lane] = static_cast<std::int16_t>(bound_of_lane(rows, columns, lane));
  }
}

}  // namespace rondo::kernels
