#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "statistics/rank_sum.h"
#include "statistics/ranks.h"

namespace rondo::statistics {

/// So many of so many, in plain integers.
struct Share {
  std::int64_t hits = 0;
  std::int64_t all = 0;
};

/// The reference of the rank sum test: every choice of x.size() values of the pool, one by one.
inline Share enumerated(const std::vector<double>& x, const std::vector<double>& y, Alternative alternative) {
  std::vector<double> pool = x;
  pool.insert(pool.end(), y.begin(), y.end());
  const std::vector<std::int64_t> ranks = rank_values(pool).doubled;
  const auto count = static_cast<std::int64_t>(pool.size());
  const auto size = static_cast<std::int64_t>(x.size());
  const std::int64_t total = std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0});
  const std::int64_t here =
      std::accumulate(ranks.begin(), ranks.begin() + size, std::int64_t{0}) * count - total * size;
  std::vector<int> chosen(pool.size(), 0);
  std::fill(chosen.begin(), chosen.begin() + size, 1);
  Share share;
  do {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) sum += chosen[i] * ranks[i];
    const std::int64_t there = sum * count - total * size;
    share.hits += alternative == Alternative::kLess      ? there <= here
                  : alternative == Alternative::kGreater ? there >= here
                                                         : std::abs(there) >= std::abs(here);
    ++share.all;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return share;
}

}  // namespace rondo::statistics
