#include <algorithm>
#include <cstdlib>

#include "search/kernels/keyed_align.h"

namespace rondo::kernels {
namespace {

/// One lane: the table that the definition fills, every run of every length tried.
class KeyedLane {
 public:
  KeyedLane(const KeyedRows& rows, const KeyedColumns& columns, std::size_t lane, std::vector<int>& cells)
      : rows_(rows), columns_(columns), lane_(lane), width_(columns.columns + 1), cells_(cells) {
    cells_.assign((rows.kind.size() + 1) * width_, 0);
    for (std::size_t i = 0; i <= rows.kind.size(); ++i) {
      for (std::size_t j = 0; j < width_; ++j) cell(i, j) = best(i, j);
    }
  }
  [[nodiscard]] int cost() const { return cells_.back(); }

 private:
  [[nodiscard]] int& cell(std::size_t i, std::size_t j) { return cells_[i * width_ + j]; }
  [[nodiscard]] int own(std::size_t i) const { return rows_.length[i]; }
  [[nodiscard]] int other(std::size_t j) const { return columns_.length[j * kBatch + lane_]; }
  [[nodiscard]] int pitch(std::size_t j) const { return columns_.pitch[j * kBatch + lane_]; }

  [[nodiscard]] int weight(std::size_t i, std::size_t j) const {
    const KeyedRows::Kind& kind = rows_.kinds[rows_.kind[i]];
    if (pitch(j) == KeyedColumns::kRest) return kind.rest * rows_.step;
    const std::uint16_t code = columns_.code[j * kBatch + lane_];
    if (code == KeyedColumns::kNoCode) return 0;
    return (pitch(j) > kind.pitch ? kind.above : kind.below)[code % kKeyedCodes] * rows_.step;
  }

  [[nodiscard]] int pair(std::size_t i, std::size_t j) const {
    const int longer = std::abs(own(i) - other(j));
    return longer == 0 && pitch(j) == rows_.kinds[rows_.kind[i]].pitch ? 0 : weight(i, j) + longer;
  }

  [[nodiscard]] int best(std::size_t i, std::size_t j) {
    if (i == 0) return j == 0 ? 0 : cell(0, j - 1) + other(j - 1);
    if (j == 0) return cell(i - 1, 0) + own(i - 1);
    int least =
        std::min({cell(i - 1, j - 1) + pair(i - 1, j - 1), cell(i - 1, j) + own(i - 1), cell(i, j - 1) + other(j - 1)});
    int together = 0;
    int costs = 0;
    for (std::size_t k = 1; k <= j; ++k) {
      together += other(j - k);
      costs += weight(i - 1, j - k);
      least = std::min(least, cell(i - 1, j - k) + costs + std::abs(own(i - 1) - together));
    }
    together = costs = 0;
    for (std::size_t k = 1; k <= i; ++k) {
      together += own(i - k);
      costs += weight(i - k, j - 1);
      least = std::min(least, cell(i - k, j - 1) + costs + std::abs(other(j - 1) - together));
    }
    return least;
  }

  const KeyedRows& rows_;
  const KeyedColumns& columns_;
  std::size_t lane_;
  std::size_t width_;
  std::vector<int>& cells_;
};

}  // namespace

void keyed_align_plain(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost) {
  std::vector<int> cells;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const int least = KeyedLane(rows, columns, lane, cells).cost();
    cost[lane] = static_cast<std::uint16_t>(std::min<int>(least, std::numeric_limits<std::uint16_t>::max()));
  }
}

}  // namespace rondo::kernels
