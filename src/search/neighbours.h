#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// The first hits of a search ordered anew by how they resemble each other: what resembles a melody that resembles the
/// query comes nearer to it. The hits and the query are the nodes of a graph, each joined to those most like it; of
/// each node so much flows on to its neighbours, and hits come in the order of what arrives at them from the query
/// (diffusion, D. Zhou and others: Ranking on data manifolds, 2004).
///
/// The numbers were chosen on the tune families of MTC-ANN, whole, first phrases, first twenty notes; docs/quality.md.
struct NeighbourGraph {
  static constexpr std::size_t kHits = 100;  ///< so many are ordered anew
  static constexpr std::size_t kNearest =
      10;                                  ///< each node is joined to so many, and to those it is among the nearest of
  static constexpr double kSpread = 0.15;  ///< a melody so much less like is e times less near
  static constexpr double kFlow = 0.9;     ///< the part that flows on
};

/// Lines: the query, then the hits. The order of the hits as numbers from 0. Nothing: stopped.
[[nodiscard]] std::optional<std::vector<std::size_t>> order_by_neighbours(const System& system,
                                                                          std::span<const Line> lines, unsigned threads,
                                                                          const std::function<bool()>& stopped);

/// The same from how alike each two are: row by row, 1 for the same melody. Symmetric.
[[nodiscard]] std::vector<std::size_t> order_by_neighbours(const std::vector<double>& alike, std::size_t nodes);

}  // namespace rondo
