#include "similarity/spline/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rondo::spline {

double area3(double a, double b) {
  // A straight line from a at 0 to b - a at 1: a trapezium, or two triangles where it crosses zero.
  const double start = a;
  const double end = b - a;
  if (start * end >= 0) return std::abs(start + end) / 2;
  return (start * start + end * end) / (2 * (std::abs(start) + std::abs(end)));
}

double area4(double a, double b, double c) {
  const double square = c / 2 - 1.5 * b + 1.5 * a;
  const double linear = b - 2 * a;
  const double constant = b / 2;
  const auto antiderivative = [&](double x) { return ((square / 3 * x + linear / 2) * x + constant) * x; };

  // Split at the real roots inside (0,1); between them the sign does not change.
  std::array<double, 4> cuts = {0, 1, 1, 1};
  std::size_t count = 1;
  const auto cut = [&](double x) {
    if (x > 0 && x < 1) cuts[count++] = x;
  };
  if (square != 0) {
    const double discriminant = linear * linear - 4 * square * constant;
    if (discriminant > 0) {
      // The numerically stable form, which avoids cancellation.
      const double half = -0.5 * (linear + std::copysign(std::sqrt(discriminant), linear));
      cut(half / square);
      if (half != 0) cut(constant / half);
    }
  } else if (linear != 0) {
    cut(-constant / linear);
  }
  if (count == 3 && cuts[1] > cuts[2]) std::swap(cuts[1], cuts[2]);
  cuts[count++] = 1;
  double area = 0;
  for (std::size_t i = 1; i < count; ++i) area += std::abs(antiderivative(cuts[i]) - antiderivative(cuts[i - 1]));
  return area;
}

}  // namespace rondo::spline
