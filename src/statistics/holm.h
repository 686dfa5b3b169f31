#pragma once

#include <span>
#include <vector>

#include "statistics/p_value.h"

namespace rondo::statistics {

/// Holm's step-down correction of a family of p-values, in the order given. Compare the result with the level as is.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);
/// The same, exact where the p-values are.
[[nodiscard]] std::vector<PValue> holm(std::span<const PValue> p_values);

}  // namespace rondo::statistics
