#pragma once

#include <cstdlib>
#include <optional>
#include <vector>

#include "search/fast/pitch_overlap.h"
#include "search/index/segment.h"
#include "similarity/points.h"

namespace rondo::fast {

using index::Segment;

/// Where notes lie in time and pitch, on the grid of Segment::ticks.
struct Plane {
  std::vector<std::uint8_t> pitch;
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    return read_pitches(segment, notes, pitch) && read_times(segment, notes);
  }
  [[nodiscard]] bool read_times(const Segment& segment, const Segment::Notes& notes) {
    onset.resize(notes.count);
    duration.resize(notes.count);
    return segment.ticks(notes, onset.data(), duration.data());
  }
  /// No note begins before the one before it has ended. Otherwise some might have to be joined before they are scored.
  [[nodiscard]] bool is_line() const {
    for (std::size_t j = 1; j < onset.size(); ++j) {
      if (onset[j] < onset[j - 1] + duration[j - 1]) return false;
    }
    return true;
  }
};

/// The query's points: its notes, those of one pitch that overlap joined, as the scores see them. Nothing where they do
/// not fit the grid or the keyboard.
[[nodiscard]] inline std::optional<Plane> plane_of(const Points& points) {
  Plane out;
  if (points.points.empty() || Segment::kTicks % points.ticks_per_whole != 0) return std::nullopt;
  const std::int64_t factor = Segment::kTicks / points.ticks_per_whole;
  for (const Point& point : points.points) {
    const bool far = std::abs(point.onset) > Segment::kMostTicks / factor || point.end > Segment::kMostTicks / factor;
    if (far || point.pitch < 0 || point.pitch >= kMidiPitches) return std::nullopt;
    out.pitch.push_back(static_cast<std::uint8_t>(point.pitch));
    out.onset.push_back(static_cast<std::int32_t>(point.onset * factor));
    out.duration.push_back(static_cast<std::int32_t>((point.end - point.onset) * factor));
  }
  return out;
}

}  // namespace rondo::fast
