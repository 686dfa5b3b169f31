#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "concordances/counts.h"
#include "concordances/melody_set.h"
#include "gpu/open_card.h"
#include "rondo/similarity/system.h"

namespace rondo::concordances {

/// Two units and what the system says of them: of the second where the first is the query, and the other way round.
struct UnitPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;  ///< a < b
  double ab = 0;
  double ba = 0;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
  /// The order of results: by units.
  [[nodiscard]] static bool before(const UnitPair& x, const UnitPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }
};

/// When a pair is found.
struct PairRule {
  double least = 0;   ///< score
  bool both = false;  ///< in both directions; otherwise in one of them
};

/// Finds every pair of a row and any unit that the rule holds for; pairs of two rows once. Threads may ask at once.
class PairEngine {
 public:
  virtual ~PairEngine() = default;
  PairEngine() = default;
  PairEngine(const PairEngine&) = delete;
  PairEngine& operator=(const PairEngine&) = delete;
  /// Appends the pairs of `rows` (ascending), sorted; a row is not paired with itself. False: stopped.
  [[nodiscard]] virtual bool find(std::span<const std::uint32_t> rows, const std::stop_token& stop,
                                  std::vector<UnitPair>& out, Counts& counts) const = 0;
  /// Why the graphics card is not used any more. Where the CPU must not go on, `find` has returned false.
  [[nodiscard]] virtual std::optional<Error> card_failure() const { return {}; }
};

/// What all engines know.
struct EngineTask {
  const MelodySet& set;
  Scope scope = Scope::all;
  std::span<const std::uint32_t> rows{};  ///< all of them, ascending
  const System& system;
  PairRule rule;
  /// By unit the score that it must reach as the query, where that is not `rule.least` for all.
  std::span<const double> least_of{};
  std::shared_ptr<gpu::Card> card{};  ///< null: none
  bool cpu_goes_on = true;            ///< where the card fails
  unsigned threads = 1;               ///< for making the engine

  [[nodiscard]] double least(std::size_t unit) const { return least_of.empty() ? rule.least : least_of[unit]; }
  /// Whether the pair is found; `ab` is the score where `a` is the query.
  [[nodiscard]] bool holds(std::uint32_t a, std::uint32_t b, double ab, double ba) const {
    return rule.both ? ab >= least(a) && ba >= least(b) : ab >= least(a) || ba >= least(b);
  }
};

/// Scores every pair: for any system, and the scalar reference of the other.
[[nodiscard]] std::unique_ptr<PairEngine> make_exhaustive_engine(const EngineTask& task);
/// For the system rondo: a cascade of bounds, then the exact score of what is left. Null: the plan's numbers are not
/// such that the bounds hold. With a card the bounds of melodies that are not too long are computed there.
[[nodiscard]] std::unique_ptr<PairEngine> make_rondo_engine(const EngineTask& task);

}  // namespace rondo::concordances
