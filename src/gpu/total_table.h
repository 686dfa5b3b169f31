#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gpu/total_bound.h"

namespace rondo::gpu {

/// Codes that suit these costs, which are those of queries with rhythm.
[[nodiscard]] BoundCodes bound_codes(const QueryCosts& rhythmic);

/// The query for total_bound.h, without the words of the tables (`fill_words`). None where it has too many notes, or
/// where numbers of 16 bits cannot hold what its alignments may come to. `most_gap` is the greatest Note::gap of any
/// document.
[[nodiscard]] std::optional<TotalTable> total_table(const Query& query, const CostTables& costs,
                                                    const BoundCodes& codes, std::int32_t most_gap);
/// What a card does with a thread for each word.
void fill_words(TotalTable& table);
/// bound_reaches with as many rows as the table has.
[[nodiscard]] bool bound_reaches_by_rows(const TotalTable& table, const PackedNote* document, std::uint32_t columns,
                                         const TwoTranspositions& in);

}  // namespace rondo::gpu
