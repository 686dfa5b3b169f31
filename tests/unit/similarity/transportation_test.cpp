#include "similarity/systems/transportation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/lines.h"
#include "support/rounds.h"
#include "support/slow_transport.h"

namespace rondo {
namespace {

TEST(Transportation, IsNothingForOneMelodyInAnotherKeyAndTempo) {
  // Transposed with its spelling (a fifth up) and in halves.
  const Line query = quarters("C4 D4 Eb4 C4");
  for (const char* system : {"EMD", "PTD"}) {
    EXPECT_EQ(score_of(system, query, query).value, 0);
    EXPECT_EQ(score_of(system, query, line_of("G4 1/2 A4 1/2 Bb4 1/2 G4 1/2")).value, 0);
    // A single note lies at time 0 wherever it is, and its pitch is the mean.
    EXPECT_EQ(score_of(system, line_of("C4 1/4"), line_of("B5 1/8")).value, 0);
  }
}

TEST(Transportation, HasHandComputedDistances) {
  // Notes at 0 and half the length, 20 steps apart. C D is 6 base-40 steps; with C C laid anywhere between, the two
  // halves of the weight are carried t and 6 - t: 3 in the mean. Carrying in time would cost 20.
  EXPECT_NEAR(score_of("EMD", quarters("C4 C4"), quarters("C4 D4")).value, -3, 1e-7);
  EXPECT_NEAR(score_of("PTD", quarters("C4 C4"), quarters("C4 D4")).value, -3, 1e-7);
  // Query: 1/4 at 0, 3/4 at 10 steps; document: 3/4 at 0, 1/4 at 30. Stretched by s: 1/2 is carried from 10s to 0,
  // 1/4 from 10s to 30: 5s + 7.5 - 2.5s = 7.5 + 2.5s, the least with s = 0.8: 9.5.
  EXPECT_NEAR(score_of("EMD", line_of("C4 1/4 C4 3/4"), line_of("C4 3/4 C4 1/4")).value, -9.5, 1e-7);
  EXPECT_NEAR(score_of("PTD", line_of("C4 1/4 C4 3/4"), line_of("C4 3/4 C4 1/4")).value, -9.5, 1e-7);
}

TEST(Transportation, OnlyPtdHearsARestWhereTheOtherHolds) {
  // Query: 1/4 at 0 and 1/2 at 20 steps; document: 1/2 at both. EMD leaves the surplus: 0.
  const Line query = line_of("C4 1/4 r 1/4 C4 1/2");
  const Line document = line_of("C4 1/2 C4 1/2");
  EXPECT_EQ(score_of("EMD", query, document).value, 0);
  EXPECT_EQ(score_of("EMD", document, query).value, 0);
  // PTD: 1/3 and 2/3 against 1/2 and 1/2: a sixth is carried over 20 steps: 10/3. (Stretched by 0.9: 1/6 of 18 and
  // 1/2 of 2 are 4.)
  EXPECT_NEAR(score_of("PTD", query, document).value, -10.0 / 3, 1e-7);
}

TEST(Transportation, OfTheTranspositionsAskedForOnlyThoseOfTheGridCount) {
  // The mean pitch is 2.5 steps apart, rounded up: 3, and 6 to both sides. Around 2, which rounding of sums might give,
  // it would be -4 to 8.
  const Line document = quarters("C4 Db4");
  const auto query = transportation::prepare({TransportPlan::Weights::durations, 40, 6}, quarters("C4 C4"));
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const auto score = [&](std::int32_t transposition) {
    const transportation::Placing placing{0, 1, transposition};
    return query->score_under(document, {&placing, 1}, kNone);
  };
  EXPECT_EQ(score(-4), kNone);
  EXPECT_NEAR(score(-3), -5.5, 1e-7);
  EXPECT_NEAR(score(9), -6.5, 1e-7);
  EXPECT_EQ(score(10), kNone);
}

/// The definition: every placing on the grid, each solved from the beginning by the slow solver.
double slow_distance(bool proportional, const Line& q, const Line& d) {
  const auto end = [](const Line& l) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < l.size(); ++i) last = std::max(last, l.onset[i] + l.duration[i]);
    return last - l.onset[0];
  };
  std::int64_t sum_q = 0, sum_d = 0;
  for (const auto w : q.duration) sum_q += w;
  for (const auto w : d.duration) sum_d += w;
  slow::Problem p;
  double mean_q = 0, mean_d = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    p.supplies.push_back(q.duration[i] * (proportional ? sum_d : end(d)));
    mean_q += static_cast<double>(q.duration[i] * q.base40[i]) / static_cast<double>(sum_q);
  }
  for (std::size_t j = 0; j < d.size(); ++j) {
    p.demands.push_back(d.duration[j] * (proportional ? sum_q : end(q)));
    mean_d += static_cast<double>(d.duration[j] * d.base40[j]) / static_cast<double>(sum_d);
  }
  std::int64_t total_q = 0, total_d = 0;
  for (const auto w : p.supplies) total_q += w;
  for (const auto w : p.demands) total_d += w;
  p.costs.resize(q.size() * d.size());
  const int middle = static_cast<int>(std::floor(mean_d - mean_q + 0.5 + 1e-9));
  constexpr double kScale = 1 << 20;
  double best = std::numeric_limits<double>::max();
  for (const double stretch : std::array{0.8, 0.9, 1.0, 10.0 / 9, 1.25}) {
    for (int t = middle - 6; t <= middle + 6; ++t) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        for (std::size_t j = 0; j < d.size(); ++j) {
          const double at_q = static_cast<double>(q.onset[i] - q.onset[0]) / static_cast<double>(end(q)) * stretch;
          const double at_d = static_cast<double>(d.onset[j] - d.onset[0]) / static_cast<double>(end(d));
          const double distance = std::hypot(40 * (at_d - at_q), d.base40[j] - q.base40[i] - t);
          p.costs[i * d.size() + j] = std::llround(distance * kScale);
        }
      }
      best = std::min(
          best, static_cast<double>(slow::cheapest(p)) / kScale / static_cast<double>(std::min(total_q, total_d)));
    }
  }
  return best;
}

