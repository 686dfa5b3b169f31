#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace rondo::study {

/// One person's ranking of numbered things, the most similar first; those in one tier are equal. What is in no tier was
/// left unranked.
using Tiers = std::vector<std::vector<std::size_t>>;

/// The rank of each of `count` things: 1 for the first, equals share the mean of the ranks they would have had one
/// after the other; nothing for the unranked.
[[nodiscard]] std::vector<std::optional<double>> ranks_of(const Tiers& tiers, std::size_t count);

/// The ranks that one candidate received, in figures. Of no ranks there are none; of one there is no deviation.
struct Figures {
  std::vector<double> ranks;  ///< in the order of the participants
  std::optional<double> median;
  std::optional<double> mean;
  std::optional<double> deviation;  ///< of the sample: the sum of squares is divided by n - 1
  std::optional<double> q1, q3;
  std::optional<double> p10, p90;

  [[nodiscard]] std::size_t votes() const { return ranks.size(); }
};

[[nodiscard]] Figures figures_of(std::vector<double> ranks);

/// The value below which a share of the values lies, straight between neighbours: Hyndman and Fan's definition 7, which
/// R and spreadsheets take unless told otherwise. Of half it is the median everybody knows. `sorted` is not empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double share);

}  // namespace rondo::study
