#include "search/fast/heap_prices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "similarity/transport.h"
#include "support/heaps.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::fast {
namespace {

using kernels::HeapPlacing;
using kernels::Heaps;

/// Heaps of whole weights; in Heaps they are shares.
struct WeighedHeaps {
  Heaps heaps;
  std::vector<std::int64_t> weight;

  [[nodiscard]] std::int64_t total() const { return std::accumulate(weight.begin(), weight.end(), std::int64_t{0}); }
};

WeighedHeaps random_heaps(std::mt19937& random, std::size_t most) {
  WeighedHeaps out;
  out.heaps.clear(1 + random() % most);
  // Few places, so that many heaps share one, or many.
  const unsigned grid = random() % 2 == 0 ? 1000 : 1;
  for (std::size_t i = 0; i < out.heaps.size; ++i) {
    out.weight.push_back(1 + static_cast<std::int64_t>(random() % 9));
    out.heaps.time[i] = static_cast<float>(random() % (40 * grid)) / static_cast<float>(grid);
    out.heaps.pitch[i] = static_cast<float>(100 + random() % 60);
  }
  for (std::size_t i = 0; i < out.heaps.size; ++i)
    out.heaps.weight[i] = static_cast<float>(out.weight[i]) / static_cast<float>(out.total());
  out.heaps.pad();
  return out;
}

/// The least work by the exact solver, if the sides weigh as `query_load` to `document_load`.
double exact_work(const WeighedHeaps& query, std::int64_t query_load, const WeighedHeaps& document,
                  std::int64_t document_load, HeapPlacing placing) {
  constexpr double kUnits = 1 << 24;
  std::vector<std::int64_t> supplies = query.weight;
  std::vector<std::int64_t> demands = document.weight;
  for (std::int64_t& one : supplies) one *= document.total() * query_load;
  for (std::int64_t& one : demands) one *= query.total() * document_load;
  Transport transport;
  transport.reset(supplies, demands);
  std::int64_t* cost = transport.costs().data();
  for (std::size_t i = 0; i < query.heaps.size; ++i) {
    for (std::size_t j = 0; j < document.heaps.size; ++j) {
      const double dt = document.heaps.time[j] - static_cast<double>(query.heaps.time[i]) * placing.stretch;
      const double dp = document.heaps.pitch[j] - static_cast<double>(query.heaps.pitch[i]) - placing.transposition;
      *cost++ = std::llround(std::hypot(dt, dp) * kUnits);
    }
  }
  const auto carried = static_cast<double>(query.total() * document.total() * std::min(query_load, document_load));
  return transport.solve() / kUnits / carried;
}

TEST(HeapPrices, BoundTheWorkFromBelowAndComeNearIt) {
  kernels::at_every_level([](std::string_view level) {
    std::mt19937 random(31);
    HeapPrices prices;
    double share = 0;
    int bounds = 0;
    for (int round = 0; round < test::rounds(150); ++round) {
      const WeighedHeaps query = random_heaps(random, 40);
      const WeighedHeaps document = random_heaps(random, 40);
      const std::int64_t query_load = 1 + static_cast<std::int64_t>(random() % 3);
      const std::int64_t document_load = 1 + static_cast<std::int64_t>(random() % 3);
      const auto least = static_cast<float>(std::min(query_load, document_load));
      prices.begin(query.heaps, static_cast<float>(query_load) / least, document.heaps,
                   static_cast<float>(document_load) / least);
      for (const HeapPlacing placing : {HeapPlacing{1, 0}, HeapPlacing{0.8F, 3}, HeapPlacing{1.25F, -6}}) {
        const double exact = exact_work(query, query_load, document, document_load, placing);
        const float bound = prices.bound(placing, static_cast<float>(exact));
        ASSERT_LE(bound, exact + 1e-5) << level << " " << round << ": " << query_load << " to " << document_load;
        const auto half = static_cast<float>(exact / 2);
        ASSERT_LE(prices.bound(placing, half), exact + 1e-5) << level << " " << round;
        if (exact < 1) continue;
        share += bound / exact;
        ++bounds;
      }
    }
    EXPECT_GT(share / bounds, 0.97) << level;
  });
}

TEST(HeapPrices, ManyHeapsCannotAllGoToTheNearestPlace) {
  // Two heaps lie on the first of two places: one must go to the other, 5 away, with half of the weight.
  const Heaps query = test::heaps({{0, 0, 0.5F}, {0, 0, 0.5F}});
  const Heaps document = test::heaps({{0, 0, 0.5F}, {3, 4, 0.5F}});
  HeapPrices prices;
  prices.begin(query, 1, document, 1);
  const float bound = prices.bound({1, 0}, 2.4F);
  EXPECT_GE(bound, 2.4F);
  EXPECT_LE(bound, 2.5F);
  // Where the places have room for twice the weight, both can stay.
  prices.begin(query, 1, document, 2);
  EXPECT_LE(prices.bound({1, 0}, 2.5F), 0);
}

}  // namespace
}  // namespace rondo::fast
