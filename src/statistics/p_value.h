#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rondo::statistics {

/// An arbitrary-precision natural number: 64 bits per element, the lowest first, without trailing zeros.
using WholeNumber = std::vector<std::uint64_t>;

/// p as a rational number: the share of equally likely arrangements.
struct ExactP {
  WholeNumber hits;
  WholeNumber total;

  /// The nearest double, to within one unit in the last place.
  [[nodiscard]] double value() const;
};

/// A p-value that can be compared with a threshold exactly, if the test is exact; copies are cheap.
///
/// A threshold is interpreted as its shortest decimal: 0.1 means 1/10, although no double has that value. So a p of
/// exactly 1/10 is not below 0.1.
class PValue {
 public:
  PValue(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): a p-value is a number
  explicit PValue(ExactP exact);

  [[nodiscard]] double value() const { return value_; }
  /// Null if p was approximated or is a sum of doubles.
  [[nodiscard]] const ExactP* exact() const { return exact_.get(); }

  [[nodiscard]] bool below(double threshold) const;
  /// min(1, factor * p): for corrections for multiple tests.
  [[nodiscard]] PValue times(std::uint64_t factor) const;

  /// Exact if both are.
  friend std::strong_ordering compare(const PValue& a, const PValue& b);

 private:
  double value_ = 1;
  std::shared_ptr<const ExactP> exact_;
};

}  // namespace rondo::statistics
