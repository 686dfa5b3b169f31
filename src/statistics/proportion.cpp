#include "statistics/proportion.h"

#include <algorithm>
#include <cmath>

#include "statistics/normal.h"

namespace rondo::statistics {

ShareInterval wilson_interval(std::uint64_t successes, std::uint64_t trials, double level) {
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double z = normal_quantile(0.5 + level / 2);
  const double centre = share + z * z / (2 * n);
  const double spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // The ends are exact where all or none succeed; subtraction would leave rounding noise there.
  return {.low = successes == 0 ? 0 : std::max(0.0, (centre - spread) / scale),
          .high = successes == trials ? 1 : std::min(1.0, (centre + spread) / scale)};
}

}  // namespace rondo::statistics
