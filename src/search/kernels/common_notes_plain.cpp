#include <algorithm>
#include <bit>

#include "search/kernels/common_notes.h"

namespace rondo::kernels {

CommonQuery::CommonQuery(std::span<const std::int16_t> query) : notes(query.size()), words((query.size() + 63) / 64) {
  const auto [lowest, highest] = std::minmax_element(query.begin(), query.end());
  low = *lowest;
  high = *highest;
  // At place p are the notes with pitch low + kCommonZero - p: the higher the transposition, the lower the pitch that
  // meets a given one.
  long_where.assign(words * kCommonPlaces, 0);
  for (std::size_t i = 0; i < notes; ++i) {
    const auto place = static_cast<std::size_t>(kCommonZero - (query[i] - low));
    long_where[i / 64 * kCommonPlaces + place] |= std::uint64_t{1} << (i % 64);
  }
  if (notes <= 32) short_where.assign(long_where.begin(), long_where.end());
}

CommonTranspositions common_transpositions_plain(const CommonQuery& query, const CommonDocument& document) {
  const int range = query.high - query.low;
  const auto transpositions = static_cast<std::uint32_t>(document.high - document.low + range + 1);
  std::uint32_t best = 0;
  std::uint32_t second = 0;
  std::vector<std::uint64_t> open(query.words);
  for (std::uint32_t t = 0; t < transpositions; ++t) {
    std::fill(open.begin(), open.end(), ~std::uint64_t{0});
    for (std::size_t j = 0; j < document.notes; ++j) {
      const auto place = static_cast<std::size_t>(kCommonZero - (document.pitches[j] - document.low) - range) + t;
      std::uint64_t carry = 0;
      for (std::size_t w = 0; w < query.words; ++w) {
        const std::uint64_t met = open[w] & query.long_where[w * kCommonPlaces + place];
        const std::uint64_t sum = open[w] + met;
        const std::uint64_t more = sum + carry;
        carry = static_cast<std::uint64_t>(sum < met) | static_cast<std::uint64_t>(more < carry);
        open[w] = more | (open[w] & ~met);
      }
    }
    std::uint32_t common = 0;
    for (std::size_t i = 0; i < query.notes; ++i) common += (open[i / 64] >> (i % 64) & 1U) == 0 ? 1 : 0;
    const std::uint32_t number = (common << 16U) + kCommonOrder - t;
    second = std::max(second, std::min(best, number));
    best = std::max(best, number);
  }
  return from_order(best, second);
}

}  // namespace rondo::kernels
