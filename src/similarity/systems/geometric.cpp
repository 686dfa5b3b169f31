#include "similarity/systems/geometric.h"

#include <algorithm>
#include <cstdlib>

#include "similarity/points.h"

namespace rondo::geometric {
namespace {

/// A difference between a note of the document and one of the query; sorts by pitch first.
struct Vector {
  std::int32_t pitch;
  std::int64_t time;
  friend auto operator<=>(const Vector&, const Vector&) = default;
};

/// A point where the common time of a query segment and a document segment changes its slope, as the query is shifted.
struct Turn {
  std::int32_t pitch;
  std::int32_t slope;
  std::int64_t time;
};

/// Up to this number, all pairs of two melodies are sorted in memory; for long melodies they would take gigabytes.
constexpr std::size_t kMaxSortedPairs = 1'000'000;

class GeometricQuery final : public PreparedQuery {
 public:
  GeometricQuery(Problem problem, const Line& line)
      : problem_(problem), points_(make_points(line)), sounding_(points_.sounding()), length_(points_.length()) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override { return score(make_points(document)); }

  [[nodiscard]] Score score(const Points& document) const override {
    if (points_.points.empty() || document.points.empty()) return {0, false};
    const std::int64_t grid = common_grid(points_, document);
    return {value_of(best_shift(document, grid), grid), true};
  }

  [[nodiscard]] double tie_break(const Line& document) const override { return tie_break(make_points(document)); }

  /// Scores of these systems are coarse; among equals the document whose length is nearer to the query's comes first.
  [[nodiscard]] double tie_break(const Points& document) const override {
    const double other = static_cast<double>(document.length()) / static_cast<double>(document.ticks_per_whole);
    const double own = static_cast<double>(length_) / static_cast<double>(points_.ticks_per_whole);
    return -std::abs(other - own);
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    const Points other = make_points(document);
    if (points_.points.empty() || other.points.empty()) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    const std::int64_t grid = common_grid(points_, other);
    const Shift shift = best_shift(other, grid);
    const Points query = on_grid(points_, grid);
    const Points target = on_grid(other, grid);
    out.score = {value_of(shift, grid), true};
    out.total = static_cast<double>(shift.gain) / (problem_ == Problem::p3 ? static_cast<double>(grid) : 1.0);
    for (std::uint32_t i = 0; i < query.points.size(); ++i) {
      for (std::uint32_t j = 0; j < target.points.size(); ++j) {
        const double gain = common(query.points[i], target.points[j], shift, grid);
        if (gain > 0) out.steps.push_back({Step::Kind::match, {i, i + 1}, {j, j + 1}, gain});
      }
    }
    out.summary = std::to_string(out.steps.size()) + " notes meet after a transposition by " +
                  std::to_string(shift.pitch) + " semitones and a shift by " + Fraction(shift.time, grid).to_string() +
                  " whole notes";
    return out;
  }

 private:
  [[nodiscard]] Shift best_shift(const Points& document, std::int64_t grid) const {
    const auto search = problem_ == Problem::p3 ? longest_common_time : most_coinciding;
    if (grid == points_.ticks_per_whole && grid == document.ticks_per_whole) return search(points_, document);
    return search(on_grid(points_, grid), on_grid(document, grid));
  }

  /// As a share of the query: of its notes, or of its time.
  [[nodiscard]] double value_of(const Shift& shift, std::int64_t grid) const {
    const auto gain = static_cast<double>(shift.gain);
    const auto notes = static_cast<double>(points_.points.size());
    switch (problem_) {
      case Problem::p1: return gain == notes ? 1 : 0;
      case Problem::p2: return gain / notes;
      case Problem::p3: {
        const std::int64_t factor = grid / points_.ticks_per_whole;  // whole: the grid is a multiple of its own
        return gain / static_cast<double>(sounding_ * factor);
      }
    }
    return 0;
  }

  [[nodiscard]] double common(const Point& a, const Point& b, const Shift& shift, std::int64_t grid) const {
    if (a.pitch + shift.pitch != b.pitch) return 0;
    if (problem_ != Problem::p3) return a.onset + shift.time == b.onset ? 1 : 0;
    const std::int64_t overlap = std::min(a.end + shift.time, b.end) - std::max(a.onset + shift.time, b.onset);
    return overlap > 0 ? static_cast<double>(overlap) / static_cast<double>(grid) : 0;
  }

  Problem problem_;
  Points points_;
  std::int64_t sounding_;
  std::int64_t length_;
};

}  // namespace

Shift most_coinciding_sorted(const Points& query, const Points& document) {
  thread_local std::vector<Vector> vectors;
  vectors.clear();
  for (const Point& q : query.points) {
    for (const Point& d : document.points) vectors.push_back({d.pitch - q.pitch, d.onset - q.onset});
  }
  std::sort(vectors.begin(), vectors.end());
  Shift best;
  for (std::size_t begin = 0; begin < vectors.size();) {
    std::size_t end = begin + 1;
    while (end < vectors.size() && vectors[end] == vectors[begin]) ++end;
    const auto count = static_cast<std::int64_t>(end - begin);
    if (count > best.gain) best = {vectors[begin].time, vectors[begin].pitch, count};
    begin = end;
  }
  return best;
}

Shift longest_common_time_sorted(const Points& query, const Points& document) {
  thread_local std::vector<Turn> turns;
  turns.clear();
  for (const Point& q : query.points) {
    for (const Point& d : document.points) {
      const std::int32_t pitch = d.pitch - q.pitch;
      // From d.onset - q.end on the two overlap, increasingly until one lies within the other.
      turns.push_back({pitch, +1, d.onset - q.end});
      turns.push_back({pitch, -1, d.onset - q.onset});
      turns.push_back({pitch, -1, d.end - q.end});
      turns.push_back({pitch, +1, d.end - q.onset});
    }
  }
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.pitch != b.pitch ? a.pitch < b.pitch : a.time < b.time; });
  Shift best;
  std::int64_t common = 0;
  std::int64_t slope = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i == 0 || turns[i].pitch != turns[i - 1].pitch) {
      common = 0;
      slope = 0;
    } else {
      common += slope * (turns[i].time - turns[i - 1].time);
    }
    if (common > best.gain) best = {turns[i].time, turns[i].pitch, common};
    slope += turns[i].slope;
  }
  return best;
}

Shift most_coinciding(const Points& query, const Points& document) {
  const bool is_small = query.points.size() * document.points.size() <= kMaxSortedPairs;
  return is_small ? most_coinciding_sorted(query, document) : most_coinciding_merged(query, document);
}

Shift longest_common_time(const Points& query, const Points& document) {
  const bool is_small = query.points.size() * document.points.size() <= kMaxSortedPairs;
  return is_small ? longest_common_time_sorted(query, document) : longest_common_time_merged(query, document);
}

std::unique_ptr<PreparedQuery> GeometricSystem::prepare(const Line& query) const {
  return std::make_unique<GeometricQuery>(problem_, query);
}

}  // namespace rondo::geometric
