#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/window_align.h"

/// Alignment of notes that are rated by pitch and place (van Kranenburg), what hangs over at either end free, one
/// document in each lane of a vector, in 16-bit numbers rounded up: a bound.
namespace rondo::kernels {

/// What a rating of 1 is; divisible by 23, the width of the pitch band in base-40 steps.
inline constexpr std::int16_t kRatedOne = 230;
/// Notes of the query, so that sums stay within 16 bits.
inline constexpr std::size_t kMostRated = 120;

struct RatedRows {
  std::vector<std::int16_t> pitch;  ///< base 40
  std::vector<std::int16_t> place;  ///< 0 .. 32767 from the first onset to the last
  std::int16_t gap = 0;             ///< cost of a note that stands alone, rounded down
  bool band = false;                ///< near pitches are alike too
  bool places = false;              ///< and those at near places
};

/// A batch of documents, laid out [note][lane], all of one length; pitches are moved by the lane's transposition.
struct RatedColumns {
  std::size_t columns = 0;
  std::vector<std::int16_t> pitch;
  std::vector<std::int16_t> place;
};

void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best);
void rated_align_plain(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best);

}  // namespace rondo::kernels
