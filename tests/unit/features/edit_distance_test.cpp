#include "rondo/features/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/rounds.h"

namespace rondo::edit_distance_test {

TEST(EditDistance, OfContoursByHand) {
  const EditCosts costs;
  EXPECT_EQ(edit_distance("UUD", "UUD", 'R', costs), 0);
  EXPECT_EQ(edit_distance("UUD", "URD", 'R', costs), 1) << "up against repeat";
  EXPECT_EQ(edit_distance("UUD", "UDD", 'R', costs), 2) << "up against down";
  EXPECT_EQ(edit_distance("UUD", "UUDRR", 'R', costs), 2) << "two more letters";
  EXPECT_EQ(edit_distance("", "UDR", 'R', costs), 3);
  EXPECT_EQ(edit_distance("UDR", "", 'R', costs), 3);
  EXPECT_EQ(edit_distance("", "", 'R', costs), 0);
  EXPECT_EQ(edit_distance("UU", "DD", 'R', {.insertion = 3, .deletion = 4, .to_neutral = 1, .opposite = 5}), 10);
  EXPECT_EQ(edit_distance("U", "D", 'R', {.insertion = 1, .deletion = 0.5, .to_neutral = 1, .opposite = 5}), 1.5);
}

double slowly(const std::string& a, const std::string& b, char neutral, const EditCosts& costs) {
  std::vector<std::vector<double>> table(a.size() + 1, std::vector<double>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      double best = i == 0 && j == 0 ? 0 : std::numeric_limits<double>::infinity();
      if (i > 0) best = std::min(best, table[i - 1][j] + costs.deletion);
      if (j > 0) best = std::min(best, table[i][j - 1] + costs.insertion);
      if (i > 0 && j > 0) {
        const bool soft = a[i - 1] == neutral || b[j - 1] == neutral;
        const double change = a[i - 1] == b[j - 1] ? 0 : soft ? costs.to_neutral : costs.opposite;
        best = std::min(best, table[i - 1][j - 1] + change);
      }
      table[i][j] = best;
    }
  }
  return table[a.size()][b.size()];
}

TEST(EditDistance, AnyLetterWillDo) {
  const std::string odd("U\0D", 3);
  EXPECT_EQ(edit_distance(odd, "UUD", 'R', {.insertion = 9, .deletion = 9, .to_neutral = 1, .opposite = 2}), 2);
  EXPECT_EQ(edit_distance("\xFFU", "\xFF\xFE", 'R', {}), 2);
}

TEST(EditDistance, IsTheSameByEveryWay) {
  std::mt19937 random(8);
  const EditCosts all[] = {{},          {1, 1, 0.5, 1.5}, {2, 0.0625, 1, 3}, {0.1, 0.3, 0.7, 1.1}, {90, 100, 80, 100},
                           {0, 0, 0, 0}};
  for (int round = 0; round < test::rounds(4000); ++round) {
    // Mostly the lengths of incipits; some beyond what the quick way takes.
    const unsigned most = round % 20 == 0 ? 90 : 40;
    std::string a(random() % most, 'R');
    std::string b(random() % most, 'R');
    for (char& c : a) c = "UDR"[random() % 3];
    for (char& c : b) c = "UDR"[random() % 3];
    const EditCosts& costs = all[round % 6];
    EXPECT_DOUBLE_EQ(edit_distance(a, b, 'R', costs), slowly(a, b, 'R', costs)) << a << " " << b;
  }
}

TEST(EditDistance, FromAboutSixtyLettersOnToo) {
  std::mt19937 random(9);
  for (std::size_t size : {63U, 64U, 65U, 128U, 500U}) {
    std::string a(size, 'U');
    for (char& c : a) c = "UDR"[random() % 3];
    const std::string b = "D" + a + "R";
    EXPECT_EQ(edit_distance(a, b, 'R', {}), 2);
    EXPECT_EQ(edit_distance(a, std::string(size, 'R'), 'R', {}), slowly(a, std::string(size, 'R'), 'R', {}));
  }
}

}  // namespace rondo::edit_distance_test
