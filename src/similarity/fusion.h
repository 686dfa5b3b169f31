#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "similarity/mixture.h"

/// What the ways of making one ranking out of several share.
namespace rondo::fusion {

/// How the scores of one part are stretched: it is shown all of them, then gives 0 for the least, 1 for the greatest,
/// in proportion between; 1 for all if all are equal.
class Stretch {
 public:
  void show(double score) {
    least_ = std::min(least_, score);
    most_ = std::max(most_, score);
  }
  void show(const Stretch& other) {
    least_ = std::min(least_, other.least_);
    most_ = std::max(most_, other.most_);
  }
  [[nodiscard]] double operator()(double score) const {
    // Halved, so that the range of even the greatest numbers is a number.
    const double range = most_ / 2 - least_ / 2;
    return range > 0 ? (score / 2 - least_ / 2) / range : 1;
  }

 private:
  double least_ = std::numeric_limits<double>::max();
  double most_ = std::numeric_limits<double>::lowest();
};

/// A mixture of parts that the user may choose, each with its `depth` best documents.
class Fusion : public Mixture {
 public:
  Fusion(std::vector<Part> parts, const Parameters& parameters)
      : Mixture(std::move(parts)), depth_(static_cast<std::size_t>(parameters.get("depth"))) {}
  [[nodiscard]] std::size_t depth(std::size_t /*k*/) const final { return depth_; }

 private:
  std::size_t depth_;
};

/// The parameter that every fusion has.
inline constexpr Parameter kDepth = {"depth",
                                     "how many of the best melodies of each part take part; those with the score of "
                                     "the last one do, too",
                                     200, 1, 100'000};

/// Replaces the scores of one part: 0 for its worst document, 1 for its best, in proportion between; 1 for all if all
/// are equal. Scores that are not comparable are left alone, here and below.
void min_max(std::vector<Score>& scores);

/// Replaces scores by ranks, 1 for the best. Equal scores share the mean of their ranks.
void mean_ranks(std::vector<Score>& scores);

/// Each document's sum of what its parts gave, the parts in their order; not comparable where no part found it.
/// The document is that of the first part that found it. `found`, if wanted, gets how many did.
void sum_of(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out,
            std::vector<std::size_t>* found = nullptr);

/// Sum of the min-max normalised scores.
void comb_sum(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out,
              std::vector<std::size_t>* found = nullptr);

/// The parts of the fusions unless the user names others: curves of pitch and time, alignment of notes by pitch and
/// length, alignment by pitch alone. Of all sets of up to four systems among seventeen, without the default (which
/// alone is better than any of them), the smallest near the top in mean average precision over seven conditions of
/// docs/quality.md.
inline constexpr std::string_view kStandardParts = "time+GAR+vk-pitch";
/// Those parts, made.
[[nodiscard]] std::vector<Part> standard_parts();

}  // namespace rondo::fusion
