#pragma once

#include <cstddef>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::statistics {

/// Friedman's test: do several treatments (systems) that were all tried on the same blocks (queries) differ at all?
struct FriedmanResult {
  double statistic = 0;            ///< chi square with tie correction
  std::size_t degrees = 0;         ///< treatments - 1
  double p = 1;                    ///< from the chi square distribution
  std::vector<double> mean_ranks;  ///< of each treatment; 1 is the lowest value of a block
};

/// values[treatment][block]. Where all values of every block are equal, p is 1. Errors: statistics-empty (fewer than
/// two treatments or no block), statistics-lengths, statistics-not-finite.
[[nodiscard]] Result<FriedmanResult> friedman_test(const std::vector<std::vector<double>>& values);

/// Nemenyi's post-hoc test of two treatments, corrected for all pairs: the p-value of a difference of mean ranks among
/// `treatments` in `blocks`.
[[nodiscard]] double nemenyi_p(double mean_rank_difference, std::size_t treatments, std::size_t blocks);

/// P(X > x) of a chi square distribution.
[[nodiscard]] double chi_square_tail(double x, double degrees);
/// P(range of `count` standard normal values > q): the studentized range with infinite degrees of freedom.
[[nodiscard]] double studentized_range_tail(double q, std::size_t count);

}  // namespace rondo::statistics
