#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "similarity/simile.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using simile::bar_keys;
using simile::harmony_similarity;
using simile::interval_grams;
using simile::ngram_similarity;
using simile::rhythm_classes;
using simile::rhythm_similarity;
using testing::ElementsAre;

using Letters = std::vector<std::int8_t>;

double grams_alike(const Line& a, const Line& b) {
  std::vector<simile::Gram> one;
  std::vector<simile::Gram> other;
  interval_grams(a, one);
  interval_grams(b, other);
  return ngram_similarity(one, other);
}

Letters classes(const Line& line) {
  Letters out;
  rhythm_classes(line, out);
  return out;
}

Letters keys(const Line& line) {
  Letters out;
  bar_keys(line, out);
  return out;
}

/// A line with measures of so many quarters.
Line in_bars(const std::string& names, int quarters_each) {
  Line line = quarters(names);
  const std::int64_t quarter = line.duration.at(0);
  for (std::int64_t at = 0; at <= line.onset.back(); at += quarter * quarters_each) line.bars.push_back(at);
  return line;
}

TEST(NgramSimilarity, CountsWindowsOfThreeIntervals) {
  // 2 2 1 | 2 1 2 against 2 2 1 | 2 1 -2: one of two shared on each side: 1 - 2/4.
  EXPECT_DOUBLE_EQ(grams_alike(quarters("C4 D4 E4 F4 G4"), quarters("G4 A4 B4 C5 A#4")), 0.5);
  EXPECT_DOUBLE_EQ(grams_alike(quarters("C4 D4 E4 F4"), quarters("D4 E4 F#4 G4")), 1);
  EXPECT_DOUBLE_EQ(grams_alike(quarters("C4 D4 E4 F4"), quarters("C4 C4 C4 C4")), 0);
  // 0 0 0 once against three times: 1 - 2/4.
  EXPECT_DOUBLE_EQ(grams_alike(quarters("C4 C4 C4 C4"), quarters("C4 C4 C4 C4 C4 C4")), 0.5);
}

TEST(NgramSimilarity, AgreesWithTheSumOfDifferences) {
  std::mt19937 random(41);
  for (int round = 0; round < test::rounds(2000); ++round) {
    std::vector<simile::Gram> a;
    std::vector<simile::Gram> b;
    std::map<simile::Gram, int> difference;
    for (std::size_t i = random() % 8; i > 0; --i) ++difference[a.emplace_back(random() % 4)];
    for (std::size_t i = 1 + random() % 8; i > 0; --i) --difference[b.emplace_back(random() % 4)];
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    int sum = 0;
    for (const auto& [gram, count] : difference) sum += std::abs(count);
    EXPECT_DOUBLE_EQ(ngram_similarity(a, b), 1 - static_cast<double>(sum) / static_cast<double>(a.size() + b.size()));
  }
}

TEST(RhythmClasses, AreRelativeToTheMostFrequentTime) {
  // Quarters are most frequent. 1/16 is .25: -2; 1/8 .5: -1; 3/8 1.5: 0; 1/2 2: 1; 1 4: 2.
  EXPECT_THAT(classes(line_of("C4 1/4 C4 1/4 C4 1/16 C4 1/8 C4 3/8 C4 1/2 C4 1")), ElementsAre(0, 0, -2, -1, 0, 1, 2));
  // A rest belongs to the note before it: times 1/4 1/4 1/2; the last note's is its duration, 1/8.
  EXPECT_THAT(classes(line_of("C4 1/4 C4 1/4 C4 1/4 r 1/4 C4 1/8")), ElementsAre(0, 0, 1, -1));
  // Equally frequent: the shortest is usual, so the half is twice as long.
  EXPECT_THAT(classes(line_of("C4 1/2 C4 1/4")), ElementsAre(1, 0));
}

TEST(RhythmClasses, AreDecidedExactlyAtTheirBorders) {
  // 20 ticks are usual; 9 are .45, 18 .9, 36 1.8, 66 3.3.
  const auto at = [](int ticks) {
    return classes(line_of("C4 20/100 C4 20/100 C4 20/100 C4 " + std::to_string(ticks) + "/100")).back();
  };
  EXPECT_EQ(at(9), -2);
  EXPECT_EQ(at(10), -1);
  EXPECT_EQ(at(18), -1);
  EXPECT_EQ(at(19), 0);
  EXPECT_EQ(at(36), 0);
  EXPECT_EQ(at(37), 1);
  EXPECT_EQ(at(66), 1);
  EXPECT_EQ(at(67), 2);
}

