#include "evaluation/falling_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rondo::evaluation {

std::string FallingScores::next(double score) {
  constexpr double kLargest = 1e30;  // leaves room to fall below it within single precision
  constexpr double kSmallestStep = 1e-9;
  score = std::clamp(score, -kLargest, kLargest);
  const auto single = static_cast<float>(score);
  if (!last_ || single < *last_) {
    last_ = single;
    return fmt::format("{}", score);
  }
  const float below = std::nextafter(*last_, -std::numeric_limits<float>::infinity());
  last_ = std::min(below, static_cast<float>(static_cast<double>(*last_) - kSmallestStep));
  // The shortest decimal of a float reads back as that float, by way of a double too.
  return fmt::format("{}", *last_);
}

}  // namespace rondo::evaluation
