#pragma once

#include <cstdint>

namespace rondo::concordances {

/// How many pairs of distinct melodies reached each stage.
struct Counts {
  std::uint64_t pairs = 0;   ///< to be decided
  std::uint64_t shared = 0;  ///< share enough pitches in some transposition
  std::uint64_t common = 0;  ///< have enough of them in the same order
  std::uint64_t scored = 0;  ///< reach the threshold in a local alignment, and were scored exactly
  std::uint64_t found = 0;

  Counts& operator+=(const Counts& other) {
    pairs += other.pairs;
    shared += other.shared;
    common += other.common;
    scored += other.scored;
    found += other.found;
    return *this;
  }
};

}  // namespace rondo::concordances
