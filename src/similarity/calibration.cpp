#include "rondo/similarity/calibration.h"

#include <algorithm>
#include <cmath>

namespace rondo {

double Calibration::probability(double score_of_hit, const ScoreSpread& spread, std::size_t melodies) const {
  // Where all scores are about equal, a small difference stands out of nothing.
  constexpr double kNarrowest = 0.03;
  const double width = std::max(spread.high - spread.middle, kNarrowest);
  const double thousands = static_cast<double>(std::max<std::size_t>(melodies, 1)) / 1000;
  const double odds = constant + score * score_of_hit + high_score * std::max(score_of_hit - kHighScore, 0.0) +
                      distinction * (score_of_hit - spread.middle) / width +
                      size * std::log(thousands);
  return 1 / (1 + std::exp(-odds));
}

Likelihood likelihood_of(double probability) {
  if (probability >= 0.95) return Likelihood::certain;
  if (probability >= 0.5) return Likelihood::probable;
  return probability >= kLeastLikely ? Likelihood::possible : Likelihood::unlikely;
}

std::string_view in_words(Likelihood likelihood) {
  switch (likelihood) {
    case Likelihood::certain: return "almost certainly the same tune";
    case Likelihood::probable: return "probably the same tune";
    case Likelihood::possible: return "resembles it";
    case Likelihood::unlikely: break;
  }
  return "resembles it distantly";
}

}  // namespace rondo
