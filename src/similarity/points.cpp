#include "similarity/points.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rondo {
namespace {

/// Sorts, and merges overlapping notes of one pitch.
void tidy(std::vector<Point>& points) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return std::tie(a.pitch, a.onset, a.end) < std::tie(b.pitch, b.onset, b.end);
  });
  std::vector<Point> joined;
  joined.reserve(points.size());
  for (const Point& point : points) {
    if (!joined.empty() && joined.back().pitch == point.pitch && joins(point.onset, joined.back().end)) {
      joined.back().end = std::max(joined.back().end, point.end);
    } else {
      joined.push_back(point);
    }
  }
  std::sort(joined.begin(), joined.end(), [](const Point& a, const Point& b) {
    return std::tie(a.onset, a.pitch, a.end) < std::tie(b.onset, b.pitch, b.end);
  });
  points = std::move(joined);
}

}  // namespace

std::int64_t Points::length() const {
  if (points.empty()) return 0;
  std::int64_t last = 0;
  for (const Point& point : points) last = std::max(last, point.end);
  return last - points.front().onset;
}

std::int64_t Points::sounding() const {
  std::int64_t sum = 0;
  for (const Point& point : points) sum += point.end - point.onset;
  return sum;
}

Points make_points(const Line& line) { return make_points(std::span(&line, 1)); }

Points make_points(std::span<const Line> lines) {
  Points out;
  // Grids of lines are at most 10^6 and usually have most factors in common.
  for (const Line& line : lines) {
    const std::int64_t step = line.ticks_per_whole / std::gcd(out.ticks_per_whole, line.ticks_per_whole);
    out.ticks_per_whole = step > kFinestGrid / out.ticks_per_whole ? kFinestGrid : out.ticks_per_whole * step;
  }
  for (const Line& line : lines) {
    const auto on_common_grid = [&](std::int64_t ticks) {
      return line.ticks_per_whole == out.ticks_per_whole
                 ? ticks
                 : to_ticks(Fraction(ticks, line.ticks_per_whole), out.ticks_per_whole);
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::int64_t onset = on_common_grid(line.onset[i]);
      const std::int64_t end = on_common_grid(line.onset[i] + line.duration[i]);
      out.points.push_back({onset, std::max(onset + 1, end), line.pitch[i]});
    }
  }
  tidy(out.points);
  return out;
}

Points make_points(const Piece& piece) {
  // All notes of chords are kept here; only the grid is computed as for a line.
  Voice all;
  for (const Voice& voice : piece.voices) {
    for (const Note& note : voice.notes) {
      if (!note.grace && !note.duration.is_zero()) all.notes.push_back(note);
    }
  }
  Points out;
  out.ticks_per_whole = time_grid(all.notes);
  out.points.reserve(all.notes.size());
  for (const Note& note : all.notes) {
    const std::int64_t onset = to_ticks(note.onset, out.ticks_per_whole);
    const std::int64_t end = std::max(onset + 1, to_ticks(note.end(), out.ticks_per_whole));
    out.points.push_back({onset, end, note.pitch.midi()});
  }
  tidy(out.points);
  return out;
}

Points on_grid(const Points& points, std::int64_t ticks_per_whole) {
  Points out = points;
  const std::int64_t factor = ticks_per_whole / points.ticks_per_whole;
  for (Point& point : out.points) {
    point.onset *= factor;
    point.end *= factor;
  }
  out.ticks_per_whole = ticks_per_whole;
  return out;
}

std::int64_t common_grid(const Points& a, const Points& b) { return std::lcm(a.ticks_per_whole, b.ticks_per_whole); }

}  // namespace rondo
