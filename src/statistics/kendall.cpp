#include "statistics/kendall.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include "statistics/ranks.h"

namespace rondo::statistics {
namespace {

/// Number of pairs out of order in a list, which is left sorted (Knight 1966).
std::uint64_t sort_counting_swaps(std::vector<std::int64_t>& list) {
  std::uint64_t swaps = 0;
  std::vector<std::int64_t> merged(list.size());
  for (std::size_t width = 1; width < list.size(); width *= 2) {
    for (std::size_t begin = 0; begin < list.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, list.size());
      const std::size_t end = std::min(begin + 2 * width, list.size());
      std::size_t a = begin;
      std::size_t b = middle;
      for (std::size_t out = begin; out < end; ++out) {
        if (b >= end || (a < middle && list[a] <= list[b])) {
          merged[out] = list[a++];
        } else {
          swaps += middle - a;
          merged[out] = list[b++];
        }
      }
    }
    list.swap(merged);
  }
  return swaps;
}

/// How many pairs of an ordered sequence are equal, where equal elements are neighbours.
template <typename Same>
double equal_pairs(std::size_t size, const Same& same) {
  double pairs = 0;
  for (std::size_t begin = 0; begin < size;) {
    std::size_t end = begin + 1;
    while (end < size && same(begin, end)) ++end;
    const auto run = static_cast<double>(end - begin);
    pairs += run * (run - 1) / 2;
    begin = end;
  }
  return pairs;
}

}  // namespace

Result<double> kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) return fail("statistics-lengths", "two rankings of different length cannot be compared");
  if (auto fine = check_sample(x, "the first ranking"); !fine) return fail(std::move(fine.error()));
  if (auto fine = check_sample(y, "the second ranking"); !fine) return fail(std::move(fine.error()));
  const std::size_t n = x.size();
  const std::vector<std::int64_t> rx = rank_values(x).doubled;
  const std::vector<std::int64_t> ry = rank_values(y).doubled;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(rx[a], ry[a]) < std::pair(rx[b], ry[b]); });
  const double tied_x = equal_pairs(n, [&](std::size_t a, std::size_t b) { return rx[order[a]] == rx[order[b]]; });
  const double tied_both = equal_pairs(
      n, [&](std::size_t a, std::size_t b) { return rx[order[a]] == rx[order[b]] && ry[order[a]] == ry[order[b]]; });
  std::vector<std::int64_t> second;
  second.reserve(n);
  for (const std::size_t i : order) second.push_back(ry[i]);
  const auto discordant = static_cast<double>(sort_counting_swaps(second));
  const double tied_y = equal_pairs(n, [&](std::size_t a, std::size_t b) { return second[a] == second[b]; });

  const double pairs = static_cast<double>(n) * (static_cast<double>(n) - 1) / 2;
  if (pairs == tied_x || pairs == tied_y) {
    return fail("statistics-constant", "a ranking in which everything is equal has no tau");
  }
  const double concordant = pairs - tied_x - tied_y + tied_both - discordant;
  return (concordant - discordant) / (std::sqrt(pairs - tied_x) * std::sqrt(pairs - tied_y));
}

Result<double> kendall_w(const std::vector<std::vector<double>>& raters) {
  if (raters.empty()) return fail("statistics-empty", "agreement needs at least one rater");
  const std::size_t n = raters.front().size();
  std::vector<double> sums(n, 0.0);
  double ties = 0;
  for (const std::vector<double>& rater : raters) {
    if (rater.size() != n) return fail("statistics-lengths", "every rater must rate the same things");
    if (auto fine = check_sample(rater, "a rater"); !fine) return fail(std::move(fine.error()));
    const Ranking ranking = rank_values(rater);
    ties += ranking.tie_term;
    for (std::size_t i = 0; i < n; ++i) sums[i] += static_cast<double>(ranking.doubled[i]) / 2;
  }
  const auto m = static_cast<double>(raters.size());
  const auto items = static_cast<double>(n);
  const double centre = m * (items + 1) / 2;
  double spread = 0;
  for (const double sum : sums) spread += (sum - centre) * (sum - centre);
  const double possible = m * m * (items * items * items - items) - m * ties;
  if (possible <= 0) return fail("statistics-constant", "raters who rate everything equal cannot agree or disagree");
  return 12 * spread / possible;
}

}  // namespace rondo::statistics
