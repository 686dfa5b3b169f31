#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace rondo::study {

/// One person's ranking of items by index, the most similar first; items of one tier are tied. Items in no tier are
/// unranked.
using Tiers = std::vector<std::vector<std::size_t>>;

/// The midrank of each of `count` items, from 1; nullopt for the unranked.
[[nodiscard]] std::vector<std::optional<double>> ranks_of(const Tiers& tiers, std::size_t count);

/// Statistics of the ranks that one candidate received. Undefined without ranks; the deviation needs two.
struct Figures {
  std::vector<double> ranks;  ///< in the order of the participants
  std::optional<double> median;
  std::optional<double> mean;
  std::optional<double> deviation;  ///< sample standard deviation, with n - 1
  std::optional<double> q1, q3;
  std::optional<double> p10, p90;

  [[nodiscard]] std::size_t votes() const { return ranks.size(); }
};

[[nodiscard]] Figures figures_of(std::vector<double> ranks);

/// A quantile with linear interpolation: Hyndman and Fan's definition 7, the default of R and spreadsheets. For a share
/// of one half it is the usual median. Precondition: `sorted` is not empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double share);

}  // namespace rondo::study
