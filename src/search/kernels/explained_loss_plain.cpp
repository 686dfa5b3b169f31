#include <algorithm>
#include <cstdlib>
#include <limits>

#include "search/kernels/explained_loss.h"

namespace rondo::kernels {
namespace {

template <typename Unit>
Unit loss_of_lane(const ExplainedLossRows<Unit>& rows, const ExplainedLossColumns& columns,
                  std::span<const std::uint16_t> place, std::size_t lane) {
  constexpr int kMost = std::numeric_limits<Unit>::max();
  const auto limited = [&](int loss) { return std::min(loss, kMost); };
  const auto at = [&](const auto* column, std::size_t j) { return int{column[j * kBatch + lane]}; };
  const std::size_t notes = columns.notes;
  std::vector<int> gap(notes);
  std::vector<int> other(notes + 1, 0);  // alignments that do not end with equal pitches
  std::vector<int> equal(notes + 1, kMost);
  for (std::size_t j = 0; j < notes; ++j) {
    const int long_note = (at(columns.length, j) + ExplainedLossRows<Unit>::kGapFrom) * 256 * rows.gap_slope >> 16;
    gap[j] = limited(std::max<int>(rows.gap_least, std::clamp(rows.gap_base + long_note, -32768, 32767)));
    other[j + 1] = std::min<int>(limited(other[j] + gap[j]), rows.overhang);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& rhythm = rows.rhythms[rows.rhythm[i]];
    int other_corner = other[0];
    int equal_corner = kMost;
    other[0] = limited(other[0] + rows.beyond[i]);
    for (std::size_t j = 0; j < notes; ++j) {
      const bool last = j + 1 == notes;
      const int apart = std::abs(at(columns.length, j) - rhythm.length) * rows.length_cost +
                        std::abs(at(columns.change, j) - rhythm.change) * rows.change_cost;
      int lost = limited(static_cast<int>(static_cast<std::uint32_t>(apart) * rhythm.factor >> 16U));
      if (!last && at(columns.next, j) != rows.intervals[rows.next[i]]) lost = limited(lost + rows.interval[i]);
      if (!place.empty()) {
        const int far = std::max(0, std::abs(at(columns.place, j) - rows.place[i]) - 1);
        lost = limited(lost + static_cast<int>(static_cast<std::uint32_t>(far << 8) * place[i] >> 16U));
      }
      const bool goes_on = i > 0 && j > 0 && at(columns.next, j - 1) == rows.intervals[rows.next[i - 1]];
      const int as_equal = limited(std::min(other_corner, goes_on ? equal_corner : kMost) + lost);
      const int unequal = limited(limited(std::min(other_corner, equal_corner) + rows.unequal[i]) + lost);
      const int left = limited(std::min(other[j], equal[j]) + gap[j]);
      const int above = limited(std::min(other[j + 1], equal[j + 1]) + (last ? rows.beyond[i] : rows.left_out[i]));
      other_corner = other[j + 1];
      equal_corner = equal[j + 1];
      other[j + 1] = std::min({unequal, left, above});
      equal[j + 1] = as_equal;
    }
    equal[0] = kMost;
  }
  int least = kMost;
  for (std::size_t j = 0; j <= notes; ++j) {
    const int end = std::min(other[j], equal[j]);
    least = std::min(least, j < notes ? limited(end + rows.overhang) : end);
  }
  return static_cast<Unit>(least);
}

}  // namespace

void explained_loss_plain(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                          std::uint8_t* loss) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) loss[lane] = loss_of_lane(rows, columns, {}, lane);
}

void explained_loss_plain(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                          std::span<const std::uint16_t> place, std::uint16_t* loss) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) loss[lane] = loss_of_lane(rows, columns, place, lane);
}

}  // namespace rondo::kernels
