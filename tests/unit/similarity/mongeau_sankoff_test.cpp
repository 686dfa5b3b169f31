#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "similarity/key_guess.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

double ms(const std::string& query, const std::string& document) {
  return score_of("mongeau-sankoff", line_of(query), line_of(document)).value;
}

// Long enough that every change below leaves it in C major; an eighth is 2 sixteenths, a quarter 4.
const std::string kTune = "C4 1/4 E4 1/4 G4 1/4 C5 1/4 B4 1/4 G4 1/4 A4 1/4 F4 1/4 D4 1/4 C4 1/2 ";

TEST(KeyGuess, FindsPlainKeys) {
  EXPECT_EQ(guess_key(line_of(kTune)), (KeyGuess{0, false}));
  EXPECT_EQ(guess_key(quarters("G4 A4 B4 C5 D5 E5 F#5 G5 D5 B4 G4")), (KeyGuess{7, false}));
  EXPECT_EQ(guess_key(quarters("A4 B4 C5 D5 E5 F5 E5 C5 G#4 A4")), (KeyGuess{9, true}));
  EXPECT_EQ(guess_key(Line{}), KeyGuess{});
}

TEST(KeyGuess, MovesWithTheMelody) {
  std::mt19937 random(41);
  for (int round = 0; round < test::rounds(300); ++round) {
    Line line = random_line(random, 1 + random() % 12);
    const KeyGuess before = guess_key(line);
    const int up = static_cast<int>(random() % 24) - 12;
    for (auto& pitch : line.pitch) pitch = static_cast<std::int16_t>(pitch + up);
    EXPECT_EQ(guess_key(line), (KeyGuess{(before.tonic + up + 12) % 12, before.minor}));
  }
}

TEST(KeyGuess, NeedsOnlyTheTimesOfPitchClasses) {
  // C4 E4 G4 C5 B4 G4 A4 F4 D4 in quarters and C4 as a half, on a grid of quarters.
  EXPECT_EQ(guess_key({4, 0, 1, 0, 1, 1, 0, 2, 0, 1, 0, 1}, 0), (KeyGuess{0, false}));
  // All alike: every key fits as well as any, so it is the first note's.
  EXPECT_EQ(guess_key({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 7), (KeyGuess{7, false}));
}

TEST(MongeauSankoff, HasHandComputedDistances) {
  EXPECT_EQ(ms(kTune, kTune), 0);
  // A sixteenth of difference in length costs 0.348; a quarter longer: 4 x 0.348.
  EXPECT_NEAR(ms(kTune + "C4 1/4", kTune + "C4 1/2"), -1.392, 1e-12);
  // A note put in, or left out: its length, 2 x 0.348.
  EXPECT_NEAR(ms(kTune + "G4 1/4", kTune + "D4 1/8 G4 1/4"), -0.696, 1e-12);
  EXPECT_NEAR(ms(kTune + "D4 1/8 G4 1/4", kTune + "G4 1/4"), -0.696, 1e-12);
  // A third: 0.2; a fifth 0.1; a second 0.9; an octave nothing.
  EXPECT_NEAR(ms(kTune + "G4 1/4", kTune + "B4 1/4"), -0.2, 1e-12);
  EXPECT_NEAR(ms(kTune + "C4 1/4", kTune + "G4 1/4"), -0.1, 1e-12);
  EXPECT_NEAR(ms(kTune + "C4 1/4", kTune + "D4 1/4"), -0.9, 1e-12);
  EXPECT_EQ(ms(kTune + "C4 1/4", kTune + "C5 1/4"), 0);
}

TEST(MongeauSankoff, SplitsAndJoins) {
  // The last half note as two quarters, as three notes: nothing, for they add up; G instead of one of them: a fifth.
  EXPECT_EQ(ms(kTune + "C4 1/2", kTune + "C4 1/4 C4 1/4"), 0);
  EXPECT_EQ(ms(kTune + "C4 1/4 C4 1/8 C4 1/8", kTune + "C4 1/2"), 0);
  EXPECT_NEAR(ms(kTune + "C4 1/2", kTune + "C4 1/4 G4 1/8 C4 1/8"), -0.1, 1e-12);
  // A half into a quarter and an eighth of its pitch: an eighth is missing, 0.696.
  EXPECT_NEAR(ms(kTune + "C4 1/2", kTune + "C4 1/4 C4 1/8"), -0.696, 1e-12);
}

TEST(MongeauSankoff, TakesOtherWeightsOffTheScaleAndForRests) {
  // F against F sharp: one semitone off the scale, 2.6 (leaving one out and putting the other in: 2.784).
  EXPECT_NEAR(ms(kTune + "F4 1/4", kTune + "F#4 1/4"), -2.6, 1e-12);
  // F sharp against itself nothing; as an eighth against a quarter 0.6 and 0.696.
  EXPECT_EQ(ms(kTune + "F#4 1/4", kTune + "F#4 1/4"), 0);
  EXPECT_NEAR(ms(kTune + "F#4 1/8 C4 1/4", kTune + "F#4 1/4 C4 1/4"), -1.296, 1e-12);
  // A quarter's rest instead of a quarter: 0.1.
  EXPECT_NEAR(ms(kTune + "r 1/4 C4 1/4", kTune + "D4 1/4 C4 1/4"), -0.1, 1e-12);
}

struct Heard {
  bool rest;
  int pitch;
  double sixteenths;
};

/// Notes and rests with pitches relative to a tonic.
std::vector<Heard> heard(const Line& line, int tonic) {
  std::vector<Heard> out;
  const double unit = 16.0 / static_cast<double>(line.ticks_per_whole);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0 && line.onset[i] > line.onset[i - 1] + line.duration[i - 1]) {
      out.push_back({true, 0, static_cast<double>(line.onset[i] - line.onset[i - 1] - line.duration[i - 1]) * unit});
    }
    out.push_back({false, line.pitch[i] - tonic, static_cast<double>(line.duration[i]) * unit});
  }
  return out;
}

