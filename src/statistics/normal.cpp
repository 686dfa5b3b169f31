#include "statistics/normal.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace rondo::statistics {

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(p > 0)) return -kInfinity;
  if (p >= 1) return kInfinity;
  if (p == 0.5) return 0;
  if (p > 0.5) return -normal_quantile(1 - p);
  // Bisection is slow but robust, and a quantile is needed only a few times per interval.
  double low = -40;
  double high = 0;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
}

}  // namespace rondo::statistics
