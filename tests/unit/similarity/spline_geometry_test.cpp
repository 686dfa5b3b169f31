#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "similarity/spline/geometry.h"

namespace rondo::spline {
namespace {

/// The definition, summed in many small steps.
double area_by_steps(double square, double linear, double constant) {
  constexpr int kSteps = 200'000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = (i + 0.5) / kSteps;
    sum += std::abs((square * x + linear) * x + constant) / kSteps;
  }
  return sum;
}

TEST(SplineArea, HasTheSpecifiedValues) {
  EXPECT_NEAR(area4(7, -2, 2), 25.0 / 6, 1e-12);  // 74 81 72 76 against the flat span
  EXPECT_NEAR(area3(7, -2), 4.0625, 1e-12);
  EXPECT_NEAR(area4(1, 0, 2), 0.26, 1e-12);  // durations (2,1,3) against (1,1,1)
  EXPECT_EQ(area3(0, 0), 0);
  EXPECT_EQ(area4(0, 0, 0), 0);
}

TEST(SplineArea, OfAStraightRiseIsTheRise) {
  EXPECT_NEAR(area3(2, 4), 2, 1e-12);     // C' runs from 2 to 2
  EXPECT_NEAR(area4(2, 4, 6), 2, 1e-12);  // likewise constant
}

TEST(SplineArea, AgreesWithSummingTheDefinition) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> pitch(-12, 12);
  for (int i = 0; i < 60; ++i) {
    const double a = pitch(random), b = pitch(random), c = pitch(random);
    EXPECT_NEAR(area3(a, b), area_by_steps(0, b - 2 * a, a), 1e-6) << a << " " << b;
    EXPECT_NEAR(area4(a, b, c), area_by_steps(c / 2 - 1.5 * b + 1.5 * a, b - 2 * a, b / 2), 1e-6)
        << a << " " << b << " " << c;
  }
}

TEST(SplineArea, IsSymmetricInSign) {
  for (int a = -5; a <= 5; ++a) {
    for (int b = -5; b <= 5; ++b) {
      EXPECT_DOUBLE_EQ(area3(a, b), area3(-a, -b));
      for (int c = -5; c <= 5; ++c) EXPECT_DOUBLE_EQ(area4(a, b, c), area4(-a, -b, -c));
    }
  }
}

}  // namespace
}  // namespace rondo::spline
