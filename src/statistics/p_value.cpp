#include "statistics/p_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <string>

#include "whole_number.h"

namespace rondo::statistics {
namespace {

/// A number as `leading * 2^exponent`, with the 64 highest bits.
struct Floating {
  long double leading = 0;
  int exponent = 0;
};

Floating floating(const WholeNumber& number) {
  Floating out;
  const std::size_t from = number.size() > 3 ? number.size() - 3 : 0;
  for (std::size_t i = number.size(); i > from; --i) {
    out.leading = out.leading * 18446744073709551616.0L + static_cast<long double>(number[i - 1]);
  }
  out.exponent = static_cast<int>(from) * 64;
  return out;
}

/// A positive finite number as `digits * 10^exponent`, as it is written in the fewest digits.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal decimal(double value) {
  const std::string shortest = fmt::format("{}", value);  // 0.25, 1e-05
  Decimal out;
  int point = 0;
  bool after = false;
  std::size_t i = 0;
  for (; i < shortest.size() && shortest[i] != 'e'; ++i) {
    if (shortest[i] == '.') {
      after = true;
      continue;
    }
    out.digits = out.digits * 10 + static_cast<std::uint64_t>(shortest[i] - '0');
    if (after) --point;
  }
  out.exponent = point + (i < shortest.size() ? std::atoi(shortest.c_str() + i + 1) : 0);
  return out;
}

}  // namespace

double ExactP::value() const {
  const Floating a = floating(hits);
  const Floating b = floating(total);
  return static_cast<double>(std::ldexp(a.leading / b.leading, a.exponent - b.exponent));
}

PValue::PValue(ExactP exact) : value_(exact.value()), exact_(std::make_shared<const ExactP>(std::move(exact))) {}

bool PValue::below(double threshold) const {
  if (exact_ == nullptr) return value_ < threshold;
  if (!(threshold > 0)) return false;
  if (threshold > 1) return true;
  // hits / total < digits * 10^exponent
  const Decimal bound = decimal(threshold);
  WholeNumber left = exact_->hits;
  WholeNumber right = product(exact_->total, bound.digits);
  for (int i = 0; i < std::abs(bound.exponent); ++i) {
    WholeNumber& scaled = bound.exponent < 0 ? left : right;
    scaled = product(std::move(scaled), 10);
  }
  return std::is_lt(compare(left, right));
}

PValue PValue::times(std::uint64_t factor) const {
  if (exact_ == nullptr) return {std::min(1.0, value_ * static_cast<double>(factor))};
  ExactP larger{product(exact_->hits, factor), exact_->total};
  if (std::is_gt(compare(larger.hits, larger.total))) larger.hits = larger.total;
  return PValue(std::move(larger));
}

std::strong_ordering compare(const PValue& a, const PValue& b) {
  if (a.exact_ != nullptr && b.exact_ != nullptr) {
    return compare(product(a.exact_->hits, b.exact_->total), product(b.exact_->hits, a.exact_->total));
  }
  return a.value_ < b.value_   ? std::strong_ordering::less
         : b.value_ < a.value_ ? std::strong_ordering::greater
                               : std::strong_ordering::equal;
}

}  // namespace rondo::statistics
