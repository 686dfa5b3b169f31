#include <algorithm>
#include <cstdlib>

#include "search/kernels/window_losses.h"

namespace rondo::kernels {
namespace {

using Loss = std::uint8_t;

Loss both(int a, int b) { return static_cast<Loss>(std::min(255, a + b)); }

/// A window of a document; the defaults are those of a place without a window.
struct LossColumn {
  LossFeatures features{0, 0, 0};
  Loss gap = 255;
};

LossColumn column_at(const Columns& columns, std::size_t j, std::size_t lane) {
  if (j >= columns.length[lane]) return {};
  const auto interval = [&](std::size_t k) {
    return columns.pitch[(j + k + 1) * kBatch + lane] - columns.pitch[(j + k) * kBatch + lane];
  };
  const Functionals curve = functionals(interval(0), interval(1), interval(2));
  // The area against the flat curve.
  const int area = std::max(std::abs(curve.whole), 3 * std::abs(curve.halves) / 4);
  return {loss_features(interval(0), interval(1), interval(2)), static_cast<Loss>(std::min(254, area))};
}

Loss pair(const LossRows& rows, std::size_t i, const LossFeatures& column) {
  // Differences of the second are too large by less than one, for it is rounded.
  return static_cast<Loss>(
      std::max(std::abs(rows.whole[i] - column.whole), std::abs(rows.halves[i] - column.halves) - 1));
}

}  // namespace

LossFeatures loss_features(int u, int v, int w) {
  const Functionals curve = functionals(u, v, w);
  return {static_cast<std::uint8_t>(std::clamp(128 + curve.whole, 0, 255)),
          static_cast<std::uint8_t>(std::clamp(128 + (3 * curve.halves >> 2U), 0, 255)),
          static_cast<std::uint8_t>(u + v * 29 + w * 71)};
}

std::uint64_t window_losses_plain(const LossRows& rows, const Columns& columns, const LossLimits& limits) {
  std::uint64_t out = 0;
  std::vector<Loss> row(columns.columns() + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    row[0] = 0;
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      row[j + 1] = both(row[j], column_at(columns, j, lane).gap);
    }
    int gained = -limits.needed;
    for (std::size_t i = 0; i < rows.gap.size(); ++i) {
      Loss corner = row[0];
      Loss least = 255;
      bool has_it = false;
      row[0] = both(row[0], rows.gap[i]);
      for (std::size_t j = 0; j < columns.columns(); ++j) {
        const LossColumn column = column_at(columns, j, lane);
        const Loss loss = std::min(
            {both(corner, pair(rows, i, column.features)), both(row[j + 1], rows.gap[i]), both(row[j], column.gap)});
        corner = row[j + 1];
        row[j + 1] = loss;
        least = std::min(least, loss);
        has_it = has_it || column.features.code == rows.code[i];
      }
      gained += has_it ? rows.gain_both : rows.gain_time;
      if (least <= std::min<int>(limits.lane[lane], gained)) out |= std::uint64_t{1} << lane;
    }
  }
  return out;
}

}  // namespace rondo::kernels
