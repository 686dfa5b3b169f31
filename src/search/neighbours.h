#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// Reranks the first hits of a search by their similarity to each other: a melody that resembles a hit close to the
/// query moves up. The hits and the query are the nodes of a graph, each linked to those most similar to it; weight
/// diffuses from the query along the links, and hits are ordered by the weight they receive (D. Zhou and others:
/// Ranking on data manifolds, 2004).
///
/// The numbers were chosen on the tune families of MTC-ANN, whole, first phrases, first twenty notes; docs/quality.md.
struct NeighbourGraph {
  static constexpr std::size_t kHits = 100;    ///< this many are reranked
  static constexpr std::size_t kNearest = 10;  ///< links of each node; further ones come from nodes that link to it
  static constexpr double kSpread = 0.15;      ///< a difference in similarity that divides the weight of a link by e
  static constexpr double kFlow = 0.9;         ///< the share of the weight that flows on
};

/// `lines`: the query, then the hits. Returns the new order of the hits as indices from 0; nullopt: stopped.
[[nodiscard]] std::optional<std::vector<std::size_t>> order_by_neighbours(const System& system,
                                                                          std::span<const Line> lines, unsigned threads,
                                                                          const std::function<bool()>& stopped);

/// The same from the symmetric matrix of similarities, row by row; 1 for the same melody.
[[nodiscard]] std::vector<std::size_t> order_by_neighbours(const std::vector<double>& alike, std::size_t nodes);

}  // namespace rondo
