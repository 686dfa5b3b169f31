#pragma once

#include <string>
#include <vector>

#include "formats/midi/track.h"

/// MIDI has ticks where notation has note values: programs end notes a tick early, round triplets, or record a player.
/// Here the times of a file are put on the grid of the beat where they clearly follow one.
namespace rondo::midi {

/// The notes of one voice, in the order of their onsets; `begin` and `end` in ticks, and what is made of them in whole
/// notes.
struct TimedNote {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Fraction onset;
  Fraction release;
};

struct GridReport {
  std::size_t notes = 0;
  std::size_t moved = 0;  ///< notes whose onset or end is not where its ticks are
  double largest = 0;     ///< the farthest that an onset was moved, in quarters
  double certainty = 0;   ///< 0: as random onsets lie; 1: all on the grid
  std::string grid;       ///< "quarters divided by 4 and 3"
  bool followed = false;  ///< a grid was found; else all times are as played
  bool odd = false;       ///< no grid was found, and some times have no place in notation

  /// For people; empty where nothing was moved and nothing is odd.
  [[nodiscard]] std::string message() const;
};

/// Puts the notes of all voices of a piece on the grid that fits them best, and says what was done. `tick` is the
/// length of a tick in whole notes.
///
/// A grid divides each quarter of each voice by one of a few numbers. Its certainty is 1 - s*p*sqrt(12), where s is the
/// standard deviation of the onsets from the nearest point, in quarters, and p the number of points in a quarter: 0 is
/// expected of onsets that know nothing of the beat, whatever the grid. The grid of the greatest certainty is taken, if
/// that is at least kCertainEnough.
[[nodiscard]] GridReport snap_to_grid(std::vector<std::vector<TimedNote>>& voices, Fraction tick);

inline constexpr double kCertainEnough = 0.4;

}  // namespace rondo::midi
