#include "statistics/holm.h"

#include <algorithm>
#include <compare>
#include <numeric>

namespace rondo::statistics {

std::vector<PValue> holm(std::span<const PValue> p_values) {
  const std::size_t n = p_values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::is_lt(compare(p_values[a], p_values[b])); });
  std::vector<PValue> adjusted(n, PValue(1.0));
  for (std::size_t i = 0; i < n; ++i) {
    PValue one = p_values[order[i]].times(n - i);
    if (i > 0 && std::is_gt(compare(adjusted[order[i - 1]], one))) one = adjusted[order[i - 1]];
    adjusted[order[i]] = std::move(one);
  }
  return adjusted;
}

std::vector<double> holm(std::span<const double> p_values) {
  const std::vector<PValue> adjusted = holm(std::vector<PValue>(p_values.begin(), p_values.end()));
  std::vector<double> out;
  out.reserve(adjusted.size());
  for (const PValue& p : adjusted) out.push_back(p.value());
  return out;
}

}  // namespace rondo::statistics
