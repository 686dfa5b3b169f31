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

/// A document of an index and its score.
struct CardHit {
  std::size_t segment = 0;
  index::DocumentId document = 0;
  double score = 0;
};

/// The documents of an index on a GPU, for searches with the system rondo under one plan: the scores are those of the
/// system, to the last bit. Concurrent requests, from any number of threads, are answered in one batch.
class CardSearch {
 public:
  struct Options {
    unsigned threads = 1;  ///< for loading
    std::stop_token stop{};
    gpu::TierSizes tiers{};
  };
  /// Loads all documents. Precondition: explained::in_supported_range(plan). Errors: those of gpu::Card,
  /// `search-stopped`.
  [[nodiscard]] static Result<CardSearch> load(const Index& index, const RondoPlan& plan,
                                               std::shared_ptr<gpu::Card> card, const Options& options);
  ~CardSearch();
  CardSearch(CardSearch&&) noexcept;
  CardSearch& operator=(CardSearch&&) noexcept;

  [[nodiscard]] bool has(const index::Snapshot& snapshot, const SearchPlan& plan) const;
  /// Whether the card can answer this query; if not, it has too many notes or too wide a range.
  [[nodiscard]] bool takes(const Line& query) const;
  /// Documents of a segment that are not on the card because they are too long or too wide; ascending.
  [[nodiscard]] const std::vector<index::DocumentId>& others(std::size_t segment) const;

  struct Answer {
    /// At least the k best of the documents that are in the views and on the card, and all that tie with the last; if
    /// there are fewer than k, all.
    std::vector<CardHit> hits;
    /// Scores of sample_documents (search/score_spread.h); NaN for a document that is not on the card.
    std::vector<double> sample;
  };
  /// Precondition: takes(query). Blocks until the batch is done. Errors: those of gpu::Card; after an error, all later
  /// calls fail with it.
  [[nodiscard]] Result<Answer> search(const Line& query, std::size_t k, const std::vector<fast::SegmentView>& views);

 private:
  struct State;
  explicit CardSearch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What one search does on a card.
struct CardUse {
  CardSearch* search = nullptr;
  bool cpu_goes_on = true;  ///< continue on the CPU if the card fails; else the list is empty
  // Output.
  std::optional<Error> failure{};
  std::vector<double> sample{};  ///< CardSearch::Answer
};

}  // namespace rondo
