#include "similarity/edit.h"

#include <gtest/gtest.h>

#include <functional>

#include "features/letters.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

TEST(Strings, TellContourAndRhythm) {
  EXPECT_EQ(contour_string(quarters("C4 E4 E4 D4")), "URD");
  EXPECT_EQ(rhythm_string(line_of("C4 1/4 C4 1/2 C4 1/2 C4 1/8")), "LES");
}

TEST(Contour, HasTheStandardCosts) {
  EXPECT_EQ(score_of("contour", quarters("C4 D4 E4"), quarters("G4 B4 C5")).value, 0);   // UU, UU
  EXPECT_EQ(score_of("contour", quarters("C4 D4 E4"), quarters("C4 D4 D4")).value, -1);  // UU, UR
  EXPECT_EQ(score_of("contour", quarters("C4 D4 E4"), quarters("C4 D4 C4")).value, -2);  // UU, UD
  EXPECT_EQ(score_of("contour", quarters("C4 D4 E4"), quarters("C4 D4")).value, -1);     // UU, U
}

TEST(Rhythm, IgnoresPitch) {
  EXPECT_EQ(score_of("rhythm", line_of("C4 1/4 D4 1/8 E4 1/4"), line_of("C4 1/2 C4 1/4 A4 1/2")).value, 0);
  EXPECT_EQ(score_of("rhythm", line_of("C4 1/4 D4 1/8 E4 1/4"), line_of("C4 1/4 C4 1/4 A4 1/2")).value, -1);
  EXPECT_EQ(score_of("rhythm", line_of("C4 1/4 D4 1/8 E4 1/4"), line_of("C4 1/4 C4 1/2 A4 1")).value, -2);
}

TEST(EditSystems, CostsAreParameters) {
  const SystemRow* row = find_system("contour");
  Parameters parameters(row->parameters);
  ASSERT_TRUE(parameters.set("opposite", 1.5));
  EXPECT_EQ(row->make(parameters)->prepare(quarters("C4 D4 E4"))->score(quarters("C4 D4 C4")).value, -1.5);
  EXPECT_EQ(parameters.set("opposite", -1).error().code, "parameter-out-of-range");
  EXPECT_EQ(parameters.set("opposite", std::nan("")).error().code, "parameter-out-of-range");
  EXPECT_EQ(parameters.set("oposite", 1).error().code, "parameter-unknown");
}

TEST(EditDistance, AgreesWithTheRecursiveDefinition) {
  std::mt19937 random(5);
  const EditCosts costs{1, 1.25, 0.75, 1.75};
  for (int round = 0; round < test::rounds(2000); ++round) {
    std::string a, b;
    for (std::size_t i = random() % 5; i > 0; --i) a += "UDR"[random() % 3];
    for (std::size_t i = random() % 5; i > 0; --i) b += "UDR"[random() % 3];
    const std::function<double(std::size_t, std::size_t)> slow = [&](std::size_t i, std::size_t j) -> double {
      if (i == a.size()) return static_cast<double>(b.size() - j) * costs.insertion;
      if (j == b.size()) return static_cast<double>(a.size() - i) * costs.deletion;
      const double change = a[i] == b[j] ? 0 : a[i] == 'R' || b[j] == 'R' ? costs.to_neutral : costs.opposite;
      return std::min({change + slow(i + 1, j + 1), costs.deletion + slow(i + 1, j), costs.insertion + slow(i, j + 1)});
    };
    EXPECT_DOUBLE_EQ(edit_distance(a, b, 'R', costs), slow(0, 0)) << a << " " << b;
    std::vector<Step> steps;
    EXPECT_DOUBLE_EQ(edit_distance_explained(a, b, 'R', costs, steps), slow(0, 0));
    double sum = 0;
    for (const Step& step : steps) sum += step.score;
    EXPECT_NEAR(-sum, slow(0, 0), 1e-12);
  }
}

}  // namespace
}  // namespace rondo
