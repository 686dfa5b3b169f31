#include <algorithm>

#include "search/kernels/coinciding.h"

namespace rondo::kernels {

std::uint32_t most_coinciding_plain(const TurnedRows& rows, const std::uint64_t* words, int first) {
  std::uint32_t most = 0;
  for (int t = first; t < first + kTranspositions; ++t) {
    for (std::uint32_t place = 0; place < kCircle; ++place) {
      std::uint32_t met = 0;
      for (std::size_t i = 0; i < rows.pitch.size(); ++i) {
        met += static_cast<std::uint32_t>(words[rows.pitch[i] + t] >> ((place + rows.turn[i]) % kCircle) & 1U);
      }
      most = std::max(most, met);
    }
  }
  return most;
}

}  // namespace rondo::kernels
