#include <algorithm>
#include <cmath>

#include "rondo/similarity/system.h"

namespace rondo {

namespace {

/// The log-odds are piecewise linear: steeper from kHighScore on.
struct Odds {
  double at_zero = 0;
  double slope = 0;

  Odds(const Calibration& of, const ScoreSpread& spread, std::size_t melodies) {
    // A lower limit of the spread: if all scores are nearly equal, small differences are not significant.
    constexpr double kNarrowest = 0.03;
    const double width = std::max(spread.high - spread.middle, kNarrowest);
    const double thousands = static_cast<double>(std::max<std::size_t>(melodies, 1)) / 1000;
    at_zero = of.constant - of.distinction * spread.middle / width + of.size * std::log(thousands);
    slope = of.score + of.distinction / width;
  }
};

}  // namespace

double Calibration::probability(double score_of_hit, const ScoreSpread& spread, std::size_t melodies) const {
  const Odds odds(*this, spread, melodies);
  const double high = high_score * std::max(score_of_hit - kHighScore, 0.0);
  return 1 / (1 + std::exp(-(odds.at_zero + odds.slope * score_of_hit + high)));
}

double Calibration::score_for(double probability, const ScoreSpread& spread, std::size_t melodies) const {
  const Odds odds(*this, spread, melodies);
  const double wanted = std::log(probability / (1 - probability)) - odds.at_zero;
  const double low = wanted / odds.slope;
  return low <= kHighScore ? low : (wanted + high_score * kHighScore) / (odds.slope + high_score);
}

Likelihood likelihood_of(double probability) {
  if (probability >= 0.95) return Likelihood::certain;
  if (probability >= 0.5) return Likelihood::probable;
  return probability >= kLeastLikely ? Likelihood::possible : Likelihood::unlikely;
}

std::string_view to_string(Likelihood likelihood) {
  switch (likelihood) {
    case Likelihood::certain: return "certain";
    case Likelihood::probable: return "probable";
    case Likelihood::possible: return "possible";
    case Likelihood::unlikely: break;
  }
  return "unlikely";
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
