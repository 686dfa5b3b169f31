#pragma once

#include <string>
#include <vector>

#include "formats/midi/track.h"

/// Quantization: MIDI has ticks where notation has note values, and programs end notes a tick early, round triplets, or
/// record a player. The times of a file are snapped to the grid of the beat if they clearly follow one.
namespace rondo::midi {

/// The notes of one voice, in the order of their onsets; `begin` and `end` in ticks, and the quantized times in whole
/// notes.
struct TimedNote {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Fraction onset;
  Fraction release;
};

struct GridReport {
  std::size_t notes = 0;
  std::size_t moved = 0;  ///< notes whose onset or end was changed
  double largest = 0;     ///< the largest shift of an onset, in quarters
  double certainty = 0;   ///< 0: as for random onsets; 1: all on the grid
  std::string grid;       ///< "quarters divided by 4 and 3"
  bool followed = false;  ///< a grid was found; else all times are as played
  bool odd = false;       ///< no grid was found, and some times cannot be notated

  /// A message for people; empty if nothing was moved and all times can be notated.
  [[nodiscard]] std::string message() const;
};

/// Snaps the notes of all voices of a piece to the grid that fits best, and reports the changes. `tick` is the length
/// of a tick in whole notes.
///
/// A grid divides each quarter of each voice by one of a few numbers. Its certainty is 1 - s*p*sqrt(12), where s is the
/// standard deviation of the onsets from the nearest point, in quarters, and p the number of points in a quarter: its
/// expected value is 0 for onsets that are independent of the beat, for any grid. The grid with the greatest certainty
/// is used, if that is at least kCertainEnough.
[[nodiscard]] GridReport snap_to_grid(std::vector<std::vector<TimedNote>>& voices, Fraction tick);

inline constexpr double kCertainEnough = 0.4;

}  // namespace rondo::midi
