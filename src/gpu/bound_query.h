#pragma once

#include <span>
#include <variant>
#include <vector>

#include "gpu/coinciding_bound.h"
#include "gpu/shared_intervals_bound.h"
#include "gpu/window_bound.h"

namespace rondo::gpu {

/// Every query that documents can be bounded by; see bound_line.h.
using BoundQuery = std::variant<SharedIntervalsBound, CoincidingBound, WindowBound>;

/// Which documents are wanted: those with the greatest bounds, at least so many, or all from a bound on.
struct BoundRequest {
  const BoundQuery* query = nullptr;
  std::uint32_t wanted = 1;
  std::int32_t least = kNoBound;             ///< kNoBound: `wanted` decides
  std::span<const std::uint64_t> allowed{};  ///< a bit for each document; empty: all
};

struct BoundedDocument {
  std::uint32_t document = 0;
  std::int32_t bound = 0;
};

/// More are not given: to score them takes longer than to search without a card.
inline constexpr std::uint32_t kMostBounded = 16'384;

struct BoundAnswer {
  std::vector<BoundedDocument> documents;  ///< in any order
  /// Every allowed document with at least this bound is among them; kNoBound: every one that has a bound.
  std::int32_t least = kNoBound;
  bool too_many = false;  ///< more than kMostBounded; none are given
};

/// Bounds are counted in so many steps, to find out how low one must go for as many as are wanted.
inline constexpr std::uint32_t kBoundSteps = 1024;

/// By how many bits a bound is shifted to be the number of its step.
RONDO_CARD std::uint32_t step_shift(std::int32_t most) {
  std::uint32_t shift = 0;
  while (most >> shift >= static_cast<std::int32_t>(kBoundSteps)) ++shift;
  return shift;
}
RONDO_CARD std::uint32_t step_of(std::int32_t bound, std::uint32_t shift) {
  if (bound <= 0) return 0;
  const std::uint32_t step = static_cast<std::uint32_t>(bound) >> shift;
  return step < kBoundSteps ? step : kBoundSteps - 1;
}
/// The least bound of the lowest step that one must go down to; kNoBound where that is all.
[[nodiscard]] inline std::int32_t least_for(std::span<const std::uint32_t> counts, std::uint32_t wanted,
                                            std::uint32_t shift) {
  std::uint64_t sum = 0;
  for (std::uint32_t step = kBoundSteps; step-- > 1;) {
    sum += counts[step];
    if (sum >= wanted) return static_cast<std::int32_t>(step << shift);
  }
  return kNoBound;
}

}  // namespace rondo::gpu
