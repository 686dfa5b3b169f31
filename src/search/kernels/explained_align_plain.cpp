#include <algorithm>
#include <cstdlib>

#include "search/kernels/explained_align.h"
#include "similarity/systems/rondo.h"

namespace rondo::kernels {
namespace {

int explain_lane(const ExplainedRows& rows, const ExplainedColumns& columns, const std::vector<std::int16_t>& pitch,
                 std::size_t lane) {
  const std::size_t count = columns.columns;
  std::vector<int> row(count + 1, 0);
  for (std::size_t j = 0; j < count; ++j) {
    row[j + 1] = std::max(row[j] - columns.gap[j * kBatch + lane], -rows.overhang);
  }
  for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
    int corner = row[0];
    row[0] -= rows.beyond[i];
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t at = j * kBatch + lane;
      const int distance = std::abs(pitch[at] - rows.pitch[i]);
      int fine = distance == 0 ? explained::kFine : distance >= 2 && distance <= 4 ? rows.near : rows.far;
      fine -= std::abs(columns.length[at] - rows.length[i]);
      fine -= std::abs(columns.change[at] - rows.change[i]);
      fine -= (columns.place_factor * std::abs(columns.place[at] - rows.place[i])) >> 16;
      const bool goes_on = i + 1 < rows.pitch.size() && j + 1 < count;
      if (goes_on && columns.next[at] != rows.next[i]) fine -= rows.interval;
      const int paired = corner + explained::Costs::weighted(fine, rows.weight[i]);
      corner = row[j + 1];
      const int left_out = j + 1 < count ? rows.gap[i] : rows.beyond[i];
      row[j + 1] = std::max({paired, row[j] - columns.gap[at], corner - left_out});
    }
  }
  int most = row[count];
  for (std::size_t j = 0; j < count; ++j) most = std::max(most, row[j] - rows.overhang);
  return most;
}

}  // namespace

void ExplainedRows::number_values() {
  const auto number = [&](Values& values, const auto& equal) {
    values.of_note.clear();
    values.first.clear();
    for (std::size_t i = 0; i < pitch.size(); ++i) {
      std::size_t value = 0;
      while (value < values.first.size() && !equal(i, values.first[value])) ++value;
      if (value == values.first.size()) values.first.push_back(static_cast<std::uint16_t>(i));
      values.of_note.push_back(static_cast<std::uint16_t>(value));
    }
  };
  number(pitches, [&](std::size_t i, std::size_t k) { return pitch[i] == pitch[k]; });
  number(rhythms, [&](std::size_t i, std::size_t k) { return length[i] == length[k] && change[i] == change[k]; });
}

void explained_align_plain(const ExplainedRows& rows, const ExplainedColumns& columns, ExplainedNumbers /*numbers*/,
                           std::int32_t* total) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    total[lane] =
        std::max(explain_lane(rows, columns, columns.pitch, lane), explain_lane(rows, columns, columns.other, lane));
  }
}

}  // namespace rondo::kernels
