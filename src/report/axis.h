#pragma once

#include <string>
#include <vector>

#include "report/vector_image.h"

namespace rondo::report {

/// A linear mapping of values to positions in the image.
struct Axis {
  double low = 0;
  double high = 1;
  double from = 0;  ///< position of `low`
  double to = 1;    ///< position of `high`

  [[nodiscard]] double at(double value) const {
    return high == low ? from : from + (value - low) / (high - low) * (to - from);
  }
};

/// Round numbers from `low` to `high`: steps of 1, 2 or 5 times a power of ten, about `wanted` of them.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int wanted);
/// "0.2", "15": as many digits as it takes.
[[nodiscard]] std::string tick_text(double value);

inline constexpr Colour kInk{0.1, 0.1, 0.1};
inline constexpr Colour kFaint{0.85, 0.85, 0.85};

[[nodiscard]] Polyline straight(Position from, Position to, double width, Colour colour = kInk,
                                std::vector<double> dash = {});
[[nodiscard]] Polyline area(double left, double top, double right, double bottom, Colour fill, double width = 0);

}  // namespace rondo::report
