#include <algorithm>
#include <cstdlib>

#include "search/kernels/equal_pitches.h"

namespace rondo::kernels {
namespace {

/// The notes of a query and of one lane.
struct EqualLane {
  std::vector<int> own_pitch, own_length, pitch, length;
};

int best_stretch(const EqualLane& lane) {
  const std::size_t rows = lane.own_pitch.size();
  const std::size_t columns = lane.pitch.size();
  const std::size_t width = columns + 1;
  std::vector<int> table((rows + 1) * width);
  const auto own = [&](std::size_t i) { return lane.own_length[i]; };
  const auto other = [&](std::size_t j) { return lane.length[j]; };
  const auto same = [&](std::size_t i, std::size_t j) { return lane.own_pitch[i] == lane.pitch[j]; };
  int most = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
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
  return most;
}

}  // namespace

void equal_pitches_plain(const PitchLengths& batch, std::int16_t* best) {
  EqualLane lane;
  lane.own_pitch.assign(batch.query_pitch.begin(), batch.query_pitch.end());
  lane.own_length.assign(batch.query_length.begin(), batch.query_length.end());
  for (std::size_t l = 0; l < kBatch; ++l) {
    lane.pitch.clear();
    lane.length.clear();
    for (std::size_t at = l; at < batch.columns * kBatch; at += kBatch) {
      lane.pitch.push_back(batch.pitch[at]);
      lane.length.push_back(batch.length[at]);
    }
    best[l] = static_cast<std::int16_t>(best_stretch(lane));
  }
}

void equal_roughly_plain(const RoughLengths& batch, std::uint8_t* best) {
  EqualLane lane;
  lane.own_pitch.assign(batch.query_pitch.begin(), batch.query_pitch.end());
  lane.own_length.assign(batch.query_length.begin(), batch.query_length.end());
  for (std::size_t l = 0; l < kBatch; ++l) {
    lane.pitch.clear();
    lane.length.clear();
    for (std::size_t at = l; at < batch.columns * kBatch; at += kBatch) {
      const bool none = batch.pitch[at] == RoughLengths::kNoPitch;
      lane.pitch.push_back(none ? -1000 : batch.pitch[at] - batch.transposition[l]);
      lane.length.push_back(batch.length[at]);
    }
    best[l] = static_cast<std::uint8_t>(std::min(255, best_stretch(lane)));
  }
}

}  // namespace rondo::kernels