double mean(const std::vector<Heard>& notes) {
  double sum = 0, time = 0;
  for (const Heard& n : notes) {
    if (n.rest) continue;
    sum += n.pitch * n.sixteenths;
    time += n.sixteenths;
  }
  return sum / time;
}

/// By the recurrence of the paper, in doubles, every run of every length tried; the document on one tonic.
double slow_ms(const Line& query, const Line& document, int tonic) {
  const std::vector<Heard> a = heard(query, guess_key(query).tonic);
  std::vector<Heard> b = heard(document, tonic);
  const int shift = 12 * static_cast<int>(std::floor((mean(a) - mean(b)) / 12 + 0.5 + 1e-9));
  for (Heard& n : b) n.pitch += shift;
  const bool query_minor = guess_key(query).minor, document_minor = query_minor;
  const auto degree = [](bool in_minor, int pitch) -> int {
    static const std::array<std::vector<int>, 7> major = {{{0}, {2}, {4}, {5}, {7}, {9}, {11}}};
    static const std::array<std::vector<int>, 7> minor = {{{0}, {2}, {3}, {5}, {7}, {8, 9}, {10, 11}}};
    const int octave = static_cast<int>(std::floor(pitch / 12.0));
    for (int d = 0; d < 7; ++d) {
      for (const int s : (in_minor ? minor : major)[static_cast<std::size_t>(d)]) {
        if (pitch - 12 * octave == s) return 7 * octave + d;
      }
    }
    return -9999;
  };
  const auto interval = [&](const Heard& x, const Heard& y) -> double {
    if (x.rest || y.rest) return x.rest && y.rest ? 0 : 0.1;
    const int dx = degree(query_minor, x.pitch), dy = degree(document_minor, y.pitch);
    if (dx != -9999 && dy != -9999)
      return std::array{0.0, 0.9, 0.2, 0.5, 0.1, 0.35, 0.8}[std::size_t(std::abs(dx - dy) % 7)];
    return std::array{
        0.6, 2.6, 2.3, 1.0, 1.0, 1.6, 1.8, 0.8, 1.3, 1.3, 2.2, 2.5}[std::size_t(std::abs(x.pitch - y.pitch) % 12)];
  };
  std::vector<std::vector<double>> d(a.size() + 1, std::vector<double>(b.size() + 1, 1e9));
  d[0][0] = 0;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      double& v = d[i][j];
      if (i > 0) v = std::min(v, d[i - 1][j] + 0.348 * a[i - 1].sixteenths);
      if (j > 0) v = std::min(v, d[i][j - 1] + 0.348 * b[j - 1].sixteenths);
      if (i == 0 || j == 0) continue;
      const Heard &x = a[i - 1], &y = b[j - 1];
      if (x.rest == y.rest && (x.rest || x.pitch == y.pitch) && x.sixteenths == y.sixteenths)
        v = std::min(v, d[i - 1][j - 1]);
      double cost = 0, together = 0;
      for (std::size_t k = 1; k <= j; ++k) {
        cost += interval(x, b[j - k]);
        together += b[j - k].sixteenths;
        v = std::min(v, d[i - 1][j - k] + cost + 0.348 * std::abs(x.sixteenths - together));
      }
      cost = together = 0;
      for (std::size_t k = 1; k <= i; ++k) {
        cost += interval(a[i - k], y);
        together += a[i - k].sixteenths;
        v = std::min(v, d[i - k][j - 1] + cost + 0.348 * std::abs(y.sixteenths - together));
      }
    }
  }
  return d[a.size()][b.size()];
}

