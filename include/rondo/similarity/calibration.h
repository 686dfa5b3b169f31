#pragma once

#include <cstddef>
#include <string_view>

namespace rondo {

/// How the scores of a query are spread over a collection, almost all of which is unrelated to it: of a sample.
struct ScoreSpread {
  double middle = 0;  ///< the median
  double high = 0;    ///< what one of twenty exceeds
};

/// What a score says about whether two melodies are the same tune. A logistic function of the score, of how far it
/// stands out of the query's other scores, and of how many melodies had the chance to reach it by accident.
/// docs/quality.md has how far it can be trusted.
struct Calibration {
  static constexpr double kHighScore = 0.7;
  double constant = 0;
  double score = 0;
  double high_score = 0;   ///< of what the score exceeds kHighScore by: so alike are few melodies by accident
  double distinction = 0;  ///< from the middle, as a multiple of what lies between `high` and it
  double size = 0;         ///< of the natural logarithm of the thousands of melodies

  [[nodiscard]] double probability(double score_of_hit, const ScoreSpread& spread, std::size_t melodies) const;
  /// The lowest score with at least this probability.
  [[nodiscard]] double score_for(double probability, const ScoreSpread& spread, std::size_t melodies) const;
};

/// What is said of a probability in plain words.
enum class Likelihood : unsigned char { certain, probable, possible, unlikely };
[[nodiscard]] Likelihood likelihood_of(double probability);
[[nodiscard]] std::string_view in_words(Likelihood likelihood);
[[nodiscard]] std::string_view to_string(Likelihood likelihood);  ///< "certain", "probable", ...

/// Below it a hit is not said to resemble the query.
inline constexpr double kLeastLikely = 0.05;

}  // namespace rondo
