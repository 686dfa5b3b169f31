#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

/// Keys of windows of notes in the posting lists of the index.
namespace rondo::index {

/// Intervals folded into the octave (similarity.md, section 2) have 25 symbols; three of them are a folded window of
/// four notes.
inline constexpr std::uint32_t kFolded = 25 * 25 * 25;

/// What follows, for the intervals between any two MIDI pitches, from -127 on.
inline constexpr std::array<std::uint8_t, 255> kFoldedIntervals = [] {
  std::array<std::uint8_t, 255> out{};
  for (int interval = 1; interval <= 127; ++interval) {
    const int folded = 1 + (interval - 1) % 12;
    out[static_cast<std::size_t>(127 + interval)] = static_cast<std::uint8_t>(12 + folded);
    out[static_cast<std::size_t>(127 - interval)] = static_cast<std::uint8_t>(12 - folded);
  }
  out[127] = 12;
  return out;
}();

/// A directed interval folded into the octave, as number 0..24: 12 is the unison.
[[nodiscard]] inline std::uint32_t folded_interval(int interval) {
  if (interval >= -127 && interval <= 127) return kFoldedIntervals[static_cast<std::size_t>(127 + interval)];
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

/// The rhythm of four notes, the first at `at`: their durations as ratios to the first, in thousandths, mixed into one
/// number. Two rhythms that differ may share a number, which only loosens a bound.
template <typename Durations>
[[nodiscard]] std::uint64_t rhythm_window(const Durations& ticks, std::size_t at) {
  std::uint64_t key = 0;
  for (std::size_t k = 1; k < 4; ++k) {
    const double ratio = static_cast<double>(ticks[at + k]) / static_cast<double>(ticks[at]);
    key = (key ^ static_cast<std::uint64_t>(std::llround(ratio * 1000))) * 0x9E3779B97F4A7C15;
    key ^= key >> 29U;
  }
  return key >> 2U;  // room for how often it occurs
}

}  // namespace rondo::index
