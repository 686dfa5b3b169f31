#pragma once

#include <cstdint>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/points.h"

/// Shared by P1, P2 and P3: one translation in time and pitch moves the query onto the document. Source: E. Ukkonen, K.
/// Lemstrom, V. Makinen: Geometric algorithms for transposition invariant content-based music retrieval, 2003
/// (similarity.md, section 3).
namespace rondo::geometric {

/// A translation and what it achieves.
struct Shift {
  std::int64_t time = 0;
  std::int32_t pitch = 0;
  std::int64_t gain = 0;  ///< notes that coincide (P1, P2), or ticks in common (P3)
};

/// The translation under which most notes of the query begin with a note of the document: the most frequent
/// difference vector; of several, the first in (pitch, time). Both on one grid, neither empty.
[[nodiscard]] Shift most_coinciding(const Points& query, const Points& document);
/// The translation with the longest common time at equal pitch. Both on one grid, neither empty.
[[nodiscard]] Shift longest_common_time(const Points& query, const Points& document);

/// Two implementations of both. The first sorts all pairs of notes and needs memory for them; it is the reference. The
/// second merges one sorted list for each note of the query, in memory linear in the two melodies, and can be
/// interrupted.
[[nodiscard]] Shift most_coinciding_sorted(const Points& query, const Points& document);
[[nodiscard]] Shift most_coinciding_merged(const Points& query, const Points& document);
[[nodiscard]] Shift longest_common_time_sorted(const Points& query, const Points& document);
[[nodiscard]] Shift longest_common_time_merged(const Points& query, const Points& document);

using Problem = GeometricPlan::Problem;

class GeometricSystem final : public System {
 public:
  explicit GeometricSystem(Problem problem) : problem_(problem) {}
  [[nodiscard]] SearchPlan plan() const override { return GeometricPlan{problem_}; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override;

 private:
  Problem problem_;
};

}  // namespace rondo::geometric
