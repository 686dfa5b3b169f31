#pragma once

#include <array>
#include <cstddef>

#include "statistics/p_value.h"

namespace rondo::statistics {

__extension__ using DoubleWord = unsigned __int128;

/// A whole number of at most 64 * Words bits; sums must not exceed that.
template <std::size_t Words>
struct FixedNumber {
  std::array<std::uint64_t, Words> words{};

  FixedNumber& operator+=(const FixedNumber& other) {
    DoubleWord carry = 0;
    for (std::size_t i = 0; i < Words; ++i) {
      carry += static_cast<DoubleWord>(words[i]) + other.words[i];
      words[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64U;
    }
    return *this;
  }
  [[nodiscard]] WholeNumber whole() const {
    WholeNumber out(words.begin(), words.end());
    while (!out.empty() && out.back() == 0) out.pop_back();
    return out;
  }
};

template <std::size_t Words>
FixedNumber<Words> add(FixedNumber<Words> a, const FixedNumber<Words>& b) {
  return a += b;
}

[[nodiscard]] WholeNumber whole_number(std::uint64_t value);
/// 2 to the power of `exponent`.
[[nodiscard]] WholeNumber power_of_two(std::size_t exponent);
[[nodiscard]] WholeNumber product(WholeNumber number, std::uint64_t factor);
[[nodiscard]] WholeNumber product(const WholeNumber& a, const WholeNumber& b);
[[nodiscard]] std::strong_ordering compare(const WholeNumber& a, const WholeNumber& b);

}  // namespace rondo::statistics
