#include <algorithm>

#include "search/kernels/shared_pitches.h"

namespace rondo::kernels {

std::size_t shared_pitches_plain(const SharedQuery& query, const std::uint8_t* rows, const std::uint8_t* least,
                                 std::size_t begin, std::size_t end, SharedHit* out) {
  std::size_t hits = 0;
  for (std::size_t d = begin; d < end; ++d) {
    const int need = query.both ? std::max(query.least, least[d]) : std::min(query.least, least[d]);
    const std::uint8_t* const row = rows + d * kSharedRow + kSharedBefore + query.first;
    std::uint32_t enough = 0;
    for (std::size_t t = 0; t < kSharedLanes; ++t) {
      int shared = 0;
      for (std::size_t i = 0; i < query.pitch.size(); ++i) {
        shared += std::min<int>(query.count[i], row[query.pitch[i] + t]);
      }
      if (std::min(shared, 255) >= need) enough |= std::uint32_t{1} << t;
    }
    if (enough != 0) out[hits++] = {static_cast<std::uint32_t>(d), enough};
  }
  return hits;
}

}  // namespace rondo::kernels
