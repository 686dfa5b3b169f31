#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "concordances/melody_set.h"
#include "concordances/sample_on_card.h"
#include "rondo/similarity/system.h"
#include "search/index.h"

namespace rondo::concordances {

/// What the probability of a pair needs besides its scores: how the scores of each melody as the query are spread over
/// the set, almost all of which is unrelated to it, and how many melodies had the chance to reach a score by accident.
/// The spread is that of a sample, as in a search (search/score_spread.h), the same for every query.
class Background {
 public:
  /// Nothing: the system is not calibrated with these settings, or the melodies are too few. With a card, which may be
  /// null, spreads take far less time; where it fails, the CPU computes them. Errors:
  /// those of Index::of.
  [[nodiscard]] static Result<std::optional<Background>> of(const MelodySet& set, Scope scope,
                                                            const ChosenSystem& system, bool standard_settings,
                                                            const std::shared_ptr<gpu::Card>& card);

  /// Of each of these units as the query; nothing where it cannot be compared with enough of the sample. Null: stopped.
  [[nodiscard]] std::optional<std::vector<std::optional<ScoreSpread>>> spreads(std::span<const std::uint32_t> units,
                                                                               unsigned threads,
                                                                               const std::stop_token& stop) const;

  [[nodiscard]] double probability(double score, const ScoreSpread& spread) const {
    return calibration_.probability(score, spread, melodies_);
  }
  /// The lowest score of this probability.
  [[nodiscard]] double least_score(double probability, const ScoreSpread& spread) const;

 private:
  Background(const MelodySet& set, const ChosenSystem& system, Index sample, std::size_t melodies);
  [[nodiscard]] std::optional<ScoreSpread> spread(const Line& query) const;
  /// Of some units at once. False: by the CPU.
  [[nodiscard]] bool spreads_by_card(std::span<const std::uint32_t> units,
                                     std::span<std::optional<ScoreSpread>> out) const;

  const MelodySet* set_;
  const SystemRow* row_;
  const System* system_;
  Calibration calibration_;
  Index sample_;
  std::optional<SampleOnCard> on_card_;
  std::size_t melodies_;  ///< that a query is compared with
};

}  // namespace rondo::concordances
