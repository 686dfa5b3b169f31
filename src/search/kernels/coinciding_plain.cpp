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
    if (std::min<unsigned>(common, kMostOnPitch) >= least) enough |= std::uint64_t{1} << static_cast<unsigned>(t);
  }
  return enough;
}

std::uint32_t enough_coincide_plain(const Circles& query, const TurnedRows& document, int first, std::uint32_t least) {
  std::uint32_t enough = 0;
  for (int t = 0; t < kTranspositions; ++t) {
    for (std::uint32_t from = 0; from < query.places(); ++from) {
      std::uint32_t met = 0;
      for (std::size_t j = 0; j < document.pitch.size(); ++j) {
        const std::uint32_t place = (from + document.turn[j]) % query.places();
        const std::uint64_t word = query.of(document.pitch[j], first + t)[place / kWordOfCircle * Circles::kStride];
        met += static_cast<std::uint32_t>(word >> place % kWordOfCircle & 1U);
      }
      if (met >= least) enough |= 1U << static_cast<unsigned>(t);
    }
  }
  return enough;
}

}  // namespace rondo::kernels
