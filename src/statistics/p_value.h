#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rondo::statistics {

/// A whole number from 0 up, of any size: 64 bits an element, the lowest first, without zeros at the end.
using WholeNumber = std::vector<std::uint64_t>;

/// p as the fraction it is: so many of all arrangements that are equally likely.
struct ExactP {
  WholeNumber hits;
  WholeNumber total;

  /// The nearest double, to within one unit in the last place.
  [[nodiscard]] double value() const;
};

/// A p-value that can be compared with a threshold exactly, where the test counted; copies are cheap.
///
/// A threshold is the decimal number that it is written as: 0.1 means 1/10, although no double does. So a p of exactly
/// 1/10 is not below 0.1.
class PValue {
 public:
  PValue(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): a p-value is a number
  explicit PValue(ExactP exact);

  [[nodiscard]] double value() const { return value_; }
  /// Nothing where p was approximated or is a sum of doubles.
  [[nodiscard]] const ExactP* exact() const { return exact_.get(); }

  [[nodiscard]] bool below(double threshold) const;
  /// As many times as large, 1 at most: for corrections of several tests.
  [[nodiscard]] PValue times(std::uint64_t factor) const;

  /// Exact where both are.
  friend std::strong_ordering compare(const PValue& a, const PValue& b);

 private:
  double value_ = 1;
  std::shared_ptr<const ExactP> exact_;
};

}  // namespace rondo::statistics
