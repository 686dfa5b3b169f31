#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Alignment of notes that are rated by pitch, place and metric weight (van Kranenburg), what hangs over at either end
/// free, one document in each lane of a vector, in 16-bit numbers rounded up: a bound.
namespace rondo::kernels {

/// What a base-40 step is worth, and the band of 23 of them, which is what a rating of 1 is.
inline constexpr std::int16_t kRatedStep = 10;
inline constexpr std::int16_t kRatedOne = 23 * kRatedStep;
inline constexpr std::int16_t kRatedOctave = 40 * kRatedStep;
/// Pitches of two melodies are less than this apart.
inline constexpr std::int16_t kRatedFarthest = 32 * kRatedOctave;
/// Notes of the shorter of two melodies, so that sums stay within 16 bits.
inline constexpr std::size_t kMostRated = 120;

/// Places go from 0 at the first onset to kRatedWhole at the last.
inline constexpr std::int16_t kRatedWhole = 32767;
/// The greatest metric weight. Those of documents are kept in bytes.
inline constexpr std::int16_t kRatedBeat = 255 * 128;
[[nodiscard]] inline std::int16_t rated_beat(std::uint8_t byte) { return static_cast<std::int16_t>(byte * 128); }
/// By how much a rating, of at most 2 kRatedOne, may have become too low: a half each time that it is rounded, and by
/// places that are rounded to one in 32,768, weights to one in 510.
[[nodiscard]] constexpr std::int16_t rated_slack(bool places, bool beats) {
  return static_cast<std::int16_t>((places ? 1 : 0) + (beats ? 2 : 0));
}

struct RatedRows {
  std::vector<std::int16_t> pitch;  ///< in base 40, times kRatedStep
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> beat;
  std::int16_t gap = 0;  ///< cost of a note that stands alone, rounded down
  bool band = false;     ///< near pitches are alike too
  bool places = false;   ///< and among these those at near places
  bool beats = false;    ///< and those of like metric weight
};

/// A batch of documents, laid out [note][lane], all of one length; pitches are moved by the lane's transposition.
struct RatedColumns {
  std::size_t columns = 0;
  AlignedVector<std::int16_t> pitch;
  AlignedVector<std::int16_t> place;  ///< where places count
  AlignedVector<std::int16_t> beat;   ///< where beats count
  std::int16_t farthest = 0;          ///< no pitch is farther than this from one of the query
};

void rated_align(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best);
void rated_align_plain(const RatedRows& rows, const RatedColumns& columns, std::int16_t* best);

}  // namespace rondo::kernels
