#pragma once

#include <span>
#include <vector>

namespace rondo::statistics {

/// Holm's step-down correction of a family of p-values, in the order given. Compare the result with the level as is.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace rondo::statistics
