#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rondo::slow {

struct Problem {
  std::vector<std::int64_t> supplies;
  std::vector<std::int64_t> demands;
  std::vector<std::int64_t> costs;
};

/// Cheapest flow by successive shortest paths: Bellman-Ford on the residual graph, as
/// the textbook has it. Shares nothing with what it checks.
inline std::int64_t cheapest(const Problem& p) {
  const std::size_t n = p.supplies.size(), m = p.demands.size();
  std::vector<std::vector<std::int64_t>> flow(n, std::vector<std::int64_t>(m, 0));
  std::vector<std::int64_t> left = p.supplies, wanted = p.demands;
  std::int64_t total = 0;
  constexpr std::int64_t kFar = INT64_MAX / 4;
  for (;;) {
    // Nodes: supplies, then demands.
    std::vector<std::int64_t> distance(n + m, kFar);
    std::vector<std::size_t> before(n + m, n + m);
    for (std::size_t i = 0; i < n; ++i) {
      if (left[i] > 0) distance[i] = 0;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          const std::int64_t cost = p.costs[i * m + j];
          if (distance[i] < kFar && distance[i] + cost < distance[n + j]) {
            distance[n + j] = distance[i] + cost;
            before[n + j] = i;
            changed = true;
          }
          if (flow[i][j] > 0 && distance[n + j] < kFar && distance[n + j] - cost < distance[i]) {
            distance[i] = distance[n + j] - cost;
            before[i] = n + j;
            changed = true;
          }
        }
      }
    }
    std::size_t end = n + m;
    for (std::size_t j = 0; j < m; ++j) {
      if (wanted[j] > 0 && distance[n + j] < kFar && (end == n + m || distance[n + j] < distance[end])) end = n + j;
    }
    if (end == n + m) return total;
    std::int64_t amount = wanted[end - n];
    std::size_t start = end;
    for (std::size_t node = end; before[node] != n + m; node = before[node]) {
      start = before[node];
      if (node < n) amount = std::min(amount, flow[node][before[node] - n]);
    }
    amount = std::min(amount, left[start]);
    for (std::size_t node = end; before[node] != n + m; node = before[node]) {
      if (node >= n) {
        flow[before[node]][node - n] += amount;
        total += amount * p.costs[before[node] * m + node - n];
      } else {
        flow[node][before[node] - n] -= amount;
        total -= amount * p.costs[node * m + before[node] - n];
      }
    }
    left[start] -= amount;
    wanted[end - n] -= amount;
  }
}

}  // namespace rondo::slow
