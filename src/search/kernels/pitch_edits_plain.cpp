#include <algorithm>
#include <cstdlib>

#include "search/kernels/pitch_edits.h"

namespace rondo::kernels {

namespace {

/// By the definition.
int distance_in(std::span<const std::uint8_t> query, const PitchColumns& columns, std::size_t lane,
                std::vector<int>& row) {
  row.resize(columns.columns + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int>(j);
  for (const int wanted : query) {
    int corner = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const int changed = corner + std::abs(columns.pitch[(j - 1) * kBatch + lane] - wanted);
      corner = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return *std::min_element(row.begin(), row.end());
}

}  // namespace

void pitch_edits_plain(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t most,
                       std::uint8_t* distance) {
  std::vector<int> row;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const int least = distance_in(query, columns, lane, row);
    distance[lane] = static_cast<std::uint8_t>(least > most ? 255 : least);
  }
}

void pitch_gains_plain(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t* gain) {
  std::vector<int> row;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    gain[lane] = static_cast<std::uint8_t>(static_cast<int>(query.size()) - distance_in(query, columns, lane, row));
  }
}

}  // namespace rondo::kernels
