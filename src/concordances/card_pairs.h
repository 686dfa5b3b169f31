#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "concordances/rondo_units.h"
#include "gpu/prepare.h"

namespace rondo::concordances {

/// The bounds of the system rondo on a graphics card, for the units with few enough notes, which are the first ones.
/// All of them must fit into its memory.
class CardPairs {
 public:
  /// `units` must outlive it.
  CardPairs(const RondoUnits& units, PairRule rule, bool ordered, std::shared_ptr<gpu::Card> card);

  /// Pairs of two units below it are the card's, unless one of them is odd.
  [[nodiscard]] std::uint32_t end() const { return end_; }
  /// Appends every pair of one of the rows (below `end`, not odd) and a unit of the card that may hold; `query` is the
  /// number in `rows`. Errors: those of gpu::Card.
  [[nodiscard]] Result<void> find(std::span<const std::uint32_t> rows, std::vector<gpu::CandidatePair>& out,
                                  gpu::StageCounts& counts);

 private:
  [[nodiscard]] gpu::MelodyColumns columns(std::uint32_t begin, std::uint32_t end) const;

  const RondoUnits& units_;
  PairRule rule_;
  bool ordered_;
  std::shared_ptr<gpu::Card> card_;
  std::uint32_t end_ = 0;
  std::unique_ptr<gpu::CostTables> costs_;
  std::mutex mutex_;                   ///< of what follows
  std::unique_ptr<gpu::Slice> slice_;  ///< all of them; null: not loaded yet
};

}  // namespace rondo::concordances
