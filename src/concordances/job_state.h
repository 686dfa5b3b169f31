#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <unordered_map>

#include "concordances/background.h"
#include "concordances/concordances.h"
#include "concordances/melody_set.h"
#include "concordances/pair_engine.h"

namespace rondo::concordances {

/// Spreads of units, each computed once. Threads may call it at once.
class KnownSpreads {
 public:
  using Spread = std::optional<ScoreSpread>;
  /// Computes those of these units that nobody computes or has computed. On several threads; without an effect where it
  /// is stopped.
  void compute(const Background& background, std::span<const std::uint32_t> units, unsigned threads,
               const std::stop_token& stop);
  /// Null: not computed. Not while `compute` runs.
  [[nodiscard]] const Spread* of(std::uint32_t unit) const {
    const auto found = known_.find(unit);
    return found == known_.end() || !found->second ? nullptr : &*found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::optional<Spread>> known_;  ///< nothing: is being computed
};

/// What a job knows of its run. Rows are decided and written to the journal in strips.
struct Job::State {
  Collection* first = nullptr;
  Collection* second = nullptr;
  Options options;
  ChosenSystem system;
  MelodySet set;
  Scope scope = Scope::all;
  std::vector<std::uint32_t> rows;
  std::size_t strip = 1;                 ///< rows
  std::optional<Background> background;  ///< where probabilities are known
  std::vector<double> least_of;          ///< EngineTask::least_of; empty until it is needed
  KnownSpreads spreads;                  ///< those that were needed in this process
  std::shared_ptr<gpu::Card> card;       ///< null: none
  std::optional<Diagnostic> card_warning;
  std::unique_ptr<PairEngine> engine;  ///< null until it is needed
  Counts counts;

  [[nodiscard]] std::size_t strips() const { return (rows.size() + strip - 1) / strip; }
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t number) const;
  /// Says which run a journal belongs to; without `part` it is the same for all parts.
  [[nodiscard]] nlohmann::ordered_json description() const;
  [[nodiscard]] nlohmann::ordered_json description(std::uint32_t part, std::uint32_t parts) const;
  /// An estimate of the work of a strip, for progress: pairs.
  [[nodiscard]] std::uint64_t pairs_of(std::size_t number) const;
  /// What a melody of such a background must reach as the query.
  [[nodiscard]] double least_score(const std::optional<ScoreSpread>& spread) const;
  /// Computes the spreads that a strip with these pairs will need in the end, while others are compared.
  void prepare_spreads(std::size_t number, std::span<const UnitPair> pairs, const std::stop_token& stop);
  /// False: stopped.
  [[nodiscard]] bool make_engine(const std::stop_token& stop);
};

}  // namespace rondo::concordances