/// The tonic on which shares of time on pitch classes have most in common, the next above the first note among equals.
int slow_tonic(const Line& query, const Line& document) {
  const auto share = [](const Line& line, int pitch_class) {
    std::int64_t all = 0, part = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      all += line.duration[i];
      if (((line.pitch[i] - pitch_class) % 12 + 12) % 12 == 0) part += line.duration[i];
    }
    return static_cast<double>(part) / static_cast<double>(all);
  };
  const int own = guess_key(query).tonic;
  int best = 0;
  double most = -1;
  for (int above = 0; above < 12; ++above) {
    double common = 0;
    for (int i = 0; i < 12; ++i) {
      common += std::min(share(query, own + i), share(document, document.pitch[0] + above + i));
    }
    if (common > most + 1e-9) {
      most = common;
      best = (document.pitch[0] + above) % 12;
    }
  }
  return best;
}

TEST(MongeauSankoff, AgreesWithTheRecurrenceThatTriesEveryRun) {
  std::mt19937 random(42);
  for (int round = 0; round < test::rounds(3000); ++round) {
    const Line q = random_line(random, 1 + random() % 12);
    const Line d = random_line(random, 1 + random() % 12);
    ASSERT_NEAR(score_of("mongeau-sankoff", q, d).value, -slow_ms(q, d, slow_tonic(q, d)), 1e-9) << round;
  }
}

TEST(MongeauSankoff, StepsAddUp) {
  std::mt19937 random(43);
  for (int round = 0; round < test::rounds(200); ++round) {
    const Line q = random_line(random, 1 + random() % 20);
    const Line d = random_line(random, 1 + random() % 20);
    const auto system = system_named("mongeau-sankoff");
    const Explanation why = system->prepare(q)->explain(d);
    double sum = 0;
    for (const Step& step : why.steps) sum += step.score;
    EXPECT_NEAR(sum, why.total, 1e-9);
  }
}

TEST(MongeauSankoff, EndsForLongAndForOutlandishMelodies) {
  std::mt19937 random(44);
  const Line longest = random_line(random, 2500);
  EXPECT_EQ(score_of("mongeau-sankoff", longest, longest).value, 0);
  Line wild = quarters("C4 D4 E4");
  wild.ticks_per_whole = 999'983;
  wild.onset = {0, 1, 999'999'999'999};
  wild.duration = {1, 7, 999'999'999'983};
  Line other = wild;
  other.ticks_per_whole = 999'979;
  EXPECT_TRUE(std::isfinite(score_of("mongeau-sankoff", wild, other).value));
  EXPECT_LT(score_of("mongeau-sankoff", wild, other).value, 0);
}

}  // namespace
}  // namespace rondo
