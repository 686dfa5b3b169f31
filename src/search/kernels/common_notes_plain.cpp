#include <algorithm>
#include <bit>

#include "search/kernels/common_notes.h"

namespace rondo::kernels {

CommonQuery::CommonQuery(std::span<const std::int16_t> query) : notes(query.size()) {
  const auto [lowest, highest] = std::minmax_element(query.begin(), query.end());
  low = *lowest;
  high = *highest;
  // At place p are the notes with pitch low + kCommonZero - p: the higher the transposition, the lower the pitch that
  // meets a given one.
  constexpr std::size_t kTable = 2 * kCommonZero + 64;
  long_where.assign(kTable, 0);
  for (std::size_t i = 0; i < notes; ++i) {
    long_where[static_cast<std::size_t>(kCommonZero - (query[i] - low))] |= std::uint64_t{1} << i;
  }
  if (notes <= 32) short_where.assign(long_where.begin(), long_where.end());
}

std::size_t common_by_transposition_plain(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                          std::uint8_t* counts) {
  const auto [low, high] = std::minmax_element(pitches, pitches + notes);
  const int range = query.high - query.low;
  const auto transpositions = static_cast<std::size_t>(*high - *low + range + 1);
  const std::uint64_t all = query.notes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << query.notes) - 1;
  for (std::size_t t = 0; t < transpositions; ++t) {
    std::uint64_t open = ~std::uint64_t{0};
    for (std::size_t j = 0; j < notes; ++j) {
      const std::uint64_t met =
          open & query.long_where[static_cast<std::size_t>(kCommonZero - (pitches[j] - *low) - range) + t];
      open = (open + met) | (open & ~met);
    }
    counts[t] = static_cast<std::uint8_t>(std::popcount(~open & all));
  }
  return transpositions;
}

}  // namespace rondo::kernels
