#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rondo::statistics {

/// A small random number generator (xoshiro256**, Blackman and Vigna 2018) that gives the same numbers for the same
/// seed with every compiler and library, which the distributions of the standard library do not guarantee.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  [[nodiscard]] std::uint64_t next();
  /// A number from 0 to bound - 1, each equally likely; bound must not be 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace rondo::statistics
