#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "support/lines.h"
#include "support/rounds.h"
#include "support/slow_metre.h"

namespace rondo {
namespace {

constexpr std::array<const char*, 5> kNames = {"vk-pitch", "vk-band", "vk-phrase", "vk-metre", "vk-all"};

std::unique_ptr<System> with_extension(const char* name, double extend) {
  const SystemRow* row = find_system(name);
  Parameters parameters(row->parameters);
  EXPECT_TRUE(parameters.set("extend", extend).has_value());
  return row->make(parameters);
}

TEST(Kranenburg, IsOneForOneMelodyInAnotherKeyAndTempo) {
  for (const char* name : kNames) {
    EXPECT_EQ(score_of(name, quarters("C4 D4 Eb4 C4"), line_of("G4 1/2 A4 1/2 Bb4 1/2 G4 1/2")).value, 1) << name;
  }
}

TEST(Kranenburg, RatesPitchesExactlyOrByABand) {
  // Three equal notes. The fourth is left out at 0.6 (the other one hangs over for nothing) rather than paired at -1:
  // (3 - 0.6) / 4.
  EXPECT_NEAR(score_of("vk-pitch", quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 G4")).value, 0.6, 1e-12);
  // F and G are 6 base-40 steps apart: (3 + 1 - 6/23) / 4.
  EXPECT_NEAR(score_of("vk-band", quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 G4")).value, (4 - 6.0 / 23) / 4, 1e-12);
  // F in another octave is F to the band, but not to exact pitch.
  EXPECT_NEAR(score_of("vk-band", quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 F5")).value, 1, 1e-12);
  EXPECT_NEAR(score_of("vk-pitch", quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 F5")).value, 0.6, 1e-12);
}

TEST(Kranenburg, GapsInsideCostAndThoseAtTheEndsDoNot) {
  // E missing: (4 - 0.6) / 4.
  EXPECT_NEAR(score_of("vk-pitch", quarters("C4 D4 E4 F4 G4"), quarters("C4 D4 F4 G4")).value, 0.85, 1e-12);
  // Two notes missing: (4 - 1.2) / 4; with the affine gap (4 - 0.8) / 4.
  const Line longer = quarters("C4 D4 E4 A4 F4 G4");
  const Line shorter = quarters("C4 D4 F4 G4");
  EXPECT_NEAR(score_of("vk-pitch", longer, shorter).value, 0.7, 1e-12);
  EXPECT_NEAR(with_extension("vk-pitch", 0.2)->prepare(longer)->score(shorter).value, 0.8, 1e-12);
  EXPECT_NEAR(with_extension("vk-pitch", 0.2)->prepare(shorter)->score(longer).value, 0.8, 1e-12);
  // Three notes of the end of one are the beginning of the other: 3 / 5.
  EXPECT_NEAR(score_of("vk-pitch", quarters("C4 E4 G4 C5 B4"), quarters("G4 C5 B4 Ab4 F#4")).value, 0.6, 1e-12);
}

TEST(Kranenburg, WeighsPlaceAndBeat) {
  // Places 0 1/2 1 against 0 1/3 1: the second pair is 1/6 off: 2 x 5/6 - 1 = 2/3. (1 + 2/3 + 1) / 3.
  EXPECT_NEAR(score_of("vk-phrase", quarters("C4 D4 E4"), line_of("C4 1/4 D4 1/2 E4 1/4")).value, 8.0 / 9, 1e-7);
  // Metric weights 1 1 1 1 against 1 1/2 1 1/2 (onsets 0 1 2 4 quarters): ratings 1 0 1 0.
  const Line even = quarters("C4 D4 E4 F4");
  const Line uneven = line_of("C4 1/4 D4 1/4 E4 1/2 F4 1/4");
  EXPECT_NEAR(score_of("vk-metre", even, uneven).value, 0.5, 1e-7);
  // Both: places 0 1/3 2/3 1 against 0 1/4 1/2 1, so factors 1, 11/12, 5/6, 1: ratings 1, 2 x 11/24 - 1 = -1/12,
  // 2 x 5/6 - 1 = 2/3, 2 x 1/2 - 1 = 0. 19/12 / 4.
  EXPECT_NEAR(score_of("vk-all", even, uneven).value, 19.0 / 48, 1e-7);
}

struct Slow {
  const Line& q;
  const Line& d;
  bool band, phrase, metre;
  double extend;

  static std::map<int, double> histogram(const Line& line) {
    double all = 0;
    for (const auto t : line.duration) all += static_cast<double>(t);
    std::map<int, double> out;
    for (std::size_t i = 0; i < line.size(); ++i) out[line.base40[i]] += static_cast<double>(line.duration[i]) / all;
    return out;
  }

  /// Of all transpositions those with the greatest overlap.
  [[nodiscard]] std::vector<int> transpositions() const {
    const auto hq = histogram(q), hd = histogram(d);
    const auto overlap = [&](int t) {
      double sum = 0;
      for (const auto& [p, share] : hq) {
        if (hd.count(p + t) != 0) sum += std::min(share, hd.at(p + t));
      }
      return sum;
    };
    double most = 0;
    for (int t = -200; t <= 200; ++t) most = std::max(most, overlap(t));
    std::vector<int> out;
    for (int t = -200; t <= 200; ++t) {
      if (overlap(t) > most - 1e-9) out.push_back(t);
    }
    return out;
  }

  static double position(const Line& line, std::size_t i) {
    if (line.size() == 1) return 0;
    return static_cast<double>(line.onset[i] - line.onset[0]) / static_cast<double>(line.onset.back() - line.onset[0]);
  }

  /// Every gap of every length by itself.
  [[nodiscard]] double score(int t) const {
    const auto beat_q = slow::metric_weights(q.onset), beat_d = slow::metric_weights(d.onset);
    const auto rate = [&](std::size_t i, std::size_t j) {
      const int apart = std::abs(d.base40[j] - q.base40[i] - t);
      if (!band) return apart == 0 ? 1.0 : -1.0;
      double near = apart % 40 <= 23 ? (2 - apart % 40 / 23.0) / 2 : 0;
      if (phrase) near *= 1 - std::abs(position(q, i) - position(d, j));
      if (metre) near *= 1 - std::abs(beat_q[i] - beat_d[j]);
      return 2 * near - 1;
    };
    std::vector<std::vector<double>> h(q.size() + 1, std::vector<double>(d.size() + 1, 0));
    double best = 0;
    for (std::size_t i = 1; i <= q.size(); ++i) {
      for (std::size_t j = 1; j <= d.size(); ++j) {
        h[i][j] = h[i - 1][j - 1] + rate(i - 1, j - 1);
        for (std::size_t k = 1; k <= i; ++k) {
          h[i][j] = std::max(h[i][j], h[i - k][j] - 0.6 - extend * static_cast<double>(k - 1));
        }
        for (std::size_t k = 1; k <= j; ++k) {
          h[i][j] = std::max(h[i][j], h[i][j - k] - 0.6 - extend * static_cast<double>(k - 1));
        }
        if (i == q.size() || j == d.size()) best = std::max(best, h[i][j]);
      }
    }
    return best / static_cast<double>(std::min(q.size(), d.size()));
  }
};

TEST(Kranenburg, AgreesWithTheDefinition) {
  std::mt19937 random(52);
  for (int round = 0; round < test::rounds(2500); ++round) {
    const Line q = random_line(random, 1 + random() % 9);
    const Line d = random_line(random, 1 + random() % 9);
    const auto which = static_cast<std::size_t>(round % 5);
    const double extend = round % 2 == 0 ? 0.6 : 0.2;
    const Slow slow{q, d, which > 0, which == 2 || which == 4, which > 2, extend};
    const double found = with_extension(kNames[which], extend)->prepare(q)->score(d).value;
    double expected = 0;
    for (const int t : slow.transpositions()) expected = std::max(expected, slow.score(t));
    EXPECT_NEAR(found, expected, 1e-6) << kNames[which] << " " << round;
  }
}

TEST(Kranenburg, StepsAddUpAndCoverBothMelodies) {
  std::mt19937 random(53);
  for (int round = 0; round < test::rounds(300); ++round) {
    const Line q = random_line(random, 1 + random() % 20);
    const Line d = random_line(random, 1 + random() % 20);
    const auto system = with_extension(kNames[static_cast<std::size_t>(round % 5)], round % 2 == 0 ? 0.6 : 0.2);
    const Explanation why = system->prepare(q)->explain(d);
    double sum = 0;
    std::uint32_t in_query = 0, in_document = 0;
    for (const Step& step : why.steps) {
      sum += step.score;
      if (!step.query.empty()) {
        EXPECT_EQ(step.query.begin, in_query);
        in_query = step.query.end;
      }
      if (!step.document.empty()) {
        EXPECT_EQ(step.document.begin, in_document);
        in_document = step.document.end;
      }
    }
    EXPECT_NEAR(sum, why.total, 1e-9);
    EXPECT_EQ(in_query, q.size());
    EXPECT_EQ(in_document, d.size());
  }
}

TEST(Kranenburg, EndsForLongMelodies) {
  std::mt19937 random(54);
  const Line longest = random_line(random, 2500);
  for (const char* name : kNames) EXPECT_EQ(score_of(name, longest, longest).value, 1) << name;
}

}  // namespace
}  // namespace rondo