TEST(RhythmSimilarity, IsOneLessTheEditsByTheLonger) {
  EXPECT_DOUBLE_EQ(rhythm_similarity({0, 0, 1}, {0, 0, 1}), 1);
  EXPECT_DOUBLE_EQ(rhythm_similarity({0, 0, 1, 0}, {0, 0, -1, 0}), 0.75);
  EXPECT_DOUBLE_EQ(rhythm_similarity({0, 1, 0, 0, 0}, {0, 0, 0, 0}), 0.8);
  EXPECT_DOUBLE_EQ(rhythm_similarity({0, 0}, {1, 1}), 0);
}

/// Edits by the definition.
std::size_t slow_edits(const Letters& a, const Letters& b, std::size_t i = 0, std::size_t j = 0) {
  if (i == a.size()) return b.size() - j;
  if (j == b.size()) return a.size() - i;
  return std::min({slow_edits(a, b, i + 1, j + 1) + (a[i] == b[j] ? 0 : 1), slow_edits(a, b, i + 1, j) + 1,
                   slow_edits(a, b, i, j + 1) + 1});
}

Letters random_letters(std::mt19937& random, int letters) {
  Letters out;
  for (std::size_t i = 1 + random() % 5; i > 0; --i) {
    out.push_back(static_cast<std::int8_t>(random() % static_cast<unsigned>(letters)));
  }
  return out;
}

TEST(RhythmSimilarity, AgreesWithTheRecursiveDefinition) {
  std::mt19937 random(42);
  for (int round = 0; round < test::rounds(3000); ++round) {
    const Letters a = random_letters(random, 4);
    const Letters b = random_letters(random, 4);
    const auto longer = static_cast<double>(std::max(a.size(), b.size()));
    EXPECT_DOUBLE_EQ(rhythm_similarity(a, b), 1 - static_cast<double>(slow_edits(a, b)) / longer);
  }
}

/// Edits by the whole table.
std::size_t table_edits(const Letters& a, const Letters& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] =
          std::min({table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), table[i - 1][j] + 1, table[i][j - 1] + 1});
    }
  }
  return table[a.size()][b.size()];
}

/// Strings about as long as one word and two words of the machine have bits, and of a few letters.
std::vector<std::pair<Letters, Letters>> long_letters(std::mt19937& random, unsigned letters) {
  const std::size_t sizes[] = {0, 1, 5, 20, 63, 64, 65, 127, 128, 129, 150};
  std::vector<std::pair<Letters, Letters>> out;
  for (const std::size_t one : sizes) {
    for (const std::size_t other : sizes) {
      auto& [a, b] = out.emplace_back(Letters(one), Letters(other));
      for (std::int8_t& letter : a) letter = static_cast<std::int8_t>(random() % letters);
      for (std::size_t j = 0; j < other; ++j) {
        // Much in common, so that distances are not only those of the lengths.
        b[j] = j < one && random() % 4 != 0 ? a[j] : static_cast<std::int8_t>(random() % letters);
      }
    }
  }
  return out;
}

TEST(RhythmSimilarity, AgreesWithTheTableWhateverTheLengths) {
  std::mt19937 random(44);
  for (const auto& [a, b] : long_letters(random, 3)) {
    const auto longer = static_cast<double>(std::max(a.size(), b.size()));
    const double expected = longer == 0 ? 1 : 1 - static_cast<double>(table_edits(a, b)) / longer;
    EXPECT_DOUBLE_EQ(rhythm_similarity(a, b), expected) << a.size() << " and " << b.size();
  }
}

TEST(BarKeys, AreThoseThatCorrelateBest) {
  // The profiles have means 3.4808 (major) and 3.7108 (minor) and lengths 4.3626 and 4.0140 about them. For C E G:
  // C major 6.33 + 4.38 + 5.19 - 3 x 3.4808 = 5.4575, by 4.3626 is 1.251; the next best is E minor, 3.98 + 6.35 + 5.38
  // - 3 x 3.7108 = 4.5775, by 4.0140 is 1.140. For A C E: A minor 6.35 + 5.38 + 4.75 - 3 x 3.7108 = 5.3475, 1.332;
  // the next best is C major, 3.66 + 6.33 + 4.38 - 3 x 3.4808 = 3.9275, 0.900.
  EXPECT_THAT(keys(in_bars("C4 E4 G4 A4 C5 E5", 3)), ElementsAre(0, 12 + 9));
  // Transposed, the keys move along: D major, B minor.
  EXPECT_THAT(keys(in_bars("D4 F#4 A4 B4 D5 F#5", 3)), ElementsAre(2, 12 + 11));
}

