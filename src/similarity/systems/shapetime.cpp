#include <algorithm>
#include <functional>
#include <limits>

#include "similarity/mixture.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

/// Distinct values in descending order.
std::vector<double> levels(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

class ShapeTime final : public Mixture {
 public:
  using Mixture::Mixture;

  [[nodiscard]] std::size_t depth(std::size_t k) const override { return k; }
  [[nodiscard]] bool proposes(std::size_t part) const override { return part == kShape; }

  void mix(std::span<const std::vector<Score>> part_scores, std::size_t k, std::vector<Mixed>& out) const override {
    const std::vector<Score>& shape = part_scores[kShape];
    const std::vector<Score>& time = part_scores[kTimePart];
    out.assign(shape.size(), Mixed{.score = {0, false}});
    const double border = score_at_rank(shape, k);
    double lowest = 0;
    std::vector<double> below;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!shape[i].comparable) continue;
      if (shape[i].value >= border && time[i].comparable) {
        out[i] = {time[i], kTimePart};
        lowest = std::min(lowest, time[i].value);
      } else {
        below.push_back(shape[i].value);
      }
    }
    below = levels(std::move(below));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!shape[i].comparable || out[i].score.comparable) continue;
      const auto level = std::lower_bound(below.begin(), below.end(), shape[i].value, std::greater<>()) - below.begin();
      out[i] = {{lowest - 1 - static_cast<double>(level), true}, kShape};
    }
  }

 protected:
  [[nodiscard]] std::size_t pairwise() const override { return kTimePart; }

 private:
  static constexpr std::size_t kShape = 0;
  static constexpr std::size_t kTimePart = 1;

  /// The k-th best score; lower than all scores if there are fewer.
  static double score_at_rank(const std::vector<Score>& scores, std::size_t k) {
    std::vector<double> values;
    for (const Score& score : scores) {
      if (score.comparable) values.push_back(score.value);
    }
    if (k == 0) return std::numeric_limits<double>::infinity();
    if (values.size() < k) return std::numeric_limits<double>::lowest();
    const auto kth = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(values.begin(), kth, values.end(), std::greater<>());
    return *kth;
  }
};

}  // namespace

constinit const SystemRow kShapeTime = {
    .name = "shapetime",
    .title = "Ranked by shapeh, the best re-ranked by time",
    .explanation =
        "Ranks the collection with shapeh and re-ranks with time every melody that reaches the score at rank k (the "
        "number of hits requested): the pitch curves select the melodies, pitch and rhythm together decide their "
        "order. Re-ranked melodies have the score and the tie break of time. All others, including melodies too short "
        "for time, follow in the order of shapeh, with scores of 1, 2, 3... below the lowest score of time (or below "
        "0), so that the scores of a run are descending. Two melodies without a collection are compared by time.",
    .reference =
        "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2012 to 2015",
    .evidence = Evidence::exact,
    .evidence_note = "The scores of melodies that are not re-ranked are ours; their order is not.",
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      std::vector<Part> parts;
      parts.push_back(standard_part("shapeh"));
      parts.push_back(standard_part("time"));
      return std::make_unique<ShapeTime>(std::move(parts));
    },
};

}  // namespace rondo::rows
