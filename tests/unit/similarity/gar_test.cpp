#include <gtest/gtest.h>

#include <functional>

#include "support/lines.h"

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

/// All paths through the local alignment, by the definition, in double arithmetic, for every transposition.
double slow_gar(const Line& q, const Line& d) {
  const auto len = [](const Line& l, std::size_t i) {
    return static_cast<double>(l.duration[i]) / static_cast<double>(l.ticks_per_whole);
  };
  double best = 0;
  for (int t = -50; t <= 50; ++t) {
    const auto dp = [&](std::size_t i, std::size_t j) { return std::abs(d.pitch[j] - q.pitch[i] - t); };
    // Best score of a path that ends with i query notes and j document notes used.
    std::vector<std::vector<double>> h(q.size() + 1, std::vector<double>(d.size() + 1, 0));
    for (std::size_t i = 1; i <= q.size(); ++i) {
      for (std::size_t j = 1; j <= d.size(); ++j) {
        const double a = len(q, i - 1), b = len(d, j - 1);
        double v = std::max(
            0.0, h[i - 1][j - 1] + 0.24 * (a + b) - std::min(a, b) * dp(i - 1, j - 1) - 0.36 * std::abs(a - b));
        v = std::max({v, h[i - 1][j] - 0.12 * a, h[i][j - 1] - 0.12 * b});
        if (j >= 2) {
          const double c = len(d, j - 2);
          v = std::max(v, h[i - 1][j - 2] + 0.24 * (a + b + c) - std::min(a, c) * dp(i - 1, j - 2) -
                              std::min(a, b) * dp(i - 1, j - 1) - 0.36 * std::abs(a - b - c));
        }
        if (i >= 2) {
          const double c = len(q, i - 2);
          v = std::max(v, h[i - 2][j - 1] + 0.24 * (a + b + c) - std::min(c, b) * dp(i - 2, j - 1) -
                              std::min(a, b) * dp(i - 1, j - 1) - 0.36 * std::abs(a + c - b));
        }
        h[i][j] = v;
        best = std::max(best, v);
      }
    }
  }
  return best;
}

TEST(Gar, SkippingTranspositionsLosesNothing) {
  std::mt19937 random(21);
  for (int i = 0; i < 1500; ++i) {
    const Line q = random_line(random, 1 + random() % 12);
    const Line d = random_line(random, 1 + random() % 12);
    EXPECT_NEAR(score_of("GAR", q, d).value, slow_gar(q, d), 1e-9);
  }
}

}  // namespace
}  // namespace rondo
