#pragma once

namespace rondo::statistics {

/// P(Z <= z) of a standard normal Z, accurate in the far tail.
[[nodiscard]] double normal_cdf(double z);
/// The z with P(Z <= z) = p; minus or plus infinity outside (0, 1).
[[nodiscard]] double normal_quantile(double p);

}  // namespace rondo::statistics
