#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "rondo/similarity/plan.h"

/// Windows of n consecutive notes, n = 3 or 4.
namespace rondo::spline {

using GramCounts = WindowCounts;

/// Key of a window's pitches relative to its first note. Never 0.
using GramKey = std::uint64_t;

/// Pitches after the first, relative to it: (7,-2,2) for 74 81 72 76.
template <std::size_t N>
using Relative = std::array<std::int16_t, N - 1>;

template <std::size_t N>
[[nodiscard]] Relative<N> relative_pitches(const Line& line, std::size_t at) {
  Relative<N> out{};
  for (std::size_t k = 1; k < N; ++k) out[k - 1] = static_cast<std::int16_t>(line.pitch[at + k] - line.pitch[at]);
  return out;
}

/// As ==, which g++ turns into a call of memcmp; this is used for every cell of every alignment.
template <std::size_t Size>
[[nodiscard]] bool same_pitches(const std::array<std::int16_t, Size>& a, const std::array<std::int16_t, Size>& b) {
  bool same = true;
  for (std::size_t k = 0; k < Size; ++k) same &= a[k] == b[k];
  return same;
}

template <std::size_t N>
[[nodiscard]] GramKey key_of(const Relative<N>& relative) {
  GramKey key = 1;
  for (const std::int16_t value : relative) key = (key << 16U) | static_cast<std::uint16_t>(value);
  return key;
}

[[nodiscard]] inline std::size_t gram_count(std::size_t notes, std::size_t n) { return notes < n ? 0 : notes - n + 1; }

}  // namespace rondo::spline
