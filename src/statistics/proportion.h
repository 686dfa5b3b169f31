#pragma once

#include <cstdint>

namespace rondo::statistics {

/// A confidence interval of a share, within 0 and 1.
struct ShareInterval {
  double low = 0;
  double high = 1;
};

/// Wilson's score interval without continuity correction (E. B. Wilson: Probable inference, the law of succession, and
/// statistical inference, 1927), which holds its level near 0 and 1 too. `successes` of `trials`, at most all of them;
/// 0 to 1 where there were none. `level` within (0, 1).
[[nodiscard]] ShareInterval wilson_interval(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

}  // namespace rondo::statistics