TEST(Transportation, SkippingPlacingsLosesNothing) {
  std::mt19937 random(31);
  for (int round = 0; round < test::rounds(2000); ++round) {
    const Line q = random_line(random, 1 + random() % 5);
    const Line d = random_line(random, 1 + random() % 5);
    const bool proportional = round % 2 == 0;
    EXPECT_NEAR(score_of(proportional ? "PTD" : "EMD", q, d).value, -slow_distance(proportional, q, d), 2e-6);
  }
}

/// Each placing by itself knows nothing of the others.
TEST(Transportation, WhatOnePlacingSaysOfOthersLosesNothing) {
  using transportation::Placing;
  std::mt19937 random(34);
  for (int round = 0; round < test::rounds(60); ++round) {
    const auto weights = round % 2 == 0 ? transportation::Weights::durations : transportation::Weights::shares;
    const TransportPlan plan{weights, std::array{0.0, 7.0, 40.0, 300.0}[random() % 4], 6};
    // The query carried whole and in part, and rests.
    Line query = random_line(random, 1 + random() % 12);
    const Line document = random_line(random, 1 + random() % 12);
    for (std::size_t i = 0; i < query.size(); ++i) {
      if (random() % 3 == 0) query.duration[i] = std::max<std::int64_t>(1, query.duration[i] / 4);
    }
    const auto prepared = transportation::prepare(plan, query);
    std::vector<Placing> placings;
    for (int i = 0; i < 20; ++i) {
      const double stretch = transportation::kStretches[random() % transportation::kStretches.size()];
      placings.push_back({0, stretch, static_cast<std::int32_t>(random() % 60) - 30});
    }
    const double nothing = -std::numeric_limits<double>::infinity();
    double best = nothing;
    for (const Placing& one : placings) {
      best = std::max(best, prepared->score_under(document, std::span(&one, 1), nothing));
    }
    EXPECT_EQ(prepared->score_under(document, placings, nothing), best) << round;
    EXPECT_EQ(prepared->score_under(document, placings, best), best) << round;
    EXPECT_EQ(prepared->score_under(document, placings, best - 0.5), best) << round;
    EXPECT_LE(prepared->score_under(document, placings, best + 0.01), best) << round;
  }
}

TEST(Transportation, ExplainsWhereEverythingIsCarried) {
  std::mt19937 random(32);
  for (int round = 0; round < test::rounds(200); ++round) {
    const Line q = random_line(random, 1 + random() % 25);
    const Line d = random_line(random, 1 + random() % 25);
    for (const char* name : {"EMD", "PTD"}) {
      const auto system = system_named(name);
      const Explanation why = system->prepare(q)->explain(d);
      double sum = 0;
      std::vector<bool> used(q.size(), false);
      for (const Step& step : why.steps) {
        EXPECT_EQ(step.kind, Step::Kind::flow);
        sum += step.score;
        used[step.query.begin] = true;
      }
      EXPECT_NEAR(sum, why.total, 1e-9);
      if (std::string_view(name) == "PTD") {
        EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
      }
    }
  }
}

TEST(Transportation, EndsForLongAndForOutlandishMelodies) {
  std::mt19937 random(33);
  const Line longest = random_line(random, 700);
  EXPECT_EQ(score_of("PTD", longest, longest).value, 0);
  // Lengths of a millionth and of a million whole notes.
  Line wild = quarters("C4 D4 E4");
  wild.ticks_per_whole = 1'000'000;
  wild.onset = {0, 1, 999'999'999'999};
  wild.duration = {1, 7, 999'999'999'983};
  for (const char* name : {"EMD", "PTD"}) {
    EXPECT_TRUE(std::isfinite(score_of(name, wild, quarters("C4 D4 E4")).value));
    EXPECT_EQ(score_of(name, wild, wild).value, 0);
  }
}

}  // namespace
}  // namespace rondo
