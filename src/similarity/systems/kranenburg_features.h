#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::kranenburg {

/// Explaining takes a cell for every two notes, so the rest of a longer melody is not looked at.
inline constexpr std::size_t kLongest = 2000;

struct PitchTime {
  std::int32_t pitch;
  std::int64_t time;
};

/// What of a melody is compared. Columns.
struct Features {
  std::vector<std::int32_t> pitch;  ///< base 40, above the lowest
  std::vector<double> position;     ///< 0 at the first onset, 1 at the last
  std::vector<double> beat;         ///< metric weight, 0..1
  std::vector<PitchTime> histogram;
  std::int64_t sounding = 0;  ///< all of the histogram
  std::int32_t lowest = 0;    ///< what `pitch` counts from
  std::int32_t highest = 0;   ///< of `pitch`
};

/// Only what the raters need.
[[nodiscard]] Features make_features(const Line& line, const Raters& raters);

/// What to add to the query's pitches (both counted from their lowest) so that the two spend most of their time on
/// equal ones. There may be several; ascending.
void best_transpositions(const Features& query, const Features& document, std::vector<std::int32_t>& out);

}  // namespace rondo::kranenburg
