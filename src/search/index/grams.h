#pragma once

#include <cstdint>
#include <cstdlib>

/// Identities of windows of notes, as the index lists them.
namespace rondo::index {

/// A directed interval folded into the octave, as number 0..24: 12 is the unison.
[[nodiscard]] inline std::uint32_t folded_interval(int interval) {
  if (interval == 0) return 12;
  const int folded = 1 + (std::abs(interval) - 1) % 12;
  return static_cast<std::uint32_t>(interval > 0 ? 12 + folded : 12 - folded);
}

/// Four pitches, the first at `at`; any type with [].
template <typename Pitches>
[[nodiscard]] std::uint32_t folded_window(const Pitches& pitch, std::size_t at) {
  std::uint32_t key = 0;
  for (std::size_t k = 0; k < 3; ++k) key = key * 25 + folded_interval(pitch[at + k + 1] - pitch[at + k]);
  return key;
}

}  // namespace rondo::index
