#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/melody/piece.h"

namespace rondo {

/// A note in the plane of time and pitch; also a segment, from onset to end.
struct Point {
  std::int64_t onset = 0;  ///< ticks
  std::int64_t end = 0;    ///< ticks, > onset
  std::int32_t pitch = 0;  ///< MIDI number
  friend auto operator<=>(const Point&, const Point&) = default;
};

/// Music as the geometric systems compare it: every note of every voice, sorted. Overlapping notes of one pitch are
/// merged, because otherwise the common time of two pieces could exceed their length.
struct Points {
  std::vector<Point> points;
  std::int64_t ticks_per_whole = 1;
  [[nodiscard]] std::int64_t length() const;    ///< from the first onset to the last end, in ticks
  [[nodiscard]] std::int64_t sounding() const;  ///< sum of all durations, in ticks
};

/// Whether a note is joined with those of its pitch before it, the last of which ends then. Adjacent notes stay
/// separate: they are two onsets.
[[nodiscard]] constexpr bool joins(std::int64_t onset, std::int64_t end_before) { return onset < end_before; }

/// All voices together; grace notes are left out.
[[nodiscard]] Points make_points(const Piece& piece);
[[nodiscard]] Points make_points(const Line& line);
[[nodiscard]] Points make_points(std::span<const Line> lines);
/// The same music on a grid that is a multiple of its own.
[[nodiscard]] Points on_grid(const Points& points, std::int64_t ticks_per_whole);
/// The coarsest grid that fits both; the limits of a melody keep it well within 64 bits.
[[nodiscard]] std::int64_t common_grid(const Points& a, const Points& b);

}  // namespace rondo
