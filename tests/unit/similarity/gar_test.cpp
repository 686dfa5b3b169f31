#include <gtest/gtest.h>

#include <numeric>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

TEST(Gar, HasHandComputedScores) {
  // Identical: every note brings 0.24 x 2 x its length; three quarters: 3 x 0.12 = 0.36. Transposed alike.
  EXPECT_NEAR(score_of("GAR", quarters("C4 D4 E4"), quarters("G4 A4 B4")).value, 0.36, 1e-12);
  // A quarter against a half of equal pitch: 0.24 x 3/4 - 0.36 x 1/4 = 0.09.
  EXPECT_NEAR(score_of("GAR", line_of("C4 1/4"), line_of("C4 1/2")).value, 0.09, 1e-12);
  // One half note against two quarters of its pitch: joined, 0.24 x 1 - 0 = 0.24, as good as identical.
  EXPECT_NEAR(score_of("GAR", line_of("C4 1/2"), line_of("C4 1/4 C4 1/4")).value, 0.24, 1e-12);
  EXPECT_NEAR(score_of("GAR", line_of("C4 1/4 C4 1/4"), line_of("C4 1/2")).value, 0.24, 1e-12);
  // A short note between: C D E against C (F 1/16) D E: three pairs less 0.12 x 1/16 for the note put in.
  EXPECT_NEAR(score_of("GAR", quarters("C4 D4 E4"), line_of("C4 1/4 A4 1/16 D4 1/4 E4 1/4")).value, 0.36 - 0.0075,
              1e-12);
}

/// The whole table for every transposition by the definition, in whole hundredths of a tick.
double slow_gar(const Line& q, const Line& d) {
  using Whole = std::int64_t;
  const Whole grid = std::lcm(q.ticks_per_whole, d.ticks_per_whole);
  const auto len = [&](const Line& l, std::size_t i) { return l.duration[i] * (grid / l.ticks_per_whole); };
  Whole best = 0;
  for (int t = -36; t <= 36; ++t) {  // random lines lie within three octaves
    const auto dp = [&](std::size_t i, std::size_t j) -> Whole { return 100 * std::abs(d.pitch[j] - q.pitch[i] - t); };
    // Best score of a path that ends with i query notes and j document notes used.
    std::vector<std::vector<Whole>> h(q.size() + 1, std::vector<Whole>(d.size() + 1, 0));
    for (std::size_t i = 1; i <= q.size(); ++i) {
      for (std::size_t j = 1; j <= d.size(); ++j) {
        const Whole a = len(q, i - 1), b = len(d, j - 1);
        Whole v = std::max(Whole{0},
                           h[i - 1][j - 1] + 24 * (a + b) - std::min(a, b) * dp(i - 1, j - 1) - 36 * std::abs(a - b));
        v = std::max({v, h[i - 1][j] - 12 * a, h[i][j - 1] - 12 * b});
        if (j >= 2) {
          const Whole c = len(d, j - 2);
          v = std::max(v, h[i - 1][j - 2] + 24 * (a + b + c) - std::min(a, c) * dp(i - 1, j - 2) -
                              std::min(a, b) * dp(i - 1, j - 1) - 36 * std::abs(a - b - c));
        }
        if (i >= 2) {
          const Whole c = len(q, i - 2);
          v = std::max(v, h[i - 2][j - 1] + 24 * (a + b + c) - std::min(c, b) * dp(i - 2, j - 1) -
                              std::min(a, b) * dp(i - 1, j - 1) - 36 * std::abs(a + c - b));
        }
        h[i][j] = v;
        best = std::max(best, v);
      }
    }
  }
  return static_cast<double>(best) / (100.0 * static_cast<double>(grid));
}

/// The same melody written in a finer grid: too fine for 32 bits.
Line finer(Line line) {
  const std::int64_t factor = 900'000 / line.ticks_per_whole;
  line.ticks_per_whole *= factor;
  for (auto& onset : line.onset) onset *= factor;
  for (auto& duration : line.duration) duration *= factor;
  return line;
}

TEST(Gar, IsToTheBitWhatTheDefinitionGives) {
  std::mt19937 random(21);
  for (int i = 0; i < test::rounds(2000); ++i) {
    const Line q = random_line(random, 1 + random() % 12);
    const Line d = random_line(random, 1 + random() % (i % 50 == 0 ? 30 : 12));
    EXPECT_EQ(score_of("GAR", q, d).value, slow_gar(q, d)) << i;
    if (i % 10 == 0) {
      EXPECT_EQ(score_of("GAR", finer(q), d).value, slow_gar(finer(q), d)) << i;
    }
  }
}

TEST(Gar, ExplainsWithStepsThatAddUp) {
  std::mt19937 random(22);
  for (int i = 0; i < test::rounds(200); ++i) {
    const Line q = random_line(random, 1 + random() % 20);
    const Line d = random_line(random, 1 + random() % 20);
    const auto system = system_named("GAR");
    const Explanation why = system->prepare(q)->explain(d);
    double sum = 0;
    for (const Step& step : why.steps) sum += step.score;
    EXPECT_NEAR(sum, why.total, 1e-9);
  }
}

TEST(Gar, StaysFiniteForOutlandishLengths) {
  Line wild = quarters("C4 D4 E4");
  wild.ticks_per_whole = 999'983;
  wild.onset = {0, 1, 999'999'999'999};
  wild.duration = {1, 7, 999'999'999'983};
  Line other = wild;
  other.ticks_per_whole = 999'979;
  // About 2 x 0.24 x a million whole notes.
  EXPECT_NEAR(score_of("GAR", wild, other).value, 480'000, 100);
}

}  // namespace
}  // namespace rondo