TEST(BarKeys, LeaveOutEmptyMeasuresAndCountAnUpbeatAsOne) {
  Line line = line_of("G4 1/4 C4 1/4 E4 1/4 G4 1/4 r 3/4 C4 1/4 E4 1/4 G4 1/4");
  const std::int64_t quarter = line.duration.at(0);
  for (int bar = 0; bar < 3; ++bar) line.bars.push_back(quarter * (1 + 3 * bar));
  // A single G: G minor, (6.35 - 3.7108) / 4.0140 = .6575, just before G major, (6.33 - 3.4808) / 4.3626 = .6531.
  EXPECT_THAT(keys(line), ElementsAre(12 + 7, 0, 0));
}

TEST(BarKeys, WithoutMeasuresTakeFourUsualTimes) {
  // Four quarters each: C major, then A minor.
  EXPECT_THAT(keys(quarters("C4 E4 G4 C5 A4 C5 E5 A5")), ElementsAre(0, 12 + 9));
}

TEST(HarmonySimilarity, TakesTheBestTransposition) {
  EXPECT_DOUBLE_EQ(harmony_similarity({0, 5, 7, 0}, {2, 7, 9, 2}), 1);
  EXPECT_DOUBLE_EQ(harmony_similarity({0, 5, 7, 0}, {2, 7, 9, 4}), 0.75);
  // Major is never minor.
  EXPECT_DOUBLE_EQ(harmony_similarity({0, 5}, {12, 17}), 0);
  EXPECT_DOUBLE_EQ(harmony_similarity({0}, {5, 7}), 0.5);
}

TEST(HarmonySimilarity, AgreesWithTheDefinition) {
  std::mt19937 random(43);
  for (int round = 0; round < test::rounds(1000); ++round) {
    const Letters a = random_letters(random, 24);
    const Letters b = random_letters(random, 24);
    std::size_t least = 100;
    for (int up = 0; up < 12; ++up) {
      Letters moved;
      for (const int key : a) moved.push_back(static_cast<std::int8_t>((key % 12 + up) % 12 + key / 12 * 12));
      least = std::min(least, slow_edits(moved, b));
    }
    const auto longer = static_cast<double>(std::max(a.size(), b.size()));
    EXPECT_DOUBLE_EQ(harmony_similarity(a, b), 1 - static_cast<double>(least) / longer);
  }
}

TEST(HarmonySimilarity, AgreesWithTheTableWhateverTheLengths) {
  std::mt19937 random(45);
  for (auto& [a, b] : long_letters(random, 24)) {
    for (std::int8_t& key : b) key = static_cast<std::int8_t>((key % 12 + 5) % 12 + key / 12 * 12);
    std::size_t least = std::max(a.size(), b.size());
    for (int up = 0; up < 12; ++up) {
      Letters moved;
      for (const int key : a) moved.push_back(static_cast<std::int8_t>((key % 12 + up) % 12 + key / 12 * 12));
      least = std::min(least, table_edits(moved, b));
    }
    const auto longer = static_cast<double>(std::max(a.size(), b.size()));
    const double expected = longer == 0 ? 1 : 1 - static_cast<double>(least) / longer;
    EXPECT_DOUBLE_EQ(harmony_similarity(a, b), expected) << a.size() << " and " << b.size();
  }
}

TEST(Opti3, WeighsTheThree) {
  const Line tune = in_bars("C4 E4 G4 A4 C5 E5", 3);
  // Identical: 0.505 + 0.417 + 0.24 - 0.146.
  EXPECT_NEAR(score_of("opti3", tune, tune).value, 1.016, 1e-12);
  // No interval sequence in common, rhythm alike (all quarters). A repeated C is C minor twice; C major and A minor
  // become C minor twice by moving up three and changing one: half of the two.
  const Line still = in_bars("C4 C4 C4 C4 C4 C4", 3);
  EXPECT_NEAR(score_of("opti3", tune, still).value, 0.417 + 0.24 * 0.5 - 0.146, 1e-12);
  // The same notes with the last twice as long: one of six rhythm letters differs.
  Line longer = tune;
  longer.duration.back() *= 2;
  EXPECT_NEAR(score_of("opti3", tune, longer).value, 0.505 + 0.417 * 5 / 6 + 0.24 - 0.146, 1e-12);
}

TEST(Opti3, NeedsFourNotesAndShowsItsComponents) {
  EXPECT_FALSE(score_of("opti3", quarters("C4 D4 E4"), quarters("C4 D4 E4 F4")).comparable);
  const auto system = system_named("opti3");
  const Line tune = quarters("C4 D4 E4 F4");
  EXPECT_EQ(system->prepare(tune)->explain(tune).summary,
            "intervals 1.0000 x 0.505 + rhythm 1.0000 x 0.417 + harmony 1.0000 x 0.24 - 0.146");
}

}  // namespace
}  // namespace rondo
