#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/best_transpositions.h"
#include "gpu/card.h"

namespace rondo::gpu {

/// The rhythms of notes that occur in a slice, by how often they do.
class RhythmNumbers {
 public:
  explicit RhythmNumbers(const MelodySpan& melodies);
  [[nodiscard]] std::uint32_t number(const Note& note) const { return number_[rhythm_of(note)]; }
  /// By rhythm_of.
  [[nodiscard]] std::span<const std::uint16_t> numbers() const { return number_; }
  /// By their numbers.
  [[nodiscard]] const std::vector<std::uint16_t>& rhythms() const { return rhythms_; }

 private:
  std::vector<std::uint16_t> number_;
  std::vector<std::uint16_t> rhythms_;
};

/// Codes that suit these costs, which are those of queries with rhythm.
[[nodiscard]] BoundCodes bound_codes(const QueryCosts& rhythmic);

/// The query for total_bound.h. None where it has too many notes, or where numbers of 16 bits cannot hold what its
/// alignments may come to. `most_gap` is the greatest Note::gap of any document.
[[nodiscard]] std::optional<TotalTable> total_table(const Query& query, const CostTables& costs,
                                                    const BoundCodes& codes, std::int32_t most_gap);

/// The queries of a call that have a table, in order of their groups of rows: neighbours are bounded together.
class TotalTables {
 public:
  struct Group {
    std::uint32_t begin, end;  ///< tables with equally many groups of rows
  };
  TotalTables(std::span<const Query> queries, const CostTables& costs, const BoundCodes& codes, std::int32_t most_gap);
  [[nodiscard]] const std::vector<TotalTable>& tables() const { return tables_; }
  /// Those of the queries.
  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// Queries without a table.
  [[nodiscard]] const std::vector<std::uint32_t>& others() const { return others_; }

 private:
  std::vector<TotalTable> tables_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> others_;
};

/// Two queries with equally many groups of rows, or one twice, in the memory of the CPU: what a card has in its own.
class PairTable {
 public:
  PairTable(const TotalTable& first, const TotalTable& second, const RhythmNumbers& rhythms);
  /// bound_reaches.
  [[nodiscard]] std::uint32_t reaches(const PackedNote* document, std::uint32_t columns, bool both,
                                      const TwoTranspositions* in) const;

 private:
  PairLayout layout_;
  std::vector<std::uint32_t> words_;
  PairHead head_{};
};

/// two_best for a document with this range.
[[nodiscard]] TwoTranspositions two_best_by_rows(const TotalTable& table, std::span<const Note> document,
                                                 std::uint32_t range);

}  // namespace rondo::gpu
