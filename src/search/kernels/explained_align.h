#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/window_align.h"

/// The alignment of the system rondo (similarity/systems/rondo.h), one document in two transpositions in each lane of a
/// vector: exactly the better of two totals of explained::align.
namespace rondo::kernels {

/// Where sums of what the notes of a query cost or add stay below this, numbers of 16 bits do; else they have 32.
inline constexpr std::int32_t kMostExplained = 16'000;

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

/// The total of each lane, in the better transposition. `wide`: sums may not fit into 16 bits.
void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, bool wide, std::int32_t* total);
void explained_align_plain(const ExplainedRows& rows, const ExplainedColumns& columns, bool wide, std::int32_t* total);

}  // namespace rondo::kernels
