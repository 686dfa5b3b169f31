#include "similarity/systems/orio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "similarity/gram_table.h"
#include "similarity/levels.h"
#include "similarity/mixture.h"
#include "similarity/ngram_cosine.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

TEST(Levels, OfIntervals) {
  EXPECT_EQ(interval_symbol(-14, Level::fine), -14);
  const auto medium = [](int semitones) { return interval_symbol(semitones, Level::medium); };
  EXPECT_EQ(medium(0), 0);
  EXPECT_EQ(medium(1), medium(2));
  EXPECT_NE(medium(2), medium(3));
  EXPECT_EQ(medium(3), medium(4));
  EXPECT_NE(medium(4), medium(5));
  EXPECT_EQ(medium(5), medium(7));
  EXPECT_NE(medium(7), medium(8));
  EXPECT_EQ(medium(8), medium(24));
  EXPECT_EQ(medium(-4), -medium(4));
  EXPECT_EQ(interval_symbol(9, Level::coarse), 1);
  EXPECT_EQ(interval_symbol(0, Level::coarse), 0);
  EXPECT_EQ(interval_symbol(-1, Level::coarse), -1);
  EXPECT_EQ(interval_symbol(30'000, Level::fine), 127) << "whatever the input, it fits its bits";
}

TEST(Levels, OfTimes) {
  const auto fine = [](int before, int now) { return ratio_symbol(before, now, Level::fine); };
  // Twice the log2 of the ratio, rounded: 2 -> 2, 3/2 -> 1.17, 4/3 -> 0.83, 7/6 -> 0.44, 3 -> 3.17.
  EXPECT_EQ(fine(1, 1), 0);
  EXPECT_EQ(fine(1, 2), 2);
  EXPECT_EQ(fine(2, 3), 1);
  EXPECT_EQ(fine(4, 3), -1);
  EXPECT_EQ(fine(6, 7), 0);
  EXPECT_EQ(fine(3, 1), -3);
  EXPECT_EQ(fine(1, 1'000'000), 7);
  const auto medium = [](int before, int now) { return ratio_symbol(before, now, Level::medium); };
  EXPECT_EQ(medium(2, 3), 0);
  EXPECT_EQ(medium(2, 4), 1);
  EXPECT_EQ(medium(5, 3), 0);
  EXPECT_EQ(medium(6, 3), -1);
  EXPECT_EQ(ratio_symbol(100, 101, Level::coarse), 1);
  EXPECT_EQ(ratio_symbol(101, 100, Level::coarse), -1);
  EXPECT_EQ(ratio_symbol(7, 7, Level::coarse), 0);
}

TEST(Levels, TwoBytesTellTheSymbolsOfAStepAtEveryLevel) {
  std::mt19937 random(50);
  for (int round = 0; round < test::rounds(300); ++round) {
    Line line = random_line(random, random() % 20);
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (random() % 4 == 0) line.pitch[i] = static_cast<std::int16_t>(random() % 65536 - 32768);
      if (random() % 4 == 0) line.duration[i] = 1 + static_cast<std::int64_t>(random() % 1'000'000);
      if (random() % 8 == 0) line.onset[i] = static_cast<std::int64_t>(random() % 1000);  // even backwards
    }
    std::vector<orio::StepCode> steps;
    orio::append_steps(line, steps);
    ASSERT_EQ(steps.size(), line.size());
    for (const Feature feature : kFeatures) {
      for (const Level level : kLevels) {
        std::vector<std::uint16_t> symbols;
        level_symbols(line, feature, level, symbols);
        for (std::size_t i = 0; i < symbols.size(); ++i) {
          int told = 0;
          if (feature != Feature::times) told += orio::interval_symbol_of(steps[i + 1].interval, level);
          if (feature != Feature::intervals) told += orio::time_symbol_of(steps[i + 1].time, level);
          EXPECT_EQ(told, symbols[i]);
        }
      }
    }
  }
}

TEST(GramTable, CountsLikeAMap) {
  std::mt19937_64 random(51);
  GramTable<std::uint32_t> table;
  EXPECT_EQ(table.get(7), 0U);
  std::map<std::uint64_t, std::uint32_t> twin;
  for (int i = 0; i < test::rounds(20'000); ++i) {
    const std::uint64_t gram = 1 + random() % 3000 * (random() % 2 == 0 ? 1 : 0x100000000U);
    ++table[gram];
    ++twin[gram];
  }
  EXPECT_EQ(table.size(), twin.size());
  for (const auto& [gram, count] : twin) EXPECT_EQ(table.get(gram), count);
  EXPECT_EQ(table.get(3'000'000), 0U);
}

TEST(NgramCosine, HasHandComputedScores) {
  const NgramCosine intervals(Feature::intervals, Level::fine);
  const auto alike = [&](const char* a, const char* b) {
    return intervals.prepare(quarters(a))->score(quarters(b)).value;
  };
  EXPECT_EQ(alike("C4 D4 E4 F4 G4", "D4 E4 F#4 G4 A4"), 1);
  // Without a collection all weigh the same. 2 2 1 2 has 221, 212, 2212; 2 2 1 -1 has 221, 21-1, 221-1: one of three
  // in common, 1 / sqrt(3 x 3).
  EXPECT_DOUBLE_EQ(alike("C4 D4 E4 F4 G4", "C4 D4 E4 F4 E4"), 1.0 / 3);
  // 0 0 0 0 has 000 twice and 0000; 0 0 0 has 000: 2 / (sqrt(5) x 1).
  EXPECT_DOUBLE_EQ(alike("C4 C4 C4 C4 C4", "C4 C4 C4 C4"), 2 / std::sqrt(5.0));
  EXPECT_EQ(alike("C4 D4 E4 F4", "F4 E4 D4 C4"), 0);
}

TEST(NgramCosine, RareSequencesWeighMore) {
  NgramCosine intervals(Feature::intervals, Level::fine);
  for (int i = 0; i < 9; ++i) intervals.learn(quarters("C4 D4 E4 F4"));  // 2 2 1
  // 1 + ln(10 / 10) = 1 and 1 + ln(10 / 1) = 3.3026, in 1024ths: 1024 and 3382.
  EXPECT_EQ(intervals.idf(9), 1024);
  EXPECT_EQ(intervals.idf(0), 3382);
  // Query 221 (1024), 212 and 2212 (3382 each); document 221 (1024), 21-1 and 221-1 (3382 each).
  const double square = 1024.0 * 1024.0;
  EXPECT_DOUBLE_EQ(intervals.prepare(quarters("C4 D4 E4 F4 G4"))->score(quarters("C4 D4 E4 F4 E4")).value,
                   square / (square + 2 * 3382.0 * 3382.0));
}

TEST(NgramCosine, TheExplanationAddsUp) {
  std::mt19937 random(52);
  for (const Feature feature : kFeatures) {
    for (const Level level : kLevels) {
      NgramCosine system(feature, level);
      for (int i = 0; i < 20; ++i) system.learn(random_line(random, 12));
      for (int i = 0; i < 50; ++i) {
        const Line query = random_line(random, 4 + random() % 12);
        const Explanation why = system.prepare(query)->explain(random_line(random, 4 + random() % 12));
        double sum = 0;
        for (const Step& step : why.steps) {
          sum += step.score;
          EXPECT_GE(step.query.end - step.query.begin, 4U);
          EXPECT_EQ(step.query.end - step.query.begin, step.document.end - step.document.begin);
        }
        EXPECT_NEAR(sum, why.total, 1e-12);
      }
    }
  }
}

TEST(NgramCosine, ShowsTheNotesOfWhatIsShared) {
  // 2 2 1 -1 -2 against 0 2 2 1 7: of the query 221, at its notes 0 to 3 and at the document's 1 to 4.
  const NgramCosine intervals(Feature::intervals, Level::fine);
  const auto why = intervals.prepare(quarters("C4 D4 E4 F4 E4 D4"))->explain(quarters("C4 C4 D4 E4 F4 C5"));
  ASSERT_EQ(why.steps.size(), 1U);
  EXPECT_EQ(why.steps[0].query, (NoteSpan{0, 4}));
  EXPECT_EQ(why.steps[0].document, (NoteSpan{1, 5}));
  // Itself: three n-grams of three intervals, two of four, one of five.
  const Line tune = quarters("C4 D4 E4 F4 E4 D4");
  const auto own = intervals.prepare(tune)->explain(tune);
  std::vector<NoteSpan> spans;
  for (const Step& step : own.steps) spans.push_back(step.query);
  EXPECT_THAT(spans, testing::ElementsAre(NoteSpan{0, 4}, NoteSpan{0, 5}, NoteSpan{0, 6}, NoteSpan{1, 5},
                                          NoteSpan{1, 6}, NoteSpan{2, 6}));
}

/// Every n-gram as a list of numbers, weights by the formula: nothing packed, nothing hashed.
double slow_cosine(const Line& a, const Line& b, Feature feature, Level level) {
  const auto vector = [&](const Line& line) {
    std::vector<std::uint16_t> symbols;
    level_symbols(line, feature, level, symbols);
    std::map<std::vector<int>, double> out;
    for (std::size_t n = 3; n <= 5; ++n) {
      for (std::size_t i = 0; i + n <= symbols.size(); ++i) {
        ++out[std::vector<int>(symbols.begin() + static_cast<std::ptrdiff_t>(i),
                               symbols.begin() + static_cast<std::ptrdiff_t>(i + n))];
      }
    }
    return out;
  };
  const auto x = vector(a);
  const auto y = vector(b);
  double xx = 0, yy = 0, xy = 0;
  for (const auto& [gram, count] : x) {
    xx += count * count;
    if (const auto found = y.find(gram); found != y.end()) xy += count * found->second;
  }
  for (const auto& [gram, count] : y) yy += count * count;
  return xy / std::sqrt(xx * yy);
}

TEST(Orio, APairScoresTheSumOfItsNineCosines) {
  std::mt19937 random(53);
  for (int round = 0; round < test::rounds(1000); ++round) {
    const Line a = random_line(random, 4 + random() % 15);
    const Line b = random_line(random, 4 + random() % 15);
    double sum = 0;
    for (const Feature feature : kFeatures) {
      for (const Level level : kLevels) sum += slow_cosine(a, b, feature, level);
    }
    EXPECT_NEAR(score_of("Orio", a, b).value, sum, 1e-9);
  }
}

TEST(Orio, HasHandComputedScores) {
  const Line tune = quarters("C4 D4 E4 F4");  // one n-gram: 2 2 1, R R R
  EXPECT_EQ(score_of("Orio", tune, quarters("G4 A4 B4 C5")).value, 9);
  // 2 2 2: not the same steps (fine), but seconds upwards (medium), and up (coarse); rhythm the same. So is both.
  EXPECT_EQ(score_of("Orio", tune, quarters("C4 D4 E4 F#4")).value, 2 + 3 + 2);
  // The same steps, the last note twice as long: no ratio sequence is the same at any level.
  EXPECT_EQ(score_of("Orio", tune, line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/2")).value, 3);
  EXPECT_EQ(score_of("Orio", tune, quarters("F4 E4 D4 C4")).value, 3);  // rhythm only
}

TEST(Orio, IsTheSumOfStretchedScoresOverACollection) {
  const auto system = system_named("Orio");
  const Mixture* mixture = system->mixture();
  ASSERT_NE(mixture, nullptr);
  ASSERT_EQ(mixture->parts().size(), 9U);
  // Three documents; every part scores them .2 .6 1, so each gets nine times 0, .5, 1.
  const std::vector<std::vector<Score>> scores(9, {{0.2, true}, {0.6, true}, {1, true}});
  std::vector<Mixed> out;
  mixture->mix(scores, 10, out);
  EXPECT_NEAR(out[0].score.value, 0, 1e-12);
  EXPECT_NEAR(out[1].score.value, 4.5, 1e-12);
  EXPECT_NEAR(out[2].score.value, 9, 1e-12);
}

}  // namespace
}  // namespace rondo
