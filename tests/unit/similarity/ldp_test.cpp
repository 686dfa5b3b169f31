#include <gtest/gtest.h>

#include <functional>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

TEST(Ldp, HasHandComputedDistances) {
  const Line query = quarters("C4 D4 E4");
  EXPECT_EQ(score_of("LDP", query, quarters("G4 A4 B4 C5 D5")).value, 0);  // a fifth up; the rest is free
  // One note a semitone off: 1 by changing it.
  EXPECT_EQ(score_of("LDP", query, quarters("C4 D4 F4")).value, -1);
  // Two notes before the tune: both must be put in, or changed at greater cost. A#3 C4 E4 F#4 ... C D E = 60 62 64,
  // document 60 66 62 64: leaving out 66 costs 1.
  EXPECT_EQ(score_of("LDP", query, quarters("C4 F#4 D4 E4")).value, -1);
  // Nothing in common but one note: E.g. a single C: two notes deleted.
  EXPECT_EQ(score_of("LDP", query, quarters("C4")).value, -2);
}

TEST(Ldp, AgreesWithTheRecursiveDefinition) {
  std::mt19937 random(13);
  for (int round = 0; round < test::rounds(1000); ++round) {
    const Line q = random_line(random, 1 + random() % 5);
    const Line d = random_line(random, 1 + random() % 5);
    int best = 1000;
    for (int t = -60; t <= 60; ++t) {
      // Cost of the first i against the first j.
      const std::function<int(std::size_t, std::size_t)> slow = [&](std::size_t i, std::size_t j) -> int {
        if (i == 0 || j == 0) return static_cast<int>(i + j);
        return std::min({slow(i - 1, j - 1) + std::abs(d.pitch[j - 1] - q.pitch[i - 1] - t), slow(i - 1, j) + 1,
                         slow(i, j - 1) + 1});
      };
      for (std::size_t j = 0; j <= d.size(); ++j) best = std::min(best, slow(q.size(), j));
    }
    EXPECT_EQ(score_of("LDP", q, d).value, -best);
  }
}

}  // namespace
}  // namespace rondo
