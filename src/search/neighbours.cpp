#include "search/neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/in_parallel.h"

namespace rondo {
namespace {

/// How near nodes are to each other, only where one is among the nearest of the other.
std::vector<double> joined(const std::vector<double>& alike, std::size_t nodes) {
  std::vector<double> near(nodes * nodes, 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < nodes; ++j) {
      if (i == j) continue;
      near[i * nodes + j] = std::exp((std::min(alike[i * nodes + j], 1.0) - 1) / NeighbourGraph::kSpread);
    }
  }
  const std::size_t nearest = std::min(NeighbourGraph::kNearest, nodes - 1);
  std::vector<double> least(nodes);  // that a neighbour of the node has
  std::vector<double> row(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto from = near.begin() + static_cast<std::ptrdiff_t>(i * nodes);
    std::copy(from, from + static_cast<std::ptrdiff_t>(nodes), row.begin());
    const auto last = row.begin() + static_cast<std::ptrdiff_t>(nearest - 1);
    std::nth_element(row.begin(), last, row.end(), std::greater<>());
    least[i] = *last;
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < nodes; ++j) {
      if (near[i * nodes + j] < std::min(least[i], least[j])) near[i * nodes + j] = 0;
    }
  }
  return near;
}

/// What arrives at each node where a unit flows into the first: the solution x of (1 - flow P) x = (1, 0, ...), where P
/// is the graph, each edge divided by the square root of what its two nodes are joined by. Its eigenvalues are at most
/// 1, so the matrix is positive definite, and elimination needs no pivots.
std::vector<double> diffused(const std::vector<double>& near, std::size_t nodes) {
  std::vector<double> sum(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto from = near.begin() + static_cast<std::ptrdiff_t>(i * nodes);
    sum[i] = std::accumulate(from, from + static_cast<std::ptrdiff_t>(nodes), 0.0);
  }
  std::vector<double> matrix(nodes * nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < nodes; ++j) {
      const double both = std::sqrt(sum[i] * sum[j]);
      const double edge = both > 0 ? near[i * nodes + j] / both : 0;
      matrix[i * nodes + j] = (i == j ? 1 : 0) - NeighbourGraph::kFlow * edge;
    }
  }
  std::vector<double> x(nodes, 0);
  x[0] = 1;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t r = i + 1; r < nodes; ++r) {
      const double factor = matrix[r * nodes + i] / matrix[i * nodes + i];
      if (factor == 0) continue;
      for (std::size_t c = i; c < nodes; ++c) matrix[r * nodes + c] -= factor * matrix[i * nodes + c];
      x[r] -= factor * x[i];
    }
  }
  for (std::size_t i = nodes; i-- > 0;) {
    for (std::size_t c = i + 1; c < nodes; ++c) x[i] -= matrix[i * nodes + c] * x[c];
    x[i] /= matrix[i * nodes + i];
  }
  return x;
}

}  // namespace

std::vector<std::size_t> order_by_neighbours(const std::vector<double>& alike, std::size_t nodes) {
  std::vector<std::size_t> order(nodes - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (nodes < 3) return order;
  const std::vector<double> arrived = diffused(joined(alike, nodes), nodes);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return arrived[a + 1] > arrived[b + 1]; });
  return order;
}

std::optional<std::vector<std::size_t>> order_by_neighbours(const System& system, std::span<const Line> lines,
                                                            unsigned threads, const std::function<bool()>& stopped) {
  const std::size_t nodes = lines.size();
  std::vector<double> one_way(nodes * nodes, 0);
  std::atomic<bool> ended{false};
  in_parallel(nodes, 1, threads, [&](std::size_t i, std::size_t /*end*/) {
    if (ended) return;
    const auto query = system.prepare(lines[i]);
    for (std::size_t j = 0; j < nodes && !ended; ++j) {
      if (stopped()) ended = true;
      if (i == j || j == 0) continue;
      const Score score = query->score(lines[j]);
      one_way[i * nodes + j] = score.comparable ? score.value : -1;
    }
  });
  if (ended) return std::nullopt;
  // Hits are as alike as they explain each other; how well one explains the query says its score, for a song is not
  // explained by the phrase of it that somebody looks for.
  std::vector<double> alike(nodes * nodes, 1);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j) {
      const double there = one_way[i * nodes + j];
      alike[i * nodes + j] = alike[j * nodes + i] = i == 0 ? there : (there + one_way[j * nodes + i]) / 2;
    }
  }
  return order_by_neighbours(alike, nodes);
}

}  // namespace rondo
