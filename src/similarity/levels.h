#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rondo/melody/line.h"

/// Melodies as strings of symbols, by several features and at several levels of detail (similarity.md, section 7).
namespace rondo {

enum class Feature : std::uint8_t {
  intervals,
  times,  ///< ratios of times between onsets; the last note's time is its duration
  both
};
enum class Level : std::uint8_t {
  fine,    ///< semitones; log2 of the ratio to a half, up to eleven times as long or short
  medium,  ///< unison, second, third, fourth to fifth, more, with direction; half or less, between, double or more
  coarse   ///< up, same, down; longer, same, shorter
};
inline constexpr std::array kFeatures = {Feature::intervals, Feature::times, Feature::both};
inline constexpr std::array kLevels = {Level::fine, Level::medium, Level::coarse};

/// Bits a symbol needs, whatever its feature and level.
inline constexpr unsigned kSymbolBits = 12;

/// One symbol for each note but the first: the step to it from the note before, 0 for features that are not included.
/// `out` is cleared first.
void level_symbols(const Line& line, Feature feature, Level level, std::vector<std::uint16_t>& out);

/// An interval in semitones at a level, with its sign.
[[nodiscard]] int interval_symbol(int semitones, Level level);
/// The ratio of the second of two positive times to the first, at a level: above 0 longer, below 0 shorter.
[[nodiscard]] int ratio_symbol(std::int64_t before, std::int64_t now, Level level);

}  // namespace rondo
