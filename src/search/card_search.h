#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "gpu/best_search.h"
#include "rondo/similarity/plan.h"
#include "search/fast/top_k.h"
#include "search/index.h"

namespace rondo {

/// A document of an index by its score.
struct CardHit {
  std::size_t segment = 0;
  index::DocumentId document = 0;
  double score = 0;
};

/// The documents of an index on a graphics card, to be searched by the system rondo under one plan: exactly the scores
/// of the system, to the last bit. Requests that come together, from any number of threads, are answered together.
class CardSearch {
 public:
  struct Options {
    unsigned threads = 1;  ///< for loading
    std::stop_token stop{};
    gpu::TierSizes tiers{};
  };
  /// Whether a card can be asked under such a plan.
  [[nodiscard]] static bool can_search(const SearchPlan& plan);
  /// Loads all documents. Under a plan that can be searched. Errors: those of gpu::Card, `search-stopped`.
  [[nodiscard]] static Result<CardSearch> load(const Index& index, const RondoPlan& plan,
                                               std::shared_ptr<gpu::Card> card, const Options& options);
  ~CardSearch();
  CardSearch(CardSearch&&) noexcept;
  CardSearch& operator=(CardSearch&&) noexcept;

  [[nodiscard]] bool has(const index::Snapshot& snapshot, const SearchPlan& plan) const;
  /// Whether the card answers it; if not, its notes are too many or too far apart.
  [[nodiscard]] bool takes(const Line& query) const;
  /// Documents of a segment that the card does not have, being too long or too wide; ascending.
  [[nodiscard]] const std::vector<index::DocumentId>& others(std::size_t segment) const;

  struct Answer {
    /// At least the k best of the documents that the views have and the card has, and all that are equal to the last;
    /// all of them where there are no more.
    std::vector<CardHit> hits;
    /// Scores of sample_documents (search/score_spread.h); NaN for a document that the card does not have.
    std::vector<double> sample;
  };
  /// Of a query that it takes; waits for its turn. Errors: those of gpu::Card; after one, all later calls have it.
  [[nodiscard]] Result<Answer> ask(const Line& query, std::size_t k, const std::vector<fast::SegmentView>& views);

 private:
  struct State;
  explicit CardSearch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class CardBounds;

/// What one search does on a card.
struct CardUse {
  CardSearch* search = nullptr;  ///< null: not by the system rondo
  CardBounds* bounds = nullptr;  ///< null: not by the others that a card knows
  bool cpu_goes_on = true;       ///< where the card fails; else the list is empty and of no use
  // What came of it.
  std::optional<Error> failure{};
  std::vector<double> sample{};  ///< CardSearch::Answer
};

}  // namespace rondo
