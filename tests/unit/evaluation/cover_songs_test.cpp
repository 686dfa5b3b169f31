// Table 2 of the paper on cover song identification, from the files in data/examples/cover-songs.

#include <cmath>

#include "evaluation/curves.h"
#include "support.h"

namespace rondo::evaluation {
namespace {

JudgedRun table() {
  return judged(truth_of(example("cover-songs/truth.json")), run_of(example("cover-songs/answers.run")));
}

/// The paper rounds some of its three digits and cuts others.
void expect_printed(double value, double printed, const std::string& where) {
  const double thousand = value * 1000;
  const bool rounds = std::abs(std::round(thousand) - printed * 1000) < 1e-6;
  const bool cuts = std::abs(std::trunc(thousand + 1e-9) - printed * 1000) < 1e-6;
  EXPECT_TRUE(rounds || cuts) << where << ": " << value << " is not printed as " << printed;
}

struct Row {
  const char* measure;
  std::vector<double> printed;
};

const std::vector<Row> kTable2{
    {"TP", {1, 4, 4, 4, 4, 0}},
    {"FP", {13, 10, 10, 10, 10, 14}},
    {"FN", {0, 3, 3, 10, 10, 4}},  // printed 14 for A6, which does not add up to 2054
    {"TN", {2040, 2037, 2037, 2030, 2030, 2036}},
    {"accuracy", {.994, .994, .994, .990, .990, .991}},
    {"sensitivity", {1, .571, .571, .285, .285, 0}},
    {"specificity[paper]", {1, .998, .998, .995, .995, .998}},
    {"fallout", {.006, .005, .005, .005, .005, .007}},
    {"P", {.071, .286, .286, .286, .286, 0}},
    {"R", {1, .571, .571, .286, .286, 0}},
    {"AP[retrieved]", {.250, .950, .307, .500, .496, 0}},
    {"F", {.133, .381, .381, .286, .286, 0}},
    {"RR[mean]", {.018, .145, .038, .074, .095, 0}},
    // Two figures are off by one in their last digit, by the paper's own definition: A5's DCG is
    // 1 + 1/ln 8 + 1/ln 9 + 1/ln 10 = 2.3703, printed 2.371, and A2's bpref is (3 + 6/7) / 7 = .5510, printed .550.
    {"DCG[ln]", {.721, 3.974, 1.987, 3.203, 2.370, 0}},
    {"bpref[paper]", {-2.000, .551, .143, .235, .194, 0}},
    {"bpref-10", {.727, .563, .395, .256, .232, 0}},
    {"bpref*", {.800, .564, .428, .260, .239, 0}},
};

TEST(CoverSongs, Table2ComesOutToThePrintedDigits) {
  const JudgedRun run = table();
  for (const Row& row : kTable2) {
    for (std::size_t i = 0; i < row.printed.size(); ++i) {
      const auto value = measure(row.measure).value(run.lists[i]);
      ASSERT_TRUE(value) << row.measure;
      expect_printed(*value, row.printed[i], std::string(row.measure) + " of A" + std::to_string(i + 1));
    }
  }
}

TEST(CoverSongs, JudgedFileWithoutEnvelopeGivesTheSameWhereTheSizeIsNotNeeded) {
  const auto run = run_of(example("cover-songs/answers.run"));
  const JudgedRun json = table();
  const JudgedRun lines = judged(truth_of(example("cover-songs/truth.txt")), run);
  for (const Row& row : kTable2) {
    for (std::size_t i = 0; i < json.lists.size(); ++i) {
      const auto with = measure(row.measure).value(json.lists[i]);
      const auto without = measure(row.measure).value(lines.lists[i]);
      if (!without) continue;
      EXPECT_DOUBLE_EQ(*with, *without) << row.measure;
    }
  }
  EXPECT_FALSE(measure("accuracy").value(lines.lists[0]));
  EXPECT_FALSE(measure("fallout@5").value(lines.lists[0]));
}

TEST(CoverSongs, TrueSpecificityIsOneMinusFallout) {
  for (const JudgedList& list : table().lists) {
    EXPECT_NEAR(*measure("specificity").value(list), 1 - *measure("fallout").value(list), 1e-15);
  }
}

TEST(CoverSongs, StandardMeasuresDifferFromThePapersWhereTheyShould) {
  const JudgedRun run = table();
  EXPECT_NEAR(*measure("AP").value(run.lists[1]), 3.8 / 7, 1e-12);
  EXPECT_NEAR(*measure("RR").value(run.lists[0]), 0.25, 1e-12);
  EXPECT_EQ(*measure("bpref").value(run.lists[0]), 0);  // 3 non-relevant before, capped at R = 1
  EXPECT_NEAR(*measure("DCG").value(run.lists[0]), 1 / std::log2(5.0), 1e-12);
}

TEST(CoverSongs, BreakEvenPointsAreOurs) {
  // A1: precision 1/4 at full recall. A2: 4/5 at 4/7. A3: 4/10 at 4/7. A4 and A5: at most 4 of 14 found.
  const std::vector<double> expected_values{0.25, 4.0 / 7, 0.4, 4.0 / 14, 4.0 / 14, 0};
  const JudgedRun run = table();
  for (std::size_t i = 0; i < expected_values.size(); ++i) {
    EXPECT_NEAR(*measure("BEP").value(run.lists[i]), expected_values[i], 1e-12) << i;
    EXPECT_GE(*measure("BEP").value(run.lists[i]), *measure("R-precision").value(run.lists[i]));
  }
}

TEST(CoverSongs, NormalizedLiftCurvesRunFromNothingToRecall) {
  const auto set = draw(*find_curve("normalized-lift"), table());
  ASSERT_TRUE(set);
  ASSERT_EQ(set->queries.size(), 6U);
  const Points& first = set->queries[0].points;  // A1: the only relevant document at rank 4 of 14
  ASSERT_EQ(first.size(), 15U);
  EXPECT_EQ(first[0], (Point{0, 0}));
  EXPECT_EQ(first[3].y, 0);
  EXPECT_DOUBLE_EQ(first[4].x, 4.0 / 14);
  EXPECT_EQ(first[4].y, 1);
  EXPECT_EQ(first[14], (Point{1, 1}));
  // The mean ends at the mean recall.
  EXPECT_DOUBLE_EQ(set->mean.back().x, 1);
  EXPECT_NEAR(set->mean.back().y, (1 + 4.0 / 7 + 4.0 / 7 + 4.0 / 14 + 4.0 / 14 + 0) / 6, 1e-12);
}

TEST(CoverSongs, RocAndLiftUseTheWholeCollection) {
  const JudgedRun run = table();
  const auto curve = roc(run.lists[0]);
  ASSERT_TRUE(curve);
  EXPECT_NEAR(curve->back().x, 13.0 / 2053, 1e-15);
  EXPECT_EQ(curve->back().y, 1);
  const auto lifted = lift(run.lists[1]);
  ASSERT_TRUE(lifted);
  EXPECT_NEAR((*lifted)[3].x, 3.0 / 2054, 1e-15);
  EXPECT_EQ((*lifted)[3].y, 3);
}

}  // namespace
}  // namespace rondo::evaluation
