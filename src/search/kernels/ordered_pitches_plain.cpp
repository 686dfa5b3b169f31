#include <algorithm>
#include <bit>

#include "search/kernels/ordered_pitches.h"

namespace rondo::kernels {

OrderedQuery::OrderedQuery(std::span<const std::uint8_t> pitches, std::uint32_t needs, bool in_both)
    : notes(static_cast<std::uint32_t>(pitches.size())), least(needs), both(in_both) {
  for (std::size_t i = 0; i < pitches.size(); ++i) {
    where[i / 32][pitches[i]] |= std::uint32_t{1} << i % 32;
    range = std::max(range, pitches[i]);
  }
}

void OrderedDocuments::add(std::span<const std::uint8_t> pitches, std::uint32_t least) {
  table.push_back(static_cast<std::uint32_t>(words.size()));
  for (std::size_t i = 0; i < pitches.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 4; k-- > 0;) word = word << 8U | (i + k < pitches.size() ? pitches[i + k] : kNoPitch);
    words.push_back(word);
  }
  table.push_back((static_cast<std::uint32_t>(words.size()) - table.back()) << 16U | std::min(least, 0xFFFFU));
}

void ordered_pitches_plain(const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                           const SharedHits& hits, std::vector<OrderedHit>& out) {
  out.clear();
  const std::uint64_t all = query.notes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << query.notes) - 1;
  for (std::uint32_t hit = 0; hit < hits.size; ++hit) {
    const std::uint32_t* const entry = &documents.table[2 * (hits.document[hit] - first)];
    std::uint64_t open = ~std::uint64_t{0};
    for (std::uint32_t w = 0; w < entry[1] >> 16U; ++w) {
      for (std::uint32_t word = documents.words[entry[0] + w], k = 0; k < 4; word >>= 8U, ++k) {
        const int pitch = static_cast<int>(word & 0xFFU) - hits.transposition(hit);
        if (pitch < 0 || pitch > query.range) continue;
        const auto at = static_cast<std::size_t>(pitch);
        const std::uint64_t met = open & (query.where[0][at] | std::uint64_t{query.where[1][at]} << 32U);
        open = (open + met) | (open - met);
      }
    }
    const auto common = static_cast<std::uint32_t>(std::popcount(~open & all));
    const std::uint32_t theirs = entry[1] & 0xFFFFU;
    if (common >= (query.both ? std::max(query.least, theirs) : std::min(query.least, theirs))) {
      out.push_back({hit, common});
    }
  }
}

}  // namespace rondo::kernels
