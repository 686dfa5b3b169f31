#include "whole_number.h"

#include <algorithm>

namespace rondo::statistics {

WholeNumber whole_number(std::uint64_t value) {
  if (value == 0) return {};
  return {value};
}

WholeNumber power_of_two(std::size_t exponent) {
  WholeNumber out(exponent / 64 + 1, 0);
  out.back() = std::uint64_t{1} << (exponent % 64);
  return out;
}

WholeNumber product(WholeNumber number, std::uint64_t factor) {
  if (factor == 0) return {};
  DoubleWord carry = 0;
  for (std::uint64_t& word : number) {
    carry += static_cast<DoubleWord>(word) * factor;
    word = static_cast<std::uint64_t>(carry);
    carry >>= 64U;
  }
  if (carry != 0) number.push_back(static_cast<std::uint64_t>(carry));
  return number;
}

WholeNumber product(const WholeNumber& a, const WholeNumber& b) {
  WholeNumber out(a.size() + b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    DoubleWord carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      carry += static_cast<DoubleWord>(a[i]) * b[j] + out[i + j];
      out[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64U;
    }
    out[i + b.size()] = static_cast<std::uint64_t>(carry);
  }
  while (!out.empty() && out.back() == 0) out.pop_back();
  return out;
}

std::strong_ordering compare(const WholeNumber& a, const WholeNumber& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

}  // namespace rondo::statistics
