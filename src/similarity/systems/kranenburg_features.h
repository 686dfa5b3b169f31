#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::kranenburg {

/// Explaining needs a cell for every pair of notes, so only this many notes of a longer melody are compared.
inline constexpr std::size_t kLongest = 2000;

struct PitchTime {
  std::int32_t pitch;
  std::int64_t time;
};

/// The compared features of a melody, in columns.
struct Features {
  std::vector<std::int32_t> pitch;  ///< base 40, above the lowest
  std::vector<double> position;     ///< 0 at the first onset, 1 at the last
  std::vector<double> beat;         ///< metric weight, 0..1
  std::vector<PitchTime> histogram;
  std::int64_t sounding = 0;  ///< total of the histogram
  std::int32_t lowest = 0;    ///< the origin of `pitch`
  std::int32_t highest = 0;   ///< of `pitch`
};

/// Only what the raters need.
[[nodiscard]] Features make_features(const Line& line, const Raters& raters);

/// The transpositions of the query (both counted from their lowest pitch) under which the two spend most time on equal
/// pitches. There may be several; ascending.
void best_transpositions(const Features& query, const Features& document, std::vector<std::int32_t>& out);

}  // namespace rondo::kranenburg
