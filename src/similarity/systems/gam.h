#pragma once

#include <cmath>
#include <cstdint>

#include "rondo/similarity/plan.h"

/// The cost of substituting implication-realisation structures, for the system itself and for the bounds of a search.
/// In millionths, so that distances are integers and ties are exact (similarity.md, section 6).
namespace rondo::gam {

inline constexpr std::int64_t kUnit = 1'000'000;
inline constexpr std::int64_t kLabel = 587'000;
inline constexpr std::int64_t kRetrospective = 470'187;  ///< 0.587 x 0.801: one is the retrospective form of the other
inline constexpr std::int64_t kSize = 95'000;            ///< for each note
inline constexpr std::int64_t kDirection = 343'000;
inline constexpr std::int64_t kOverlap = 112'000;  ///< for each note shared with the next structure

/// The cost of an unmatched structure for each of its notes.
[[nodiscard]] inline std::int64_t gap_of(const GamPlan& plan) {
  return std::llround(plan.gap * static_cast<double>(kUnit));
}

}  // namespace rondo::gam
