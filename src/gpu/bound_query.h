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

/// Bounds are counted in so many steps, to find out how low one must go for as many as are wanted: even ones from
/// below `most` to its opposite, and all that is less in the first.
inline constexpr std::uint32_t kBoundSteps = 1024;

class BoundSteps {
 public:
  /// `most` is below 2^30.
  RONDO_CARD explicit BoundSteps(std::int32_t most) : most_(most) {
    while ((2 * most) >> shift_ >= static_cast<std::int32_t>(kBoundSteps)) ++shift_;
  }
  [[nodiscard]] RONDO_CARD std::uint32_t of(std::int32_t bound) const {
    if (bound <= -most_) return 0;
    const std::uint32_t step = static_cast<std::uint32_t>(bound + most_) >> shift_;
    return step < kBoundSteps ? step : kBoundSteps - 1;
  }
  /// The least bound of the lowest step that one must go down to; kNoBound where that is all.
  [[nodiscard]] std::int32_t least_for(std::span<const std::uint32_t> counts, std::uint32_t wanted) const {
    std::uint64_t sum = 0;
    for (std::uint32_t step = kBoundSteps; step-- > 1;) {
      sum += counts[step];
      if (sum >= wanted) return static_cast<std::int32_t>(step << shift_) - most_;
    }
    return kNoBound;
  }

 private:
  std::int32_t most_;
  std::uint32_t shift_ = 0;
};

}  // namespace rondo::gpu
