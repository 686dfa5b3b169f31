#include "rondo/melody/fraction.h"

#include <gtest/gtest.h>

#include <random>

#include "support/rounds.h"

namespace rondo {
namespace {

TEST(Fraction, IsKeptInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(Fraction(6, 8), Fraction(3, 4));
  EXPECT_EQ(Fraction(3, -6).num(), -1);
  EXPECT_EQ(Fraction(3, -6).den(), 2);
  EXPECT_EQ(Fraction(0, 5).den(), 1);
}

TEST(Fraction, TakesTermsThatAreKnownToBeLowestAsTheyAre) {
  EXPECT_EQ(Fraction::in_lowest_terms(3, 4), Fraction(3, 4));
  EXPECT_EQ(Fraction::in_lowest_terms(0, 1), Fraction());
}

TEST(Fraction, AddsAQuarterAndATripletExactly) {
  EXPECT_EQ(Fraction(1, 4) + Fraction(1, 12) + Fraction(1, 12) + Fraction(1, 12), Fraction(1, 2));
}

TEST(Fraction, OverflowIsInvalidAndStaysSo) {
  const Fraction big(INT64_MAX);
  Fraction f = big + 1;
  EXPECT_FALSE(f.valid());
  EXPECT_FALSE((f - f).valid());
  EXPECT_FALSE((f * 0).valid());
  EXPECT_FALSE((Fraction(1) / 0).valid());
  EXPECT_FALSE((Fraction(1) / f).valid());
  EXPECT_LT(f, Fraction(-5));
}

TEST(Fraction, AgreesWithPlainArithmeticOnRandomSmallValues) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> num(-50, 50);
  std::uniform_int_distribution<int> den(1, 60);
  for (int i = 0; i < test::rounds(20000); ++i) {
    const int a = num(random), b = den(random), c = num(random), d = den(random);
    const Fraction x(a, b), y(c, d);
    const Fraction sum = x + y, product = x * y;
    EXPECT_EQ(sum.num() * b * d, (a * d + c * b) * sum.den());
    EXPECT_EQ(product.num() * b * d, a * c * product.den());
    EXPECT_EQ(x < y, a * d < c * b);
    EXPECT_EQ(x == y, a * d == c * b);
    if (c != 0) {
      EXPECT_EQ(x / y * y, x);
    }
  }
}

TEST(Fraction, ReadsFractionsWholesAndDecimals) {
  EXPECT_EQ(Fraction::parse("3/8"), Fraction(3, 8));
  EXPECT_EQ(Fraction::parse("-2"), Fraction(-2));
  EXPECT_EQ(Fraction::parse("0.375"), Fraction(3, 8));
  EXPECT_EQ(Fraction::parse("-1.5"), Fraction(-3, 2));
  EXPECT_EQ(Fraction::parse(".5"), Fraction(1, 2));
  for (const char* bad : {"", "/", "1/", "/2", "1/0", "1/-2", "x", "1.", "1.2.3", "1e3", "99999999999999999999"}) {
    EXPECT_EQ(Fraction::parse(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(Fraction(3, 8).to_string(), "3/8");
  EXPECT_EQ(Fraction(7).to_string(), "7");
}

}  // namespace
}  // namespace rondo
