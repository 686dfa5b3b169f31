#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/prepare.h"

namespace rondo::gpu {

/// One melody that is looked for.
struct BestQuery {
  const MelodyColumns* melody = nullptr;  ///< its first one
  std::uint32_t k = 1;
  std::span<const std::uint64_t> allowed{};  ///< a bit for each document; empty: all
};

struct ScoredDocument {
  std::uint32_t document = 0;
  std::int32_t total = 0;
};

struct BestAnswer {
  /// The k allowed documents with the greatest totals and all that are equal to the last of them; all documents where
  /// there are no more than k. In any order.
  std::vector<ScoredDocument> best;
  /// Totals of the sample, allowed or not; kNoTotal for a document that is not on the card.
  std::vector<std::int32_t> sample;
};

/// Into how many documents a collection is divided, see BestSearch.
struct TierSizes {
  std::size_t first = 8192;
  std::size_t second = 65'536;
  std::size_t most = 524'288;  ///< of each of the others
};

/// The best documents of many queries at once, exactly, over a collection that lies on a card.
///
/// The collection is divided into tiers, each a sample of all lengths. Of the first, which is small, all totals are
/// computed: the k-th best is a threshold that the k-th best of all cannot be below. The next tier is searched for
/// documents that reach it (Card::totals_above), which raises it for the next one, and so on. A query of which fewer
/// than k allowed documents are known has no threshold: all totals of the next tier, too, are computed.
///
/// Threads may ask at once.
class BestSearch {
 public:
  /// A document is known by its number in `documents`; one without notes takes no part. Totals of `sample` are part
  /// of every answer. Errors: those of Card::load.
  [[nodiscard]] static Result<std::unique_ptr<BestSearch>> load(std::shared_ptr<Card> card,
                                                                const MelodyColumns& documents,
                                                                std::span<const std::uint32_t> sample,
                                                                std::unique_ptr<CostTables> costs,
                                                                const TierSizes& sizes = {});

  /// One answer for each query. Errors: those of Card.
  [[nodiscard]] Result<std::vector<BestAnswer>> find(std::span<const BestQuery> queries) const;

 private:
  struct Tier {
    std::unique_ptr<Slice> slice;
    std::vector<std::uint32_t> document;  ///< by number in the slice
  };
  /// A query while it is looked for.
  struct State;

  BestSearch() = default;
  [[nodiscard]] Result<void> load_tier(const MelodyColumns& documents, std::vector<std::uint32_t> numbers);
  [[nodiscard]] Query prepared(const BestQuery& query, std::int32_t least_total) const;
  [[nodiscard]] Result<void> take_all(const Tier& tier, std::span<State> states,
                                      std::span<const std::size_t> which) const;
  [[nodiscard]] Result<void> take_those_above(const Tier& tier, std::span<State> states,
                                              std::span<const std::size_t> which) const;
  static void take(const Tier& tier, std::span<const CandidatePair> found, std::span<State> states,
                   std::span<const std::size_t> which);

  std::shared_ptr<Card> card_;
  std::unique_ptr<CostTables> costs_;
  std::vector<Tier> tiers_;
  std::vector<std::uint32_t> sample_;  ///< numbers in the first slice; kNowhere for those that are not on the card
};

}  // namespace rondo::gpu
