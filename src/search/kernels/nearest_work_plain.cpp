#include <algorithm>
#include <cmath>
#include <limits>

#include "search/kernels/nearest_work.h"

namespace rondo::kernels {

void Heaps::clear(std::size_t heaps) {
  size = heaps;
  time.resize(heaps);
  pitch.resize(heaps);
  weight.resize(heaps);
}

void Heaps::pad() {
  const std::size_t all = (size + kPad - 1) / kPad * kPad;
  time.resize(all, time.front());
  pitch.resize(all, pitch.front());
  weight.resize(all, 0.0F);
}

void nearest_work_plain(const Heaps& query, const Heaps& document, std::span<const HeapPlacing> placings,
                        HeapSides sides, float /*enough*/, float* work) {
  std::vector<float> to_query(document.size);
  for (const HeapPlacing& placing : placings) {
    std::fill(to_query.begin(), to_query.end(), std::numeric_limits<float>::max());
    float by_query = 0;
    for (std::size_t i = 0; i < query.size; ++i) {
      float nearest = std::numeric_limits<float>::max();
      for (std::size_t j = 0; j < document.size; ++j) {
        const float dt = document.time[j] - query.time[i] * placing.stretch;
        const float dp = document.pitch[j] - (query.pitch[i] + placing.transposition);
        const float apart = dt * dt + dp * dp;
        nearest = std::min(nearest, apart);
        to_query[j] = std::min(to_query[j], apart);
      }
      by_query += query.weight[i] * std::sqrt(nearest);
    }
    float by_document = 0;
    for (std::size_t j = 0; j < document.size; ++j) by_document += document.weight[j] * std::sqrt(to_query[j]);
    *work++ = std::max(sides.query ? by_query : 0.0F, sides.document ? by_document : 0.0F);
  }
}

}  // namespace rondo::kernels
