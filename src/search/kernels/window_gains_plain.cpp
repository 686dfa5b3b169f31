#include <algorithm>

#include "search/kernels/window_gains.h"

namespace rondo::kernels {
namespace {

std::uint8_t gain_and(int a, int b) { return static_cast<std::uint8_t>(std::min(255, a + b)); }
std::uint8_t gain_less(int a, int b) { return static_cast<std::uint8_t>(std::max(0, a - b)); }

/// A pair of row i and a window of these intervals.
std::uint8_t paired(const GainRows& rows, std::size_t i, int first, int second, std::uint8_t corner) {
  if (interval_code(first, second) == rows.code[i]) return gain_and(corner, rows.match[i]);
  const std::uint8_t gained = gain_and(corner, rows.other[i]);
  const auto tests = static_cast<std::uint8_t>(tests_passed(first, second));
  if ((tests & rows.is[i]) != 0) return gain_less(gained, rows.loss_same);
  return gain_less(gained, (tests & rows.opposite[i]) != 0 ? rows.loss_opposite : rows.loss_unlike);
}

}  // namespace

std::uint8_t interval_code(int first, int second) { return static_cast<std::uint8_t>(first + 29 * second); }

void window_gains_plain(const GainRows& rows, const Columns& columns, std::uint8_t* best) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t count = columns.length[lane];
    const auto interval = [&](std::size_t j) {
      return columns.pitch[(j + 1) * kBatch + lane] - columns.pitch[j * kBatch + lane];
    };
    std::vector<std::uint8_t> row(count + 1, rows.start);
    for (std::size_t j = 0; j < count; ++j) row[j + 1] = gain_less(row[j], rows.document_gap);
    for (std::size_t i = 0; i < rows.code.size(); ++i) {
      std::uint8_t corner = row[0];
      for (std::size_t j = 0; j < count; ++j) {
        const std::uint8_t pair = paired(rows, i, interval(j), interval(j + 1), corner);
        corner = row[j + 1];
        row[j + 1] = std::max({pair, row[j + 1], gain_less(row[j], rows.document_gap)});
      }
    }
    best[lane] = row[count];
  }
}

}  // namespace rondo::kernels
