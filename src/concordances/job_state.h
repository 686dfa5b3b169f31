#pragma once

#include <nlohmann/json_fwd.hpp>

#include "concordances/background.h"
#include "concordances/concordances.h"
#include "concordances/melody_set.h"
#include "concordances/pair_engine.h"

namespace rondo::concordances {

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
  /// False: stopped.
  [[nodiscard]] bool make_engine(const std::stop_token& stop);
};

}  // namespace rondo::concordances
