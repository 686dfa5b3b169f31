#pragma once

#include <cstdint>
#include <span>

namespace rondo::generate {

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): a good 64-bit mixture.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// splitmix64. Everything is done in integers: the standard's distributions, and floating point in general, may
/// differ between platforms, and a seed must mean the same collection everywhere.
class Random {
 public:
  /// Independent streams for each (seed, number, purpose).
  constexpr Random(std::uint64_t seed, std::uint64_t number, std::uint64_t purpose)
      : state_(mix(mix(seed + kGolden) + number * kGolden) ^ mix(purpose * kGolden + 1)) {}

  constexpr std::uint64_t next() { return mix(state_ += kGolden); }
  /// 0 .. count-1; the bias is below count / 2^32.
  constexpr int below(int count) {
    return static_cast<int>(((next() >> 32U) * static_cast<std::uint64_t>(count)) >> 32U);
  }
  /// low .. high, both included.
  constexpr int between(int low, int high) { return low + below(high - low + 1); }
  constexpr bool percent(int chance) { return below(100) < chance; }
  /// An index drawn by weight; the weights must not all be zero.
  template <typename Weight>
  constexpr int choose(std::span<const Weight> weights) {
    int total = 0;
    for (const Weight weight : weights) total += weight;
    int left = below(total);
    int index = 0;
    while (left >= weights[static_cast<std::size_t>(index)]) left -= weights[static_cast<std::size_t>(index++)];
    return index;
  }
  /// A row of a table whose rows carry a member `weight`; `total` is their sum.
  template <typename Row, std::size_t Size>
  constexpr const Row& row(const Row (&table)[Size]) {
    int total = 0;
    for (const Row& candidate : table) total += candidate.weight;
    int left = below(total);
    const Row* found = table;
    while (left >= found->weight) left -= (found++)->weight;
    return *found;
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
  std::uint64_t state_;
};

}  // namespace rondo::generate
