#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Local alignment of notes of equal pitch by their lengths (GAR), a query and a document in each lane of a vector, in
/// whole numbers of 16 bits or, in less than half the time, in bytes: exact.
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

/// The same in bytes.
struct RoughLengths {
  static constexpr std::uint8_t kNoPitch = 0x80;  ///< in all lanes; its length is 0
  static constexpr std::uint8_t kLongest = 51;    ///< note, so that five times it is a byte
  std::size_t columns = 0;
  std::vector<std::uint8_t> query_pitch;  ///< by row, below 128
  std::vector<std::uint8_t> query_length;
  AlignedVector<std::uint8_t> pitch;  ///< [column][lane], below 128 or kNoPitch
  AlignedVector<std::uint8_t> length;
  std::int8_t transposition[kBatch]{};  ///< of the query, by lane, at most by 127
};

/// As equal_pitches; 255 for all that is more.
void equal_roughly(const RoughLengths& batch, std::uint8_t* best);
void equal_roughly_plain(const RoughLengths& batch, std::uint8_t* best);

}  // namespace rondo::kernels
