#include <algorithm>
#include <cstdlib>
#include <limits>

#include "search/kernels/chain_align.h"

namespace rondo::kernels {

void ChainColumns::reach(std::size_t structures) {
  columns = std::max(columns, structures);
  const std::size_t size = columns * kBatch;
  if (kind.size() >= size) return;
  kind.resize(size);
  for (auto& one : part) one.resize(size);
  gap.resize(size);
}

namespace {

int exchange(const ChainRows& rows, std::size_t i, const ChainColumns& columns, std::size_t at) {
  const int unlike = rows.kind[i] ^ columns.kind[at];
  int cost = unlike == 0 ? 0 : unlike == 1 ? rows.forms : rows.kinds;
  for (std::size_t p = 0; p < kChainParts; ++p) cost += std::abs(rows.part[p][i] - columns.part[p][at]);
  return cost;
}

}  // namespace

void chain_align_plain(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost) {
  constexpr int kMost = std::numeric_limits<std::uint16_t>::max();
  std::vector<int> row(columns.columns + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t length = columns.length[lane];
    const auto gap = [&](std::size_t j) { return int{columns.gap[(j - 1) * kBatch + lane]}; };
    row[0] = 0;
    for (std::size_t j = 1; j <= length; ++j) row[j] = std::min(kMost, row[j - 1] + gap(j));
    for (std::size_t i = 0; i < rows.kind.size(); ++i) {
      int corner = row[0];
      row[0] = std::min(kMost, row[0] + rows.gap[i]);
      for (std::size_t j = 1; j <= length; ++j) {
        const int exchanged = corner + exchange(rows, i, columns, (j - 1) * kBatch + lane);
        corner = row[j];
        row[j] = std::min({kMost, exchanged, row[j] + rows.gap[i], row[j - 1] + gap(j)});
      }
    }
    cost[lane] = static_cast<std::uint16_t>(row[length]);
  }
}

}  // namespace rondo::kernels
