#include "similarity/transport.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "support/rounds.h"
#include "support/slow_transport.h"

namespace rondo {
namespace {

/// Few different numbers, so that ties and empty arcs abound.
slow::Problem random_problem(std::mt19937& random) {
  const auto below = [&](unsigned limit) { return static_cast<std::int64_t>(random() % limit); };
  const unsigned highest_amount = 1 + static_cast<unsigned>(below(6)) * static_cast<unsigned>(below(200));
  const unsigned highest_cost = 1 + static_cast<unsigned>(below(4)) * static_cast<unsigned>(below(300));
  slow::Problem p;
  p.supplies.resize(static_cast<std::size_t>(1 + below(9)));
  p.demands.resize(static_cast<std::size_t>(1 + below(9)));
  for (auto& amount : p.supplies) amount = 1 + below(highest_amount);
  for (auto& amount : p.demands) amount = 1 + below(highest_amount);
  if (below(2) == 0) {
    // Balanced: each side multiplied by the other's total.
    const std::int64_t a = std::accumulate(p.supplies.begin(), p.supplies.end(), std::int64_t{0});
    const std::int64_t b = std::accumulate(p.demands.begin(), p.demands.end(), std::int64_t{0});
    for (auto& amount : p.supplies) amount *= b;
    for (auto& amount : p.demands) amount *= a;
  }
  p.costs.resize(p.supplies.size() * p.demands.size());
  for (auto& cost : p.costs) cost = below(highest_cost);
  return p;
}

double solve(Transport& transport, const std::vector<std::int64_t>& costs) {
  std::copy(costs.begin(), costs.end(), transport.costs().begin());
  return transport.solve();
}

TEST(Transport, HasHandComputedCosts) {
  Transport transport;
  // 3 and 2 to 2 and 3. Costs 1 4 / 2 1: two units 0->0 (2), one 0->1 (4), two 1->1 (2): 8.
  transport.reset(std::vector<std::int64_t>{3, 2}, std::vector<std::int64_t>{2, 3});
  EXPECT_EQ(solve(transport, {1, 4, 2, 1}), 8);
  // The other way round is dearer to leave: 4 1 / 1 2. All of 0 to 1 (3), all of 1 to 0 (2): 5.
  EXPECT_EQ(solve(transport, {4, 1, 1, 2}), 5);
  // More supply than demand: 5 and 5 to 4, at 7 and 3: the cheaper one gives all 4, 12.
  transport.reset(std::vector<std::int64_t>{5, 5}, std::vector<std::int64_t>{4});
  EXPECT_EQ(solve(transport, {7, 3}), 12);
  // More demand than supply: 4 to 3 and 9, at 1 and 6: 3 + 6 = 9.
  transport.reset(std::vector<std::int64_t>{4}, std::vector<std::int64_t>{3, 9});
  EXPECT_EQ(solve(transport, {1, 6}), 9);
}

TEST(Transport, AgreesWithSuccessiveShortestPaths) {
  std::mt19937 random(5);
  Transport transport;
  for (int round = 0; round < test::rounds(4000); ++round) {
    slow::Problem p = random_problem(random);
    transport.reset(p.supplies, p.demands);
    ASSERT_EQ(solve(transport, p.costs), static_cast<double>(slow::cheapest(p))) << round;
    // The same amounts at other costs, from the last tree; the bound holds before and is reached after.
    for (auto& cost : p.costs) cost = static_cast<std::int64_t>(random() % 20);
    std::copy(p.costs.begin(), p.costs.end(), transport.costs().begin());
    const auto expected = static_cast<double>(slow::cheapest(p));
    EXPECT_LE(transport.lower_bound(), expected) << round;
    ASSERT_EQ(transport.solve(), expected) << round;
    EXPECT_EQ(transport.lower_bound(), expected) << round;
  }
}

TEST(Transport, ShipsAllOfTheSmallerSideAndNoMoreThanThereIs) {
  std::mt19937 random(6);
  Transport transport;
  for (int round = 0; round < test::rounds(1000); ++round) {
    const slow::Problem p = random_problem(random);
    transport.reset(p.supplies, p.demands);
    const double total = solve(transport, p.costs);
    std::vector<std::int64_t> given(p.supplies.size(), 0), taken(p.demands.size(), 0);
    std::int64_t cost = 0;
    for (const Shipment& s : transport.shipments()) {
      EXPECT_GT(s.amount, 0);
      given[s.from] += s.amount;
      taken[s.to] += s.amount;
      cost += s.amount * p.costs[s.from * p.demands.size() + s.to];
    }
    for (std::size_t i = 0; i < given.size(); ++i) EXPECT_LE(given[i], p.supplies[i]);
    for (std::size_t j = 0; j < taken.size(); ++j) EXPECT_LE(taken[j], p.demands[j]);
    EXPECT_EQ(std::accumulate(given.begin(), given.end(), std::int64_t{0}),
              std::min(std::accumulate(p.supplies.begin(), p.supplies.end(), std::int64_t{0}),
                       std::accumulate(p.demands.begin(), p.demands.end(), std::int64_t{0})));
    EXPECT_EQ(total, static_cast<double>(cost));
  }
}

TEST(Transport, ManyEqualNumbersEnd) {
  // Every amount 1, every cost alike but for a few: as degenerate as can be.
  std::mt19937 random(7);
  Transport transport;
  const std::vector<std::int64_t> ones(150, 1);
  transport.reset(ones, ones);
  std::vector<std::int64_t> costs(150 * 150);
  for (auto& cost : costs) cost = static_cast<std::int64_t>(random() % 3);
  const slow::Problem p{ones, ones, costs};
  EXPECT_EQ(solve(transport, costs), static_cast<double>(slow::cheapest(p)));
}

}  // namespace
}  // namespace rondo
