#include <algorithm>

#include "search/kernels/common_time.h"

namespace rondo::kernels {

std::int16_t longest_common_plain(const std::int16_t* turns, std::size_t steps) {
  int most = 0;
  for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
    int slope = 0;
    int common = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      most = std::max(most, common);
      slope += turns[step * kSweeps + sweep];
      common += slope;
    }
  }
  return static_cast<std::int16_t>(most);
}

}  // namespace rondo::kernels
