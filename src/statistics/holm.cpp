#include "rondo/statistics/holm.h"

#include <algorithm>
#include <numeric>

namespace rondo::statistics {

std::vector<double> holm(std::span<const double> p_values) {
  const std::size_t n = p_values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(n);
  double running = 0;
  for (std::size_t i = 0; i < n; ++i) {
    running = std::max(running, static_cast<double>(n - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, running);
  }
  return adjusted;
}

}  // namespace rondo::statistics
