#include <algorithm>

#include "search/kernels/letters_align.h"

namespace rondo::kernels {
namespace {

int replacing(std::uint16_t a, std::uint16_t b, const LetterCosts& costs) {
  if (a == b) return 0;
  return a == kNeutral || b == kNeutral ? costs.to_neutral : costs.opposite;
}

}  // namespace

void letters_align_plain(const std::vector<std::uint16_t>& query, const LetterColumns& columns,
                         const LetterCosts& costs, std::uint16_t* distance) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t length = columns.length[lane];
    std::vector<int> row(length + 1);
    for (std::size_t j = 0; j <= length; ++j) row[j] = static_cast<int>(j) * costs.insertion;
    for (const std::uint16_t letter : query) {
      int corner = row[0];
      row[0] += costs.deletion;
      for (std::size_t j = 1; j <= length; ++j) {
        const int replaced = corner + replacing(letter, columns.letter[(j - 1) * kBatch + lane], costs);
        corner = row[j];
        row[j] = std::min({replaced, row[j] + costs.deletion, row[j - 1] + costs.insertion});
      }
    }
    distance[lane] = static_cast<std::uint16_t>(row[length]);
  }
}

}  // namespace rondo::kernels
