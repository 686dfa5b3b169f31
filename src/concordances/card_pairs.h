#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "concordances/rondo_units.h"
#include "gpu/card.h"

namespace rondo::concordances {

/// The bounds of the system rondo on a graphics card, for the units with few enough notes, which are the first ones.
/// All of them lie on the card where its memory suffices; otherwise they are loaded slice by slice in every call.
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
  struct Columns {
    std::vector<gpu::Melody> melodies;
    std::vector<gpu::Note> notes;
  };
  [[nodiscard]] Columns columns(std::uint32_t begin, std::uint32_t end) const;
  void append(std::uint32_t unit, Columns& to) const;
  /// Makes slices that fit into the memory of the card; loads them if all fit.
  [[nodiscard]] Result<void> begin_slices();
  [[nodiscard]] Result<void> find_in(const gpu::Slice& slice, std::uint32_t begin, std::uint32_t end,
                                     std::span<const gpu::Query> queries, std::vector<gpu::CandidatePair>& out,
                                     gpu::StageCounts& counts);

  const RondoUnits& units_;
  PairRule rule_;
  bool ordered_;
  std::shared_ptr<gpu::Card> card_;
  std::uint32_t end_ = 0;
  std::unique_ptr<gpu::CostTables> costs_;
  std::mutex mutex_;  ///< of what follows
  bool begun_ = false;
  std::vector<std::uint32_t> slice_begin_;             ///< and the end of the last
  std::vector<std::unique_ptr<gpu::Slice>> resident_;  ///< all slices, or none
};

}  // namespace rondo::concordances
