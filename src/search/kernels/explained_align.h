#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/window_align.h"

/// The alignment of the system rondo (similarity/systems/rondo.h), one document in two transpositions in each lane of a
/// vector: exactly the better of two totals of explained::align.
namespace rondo::kernels {

/// Sums that stay below this, above and below zero, fit into numbers of 16 bits.
inline constexpr std::int32_t kMostExplained = 16'000;
/// What an alignment is added up in.
enum class ExplainedNumbers : std::uint8_t {
  narrow,    ///< 16 bits, for queries of which all notes together cost and add less than kMostExplained
  relative,  ///< 16 bits, counted from what it costs to leave out the query so far: these sums are as large as the
             ///< document is long, however long the query is
  wide       ///< 32 bits
};

/// The query: one number for each note in each column.
struct ExplainedRows {
  std::vector<std::int16_t> pitch;
  std::vector<std::int16_t> next;
  std::vector<std::int16_t> length;  ///< times its cost
  std::vector<std::int16_t> change;  ///< times its cost
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> weight;
  std::vector<std::int16_t> gap;
  std::vector<std::int16_t> beyond;  ///< the same before or behind all of the document
  std::int16_t near = 0;
  std::int16_t far = 0;
  std::int16_t interval = 0;  ///< cost where the next intervals differ
  std::int16_t overhang = 0;

  /// Notes that have something in common share what is computed of it: [i] is the number of the value that note i has,
  /// and `first` a note that has it. To be called when the columns are filled.
  struct Values {
    std::vector<std::uint16_t> of_note;
    std::vector<std::uint16_t> first;
  };
  Values pitches, rhythms;
  void number_values();

  /// What it costs at least to leave out a note: what numbers are relative to.
  [[nodiscard]] std::int16_t least(std::size_t i) const { return gap[i] < beyond[i] ? gap[i] : beyond[i]; }
};

/// A batch of documents with equally many notes, laid out [note][lane].
struct ExplainedColumns {
  std::size_t columns = 0;
  std::vector<std::int16_t> pitch;  ///< less the lane's transposition
  std::vector<std::int16_t> other;  ///< less another one
  std::vector<std::int16_t> next;
  std::vector<std::int16_t> length;
  std::vector<std::int16_t> change;
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> gap;
  std::int16_t place_factor = 0;

  void resize(std::size_t notes) {
    columns = notes;
    for (auto* part : {&pitch, &other, &next, &length, &change, &place, &gap}) part->resize(notes * kBatch);
  }
};

/// The total of each lane, in the better transposition.
void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, ExplainedNumbers numbers,
                     std::int32_t* total);
void explained_align_plain(const ExplainedRows& rows, const ExplainedColumns& columns, ExplainedNumbers numbers,
                           std::int32_t* total);

}  // namespace rondo::kernels
