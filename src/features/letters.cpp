#include "features/letters.h"

namespace rondo {
namespace {

/// `up`, `down` or `same` for each value against the one before it.
template <typename Value>
std::string changes(std::span<const Value> values, char up, char down, char same) {
  std::string out;
  if (values.empty()) return out;
  out.reserve(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i) {
    out += values[i] > values[i - 1] ? up : values[i] < values[i - 1] ? down : same;
  }
  return out;
}

}  // namespace

std::string contour_string(std::span<const std::int16_t> pitches) {
  return changes(pitches, 'U', 'D', kContourNeutral);
}

std::string contour_string(const Line& line) { return contour_string(std::span(line.pitch)); }

std::string rhythm_string(std::span<const Fraction> durations) { return changes(durations, 'L', 'S', kRhythmNeutral); }

std::string rhythm_string(const Line& line) {
  return changes(std::span<const std::int64_t>(line.duration), 'L', 'S', kRhythmNeutral);
}

}  // namespace rondo
