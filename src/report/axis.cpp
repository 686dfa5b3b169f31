#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo::report {

std::vector<double> round_ticks(double low, double high, int wanted) {
  if (!(high > low)) return {low};
  const double rough = (high - low) / std::max(1, wanted);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  std::vector<double> out;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) out.push_back(n * step);
  return out;
}

std::string tick_text(double value) { return fmt::format("{:g}", std::round(value * 1e6) / 1e6 + 0.0); }

Polyline straight(Position from, Position to, double width, Colour colour, std::vector<double> dash) {
  return {.points = {from, to}, .width = width, .stroke = colour, .dash = std::move(dash)};
}

Polyline area(double left, double top, double right, double bottom, Colour fill, double width) {
  return {.points = {{left, top}, {right, top}, {right, bottom}, {left, bottom}},
          .width = width,
          .stroke = kInk,
          .filled = true,
          .fill = fill};
}

}  // namespace rondo::report
