#include "statistics/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace rondo::statistics {

Ranking rank_values(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Ranking ranking;
  ranking.doubled.resize(n);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && values[order[end]] == values[order[begin]]) ++end;
    // Ranks begin + 1 to end, so twice their mean is begin + 1 + end.
    for (std::size_t i = begin; i < end; ++i) ranking.doubled[order[i]] = static_cast<std::int64_t>(begin + 1 + end);
    const auto t = static_cast<double>(end - begin);
    ranking.tie_term += t * t * t - t;
    begin = end;
  }
  return ranking;
}

Result<void> check_sample(std::span<const double> values, std::string_view what) {
  if (values.empty()) return fail("statistics-empty", std::string(what) + " has no values");
  for (const double value : values) {
    if (!std::isfinite(value))
      return fail("statistics-not-finite", std::string(what) + " has a value that is not a number");
  }
  return {};
}

}  // namespace rondo::statistics
