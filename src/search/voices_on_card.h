#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gpu/cost_tables.h"
#include "gpu/device.h"
#include "gpu/melody_columns.h"
#include "rondo/similarity/system.h"

namespace rondo {

/// Melodies on a graphics card, to be scored with queries under the system rondo: the scores of PreparedQuery::score,
/// to the last bit. What the card cannot compare is scored by the CPU. Threads may use it at once.
class VoicesOnCard {
 public:
  /// A pair that cannot be compared.
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  /// Whether `system` is rondo, with parameters that the card's numbers can hold.
  [[nodiscard]] static bool supports(const System& system);
  /// The system, which is supported, and the melodies must outlive it. Errors: those of gpu::Card.
  [[nodiscard]] static Result<VoicesOnCard> load(std::vector<const Line*> voices, const System& system,
                                                 std::shared_ptr<gpu::Card> card);

  [[nodiscard]] std::size_t size() const { return voices_.size(); }
  /// Scores [query][voice]. Errors: those of gpu::Card; `out` is then invalid.
  [[nodiscard]] Result<void> scores(std::span<const Line* const> queries, std::vector<double>& out) const;

 private:
  static constexpr std::uint32_t kNotOnCard = 0xFFFFFFFF;

  VoicesOnCard(std::vector<const Line*> voices, const System& system, const RondoPlan& plan,
               std::shared_ptr<gpu::Card> card);
  /// Appends a melody if the card can compare it.
  [[nodiscard]] bool add(const Line& voice, gpu::MelodyColumns& to) const;

  std::vector<const Line*> voices_;
  std::vector<std::uint32_t> number_;  ///< on the card, or kNotOnCard
  std::size_t on_card_ = 0;
  const System* system_;
  std::shared_ptr<gpu::Card> card_;
  explained::Costs even_;
  explained::Costs rhythmic_;
  std::unique_ptr<gpu::CostTables> costs_;
  std::unique_ptr<gpu::Slice> slice_;
};

}  // namespace rondo
