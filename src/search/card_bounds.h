#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "gpu/card.h"
#include "rondo/similarity/plan.h"
#include "search/fast/top_k.h"
#include "search/index.h"

namespace rondo {

/// A query as the card bounds it.
struct CardQuery {
  gpu::BoundQuery bound;
  bool exact = false;  ///< what the card says is the score itself
  double unit = 1;     ///< what one unit of a bound is worth

  /// No document whose bound is this scores more.
  [[nodiscard]] double most(std::int32_t units) const;
  /// The least bound that is not ruled out by a threshold.
  [[nodiscard]] std::int32_t least(double threshold) const;
};

/// The documents of an index on a graphics card, to be bounded by systems that need not be rondo: windows (shapeh,
/// shapel, spline, time and their kin), P2 and ngr5. Whatever can reach a threshold comes back, and is scored by the
/// system. Requests that come together, from any number of threads, are answered together.
class CardBounds {
 public:
  /// Whether a card can be asked under such a plan.
  [[nodiscard]] static bool can_bound(const SystemRow& row, const SearchPlan& plan);
  /// Loads all documents. Errors: those of gpu::Card, `search-stopped`.
  [[nodiscard]] static Result<CardBounds> load(const Index& index, std::shared_ptr<gpu::Card> card, unsigned threads,
                                               const std::stop_token& stop);
  ~CardBounds();
  CardBounds(CardBounds&&) noexcept;
  CardBounds& operator=(CardBounds&&) noexcept;

  [[nodiscard]] bool has(const index::Snapshot& snapshot) const;
  /// A query under a plan that can be asked; nothing where it is one for the CPU: too long, or its times or pitches are
  /// off the grid. `system` has learnt the index.
  [[nodiscard]] static std::optional<CardQuery> query(const SystemRow& row, const SearchPlan& plan, const Line& query);
  /// Documents of a segment that the card does not have; ascending.
  [[nodiscard]] const std::vector<index::DocumentId>& others(std::size_t segment) const;

  struct Candidate {
    std::size_t segment = 0;
    index::DocumentId document = 0;
    std::int32_t bound = 0;
  };
  struct Answer {
    std::vector<Candidate> candidates;  ///< the greatest bound first
    /// All documents that the views and the card have with at least this bound are there; gpu::kNoBound: all.
    std::int32_t least = gpu::kNoBound;
    bool too_many = false;  ///< so many that the CPU searches sooner; none are there
  };
  /// At least so many with the greatest bounds; or, from `least` on, all. Errors: those of gpu::Card; after one, all
  /// later calls have it.
  [[nodiscard]] Result<Answer> ask(const CardQuery& query, std::size_t wanted, std::int32_t least,
                                   const std::vector<fast::SegmentView>& views);

 private:
  struct State;
  explicit CardBounds(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
