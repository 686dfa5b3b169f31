#include <algorithm>

#include "search/kernels/coinciding.h"

namespace rondo::kernels {

std::uint64_t enough_on_pitch_plain(const PitchCounts& query, const std::uint8_t* counts, int first,
                                    std::uint8_t least) {
  std::uint64_t enough = 0;
  for (int t = 0; t < kWordOfTranspositions; ++t) {
    unsigned common = 0;
    for (std::size_t i = 0; i < query.pitch.size(); ++i) {
      common += std::min(query.count[i], counts[query.pitch[i] + first + t]);
    }
    if (common >= least) enough |= std::uint64_t{1} << static_cast<unsigned>(t);
  }
  return enough;
}

bool enough_coincide_plain(const TurnedRows& rows, const std::uint64_t* words, int first, std::uint32_t least) {
  for (int t = first; t < first + kTranspositions; ++t) {
    for (std::uint32_t place = 0; place < kCircle; ++place) {
      std::uint32_t met = 0;
      for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
        met += static_cast<std::uint32_t>(words[rows.pitch[i] + t] >> ((place + rows.turn[i]) % kCircle) & 1U);
      }
      if (met >= least) return true;
    }
  }
  return false;
}

}  // namespace rondo::kernels
