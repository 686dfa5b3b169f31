#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Local alignment of notes of equal pitch by their lengths (GAR), a query and a document in each lane of a vector, in
/// whole 16-bit numbers: exact.
namespace rondo::kernels {

/// A batch, laid out [note][lane]. Lengths are in one unit of time for all.
struct PitchLengths {
  static constexpr std::int16_t kNoPitch = -1000;  ///< no note of a query has it; its length is 0
  std::size_t columns = 0;
  std::vector<std::int16_t> query_pitch;   ///< by row
  std::vector<std::int16_t> query_length;  ///< by row
  AlignedVector<std::int16_t> pitch;       ///< [column][lane], moved by the lane's transposition
  AlignedVector<std::int16_t> length;      ///< [column][lane]
  /// What query and document may last together in units, so that no sum leaves 16 bits.
  static constexpr std::int64_t kMostUnits = 10'000;
};

/// What the best stretch brings, in twelve hundredths of a unit: 2(a+b) - 3|a-b| for a note a against a note b of its
/// pitch, likewise for one against two of its pitch; -1 for each unit of a note that stands alone.
void equal_pitches(const PitchLengths& batch, std::int16_t* best);
void equal_pitches_plain(const PitchLengths& batch, std::int16_t* best);

}  // namespace rondo::kernels
