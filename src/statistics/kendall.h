#pragma once

#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::statistics {

/// Kendall's tau-b of two rankings of the same things, corrected for ties; -1 to 1. O(n log n).
/// Error `statistics-constant` if all values of one ranking are equal.
[[nodiscard]] Result<double> kendall_tau_b(std::span<const double> x, std::span<const double> y);

/// Kendall's W, the agreement of several raters who each score the same things, corrected for ties; 0 to 1.
/// One inner vector per rater, all of one length.
[[nodiscard]] Result<double> kendall_w(const std::vector<std::vector<double>>& raters);

}  // namespace rondo::statistics
