#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "similarity/mixture.h"

/// Helpers of systems that fuse several rankings into one.
namespace rondo::fusion {

/// Min-max normalization of the scores of one part: after it has seen all of them, it maps the least to 0 and the
/// greatest to 1, linearly; all to 1 if all are equal.
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
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double operator()(double score) const {
    // Halved, so that the range does not overflow even for the greatest doubles.
    const double range = most_ / 2 - least_ / 2;
    return range > 0 ? (score / 2 - least_ / 2) / range : 1;
  }

 private:
  double least_ = std::numeric_limits<double>::max();
  double most_ = std::numeric_limits<double>::lowest();
};

/// A mixture whose parts the user may choose, each with its `depth` best documents.
class Fusion : public Mixture {
 public:
  Fusion(std::vector<Part> parts, const Parameters& parameters)
      : Mixture(std::move(parts)), depth_(static_cast<std::size_t>(parameters.get("depth"))) {}
  [[nodiscard]] std::size_t depth(std::size_t /*k*/) const final { return depth_; }

 private:
  std::size_t depth_;
};

/// The parameter that every fusion has.
inline constexpr Parameter kDepth = {
    "depth", "how many of the best melodies of each part are used, with all that tie with the last one", 200, 1,
    100'000};

/// Min-max normalization of the scores of one part, in place: 0 for its worst document, 1 for its best; 1 for all if
/// all are equal. Scores that are not comparable are not changed, here and below.
void min_max(std::vector<Score>& scores);

/// Replaces scores by ranks, 1 for the best. Equal scores share the mean of their ranks.
void mean_ranks(std::vector<Score>& scores);

/// The sum of the part scores of each document, in the order of the parts; not comparable if no part found it.
/// `Mixed::part` is the first part that found it. `found`, if not null, receives how many did.
void sum_of(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out,
            std::vector<std::size_t>* found = nullptr);

/// CombSUM: the sum of the min-max normalized scores.
void comb_sum(std::span<const std::vector<Score>> part_scores, std::vector<Mixed>& out,
              std::vector<std::size_t>* found = nullptr);

/// The default parts of fusions: curves of pitch and time, alignment of notes by pitch and length, alignment by pitch
/// alone. Chosen among all sets of up to four of seventeen systems, without the default system (which alone is better
/// than any set): the smallest set close to the best mean average precision over seven conditions of docs/quality.md.
inline constexpr std::string_view kStandardParts = "time+GAR+vk-pitch";
/// Those parts, made.
[[nodiscard]] std::vector<Part> standard_parts();

}  // namespace rondo::fusion
