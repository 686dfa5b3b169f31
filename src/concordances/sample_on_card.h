#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gpu/prepare.h"
#include "rondo/similarity/system.h"

namespace rondo::concordances {

/// Some melodies on a graphics card, scored with queries under the system rondo: the scores of PreparedQuery::score, to
/// the last bit. The CPU scores what the card cannot compare. Threads may use it at once.
class SampleOnCard {
 public:
  /// A pair that cannot be compared.
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  /// Precondition: runs_on_card(system), which must outlive it. Errors: those of gpu::Card.
  [[nodiscard]] static Result<SampleOnCard> load(std::vector<Line> melodies, const System& system,
                                                 std::shared_ptr<gpu::Card> card);

  [[nodiscard]] std::size_t size() const { return melodies_.size(); }
  /// Scores [query][melody]. Errors: those of gpu::Card; `out` is then invalid.
  [[nodiscard]] Result<void> scores(std::span<const Line> queries, std::vector<double>& out) const;

 private:
  static constexpr std::uint32_t kNotOnCard = 0xFFFFFFFF;

  SampleOnCard(std::vector<Line> melodies, const System& system, const RondoPlan& plan,
               std::shared_ptr<gpu::Card> card);
  /// The number of the melody, which is appended if the card can compare it; else kNotOnCard.
  [[nodiscard]] std::uint32_t add(const Line& melody, gpu::MelodyColumns& to) const;

  std::vector<Line> melodies_;
  std::vector<std::uint32_t> number_;  ///< on the card
  std::size_t on_card_ = 0;
  const System* system_;
  std::shared_ptr<gpu::Card> card_;
  explained::Costs even_;
  explained::Costs rhythmic_;
  std::unique_ptr<gpu::Slice> slice_;
};

}  // namespace rondo::concordances
