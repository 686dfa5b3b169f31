#include "study/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rondo::study {

std::vector<std::optional<double>> ranks_of(const Tiers& tiers, std::size_t count) {
  std::vector<std::optional<double>> ranks(count);
  std::size_t before = 0;
  for (const std::vector<std::size_t>& tier : tiers) {
    // Ranks before + 1 to before + size, of which this is the mean.
    const double rank = static_cast<double>(before) + (static_cast<double>(tier.size()) + 1) / 2;
    for (const std::size_t thing : tier) ranks.at(thing) = rank;
    before += tier.size();
  }
  return ranks;
}

double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const double floor = std::floor(at);
  const auto below = static_cast<std::size_t>(floor);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - floor) * (sorted[above] - sorted[below]);
}

Figures figures_of(std::vector<double> ranks) {
  Figures figures;
  figures.ranks = std::move(ranks);
  if (figures.ranks.empty()) return figures;
  std::vector<double> sorted = figures.ranks;
  std::sort(sorted.begin(), sorted.end());
  figures.median = quantile(sorted, 0.5);
  figures.q1 = quantile(sorted, 0.25);
  figures.q3 = quantile(sorted, 0.75);
  figures.p10 = quantile(sorted, 0.1);
  figures.p90 = quantile(sorted, 0.9);
  const auto n = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  figures.mean = mean;
  if (sorted.size() < 2) return figures;
  double squares = 0;
  for (const double rank : sorted) squares += (rank - mean) * (rank - mean);
  figures.deviation = std::sqrt(squares / (n - 1));
  return figures;
}

}  // namespace rondo::study
