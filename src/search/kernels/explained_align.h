#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/window_align.h"

/// The alignment of the system rondo (similarity/systems/rondo.h), one document in two transpositions in each lane of a
/// vector, in 16-bit numbers: exactly the better of two totals of explained::align.
namespace rondo::kernels {

/// Sums of what the notes of a query cost or add stay below this.
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
  std::int16_t near = 0;
  std::int16_t far = 0;
  std::int16_t overhang = 0;
};

/// A batch of documents, laid out [note][lane], padded to the longest with anything.
struct ExplainedColumns {
  std::size_t columns = 0;
  std::vector<std::int16_t> pitch;  ///< less the lane's transposition
  std::vector<std::int16_t> other;  ///< less another one
  std::vector<std::int16_t> next;
  std::vector<std::int16_t> interval;  ///< cost where the next intervals differ; 0 at the last note
  std::vector<std::int16_t> length;
  std::vector<std::int16_t> change;
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> gap;
  std::int16_t place_factor[kBatch] = {};
  std::int16_t count[kBatch] = {};  ///< notes of the lane's document

  void resize(std::size_t notes) {
    columns = notes;
    for (auto* part : {&pitch, &other, &next, &interval, &length, &change, &place, &gap}) part->resize(notes * kBatch);
  }
};

/// The total of each lane, in the better transposition.
void explained_align(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total);
void explained_align_plain(const ExplainedRows& rows, const ExplainedColumns& columns, std::int16_t* total);

}  // namespace rondo::kernels
