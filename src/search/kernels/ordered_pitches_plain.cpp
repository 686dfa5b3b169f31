#include <bit>

#include "search/kernels/ordered_pitches.h"

namespace rondo::kernels {

OrderedQuery::OrderedQuery(std::span<const std::uint8_t> pitches)
    : where(kPlaces, 0), notes(static_cast<std::uint32_t>(pitches.size())) {
  for (std::size_t i = 0; i < pitches.size(); ++i) {
    where[static_cast<std::size_t>(kZero - pitches[i])] |= std::uint32_t{1} << i;
  }
}

void ordered_pitches_plain(const OrderedQuery& query, int first, std::span<OrderedDocument> documents) {
  const std::uint64_t all = (std::uint64_t{1} << query.notes) - 1;
  for (OrderedDocument& document : documents) {
    for (std::size_t t = 0; t < kSharedLanes; ++t) {
      if ((document.transpositions >> t & 1U) == 0) continue;
      std::uint32_t open = ~0U;
      for (std::uint32_t j = 0; j < document.notes; ++j) {
        const int at = OrderedQuery::kZero + first + static_cast<int>(t) - document.pitches[j];
        const std::uint32_t met = open & query.where[static_cast<std::size_t>(at)];
        open = (open + met) | (open - met);
      }
      const auto common = static_cast<std::uint32_t>(std::popcount(~open & static_cast<std::uint32_t>(all)));
      if (common < document.least) document.transpositions &= ~(std::uint32_t{1} << t);
    }
  }
}

}  // namespace rondo::kernels
