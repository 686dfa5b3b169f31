#pragma once

#include <compare>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

namespace rondo {

/// An exact rational in lowest terms with a positive denominator. Musical time is counted in whole notes, so a
/// quarter is 1/4 and nothing is ever rounded.
///
/// A result that does not fit 64 bits is `invalid` and stays invalid through every further operation, as NaN does:
/// readers compute freely and check once, at the end. Invalid compares equal to itself and less than all others.
class Fraction {
 public:
  constexpr Fraction() = default;
  constexpr Fraction(std::int64_t whole) : num_(whole) {}  // NOLINT(google-explicit-constructor): 1 is a fraction
  constexpr Fraction(std::int64_t num, std::int64_t den) { *this = reduced(num, den); }

  [[nodiscard]] static constexpr Fraction invalid() {
    Fraction f;
    f.den_ = 0;
    return f;
  }

  /// Precondition, not checked: num/den is in lowest terms with den > 0. Saves the reduction.
  [[nodiscard]] static constexpr Fraction in_lowest_terms(std::int64_t num, std::int64_t den) {
    Fraction f;
    f.num_ = num;
    f.den_ = den;
    return f;
  }

  [[nodiscard]] constexpr std::int64_t num() const { return num_; }
  [[nodiscard]] constexpr std::int64_t den() const { return den_; }
  [[nodiscard]] constexpr bool valid() const { return den_ != 0; }
  [[nodiscard]] constexpr bool is_zero() const { return num_ == 0 && den_ != 0; }
  [[nodiscard]] constexpr double to_double() const { return static_cast<double>(num_) / static_cast<double>(den_); }

  /// "3/8", "2", "-1/4"; "invalid".
  [[nodiscard]] std::string to_string() const;
  /// Reads what to_string writes, and decimals ("0.25", "-1.5"); nothing else.
  [[nodiscard]] static std::optional<Fraction> parse(std::string_view text);

  friend constexpr Fraction operator+(Fraction a, Fraction b) {
    if (a.den_ == b.den_) return reduced(Wide{a.num_} + b.num_, a.den_);
    return reduced(Wide{a.num_} * b.den_ + Wide{b.num_} * a.den_, Wide{a.den_} * b.den_);
  }
  friend constexpr Fraction operator-(Fraction a, Fraction b) { return a + (-b); }
  friend constexpr Fraction operator-(Fraction a) {
    if (a.num_ == INT64_MIN) return invalid();
    a.num_ = -a.num_;
    return a;
  }
  friend constexpr Fraction operator*(Fraction a, Fraction b) {
    return reduced(Wide{a.num_} * b.num_, Wide{a.den_} * b.den_);
  }
  /// Division by zero is invalid.
  friend constexpr Fraction operator/(Fraction a, Fraction b) {
    if (!a.valid() || !b.valid()) return invalid();
    return reduced(Wide{a.num_} * b.den_, Wide{a.den_} * b.num_);
  }
  constexpr Fraction& operator+=(Fraction b) { return *this = *this + b; }
  constexpr Fraction& operator-=(Fraction b) { return *this = *this - b; }
  constexpr Fraction& operator*=(Fraction b) { return *this = *this * b; }
  constexpr Fraction& operator/=(Fraction b) { return *this = *this / b; }

  friend constexpr bool operator==(Fraction a, Fraction b) = default;
  friend constexpr std::strong_ordering operator<=>(Fraction a, Fraction b) {
    if (!a.valid() || !b.valid()) return a.den_ <=> b.den_;
    if (a.den_ == b.den_) return a.num_ <=> b.num_;
    return Wide{a.num_} * b.den_ <=> Wide{b.num_} * a.den_;
  }

 private:
  __extension__ using Wide = __int128;

  static constexpr Fraction reduced(Wide num, Wide den) {
    if (den == 0) return invalid();
    if (den < 0) {
      num = -num;
      den = -den;
    }
    Fraction f;
    if (num == 0) return f;
    if (den <= INT64_MAX && num <= INT64_MAX && num >= -INT64_MAX) {
      const auto small_num = static_cast<std::int64_t>(num);
      const auto small_den = static_cast<std::int64_t>(den);
      const std::int64_t common = small_den == 1 ? 1 : std::gcd(small_num, small_den);
      f.num_ = small_num / common;
      f.den_ = small_den / common;
      return f;
    }
    const Wide common = wide_gcd(num < 0 ? -num : num, den);
    num /= common;
    den /= common;
    if (den > INT64_MAX || num > INT64_MAX || num < -INT64_MAX) return invalid();
    f.num_ = static_cast<std::int64_t>(num);
    f.den_ = static_cast<std::int64_t>(den);
    return f;
  }

  static constexpr Wide wide_gcd(Wide a, Wide b) {
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

}  // namespace rondo
