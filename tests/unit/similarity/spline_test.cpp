#include <gtest/gtest.h>

#include <random>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

// Equation (3) of the paper: K_pitch times the area of pitch plus K_time times the area of time, K as .75 and .25.
// An identical curve scores twice the mean area of its kind, 2.1838 or 0.4772, times K.

TEST(Spline, IdenticalWindowsScoreTwiceTheMeanAreas) {
  const Line tune = quarters("C4 D4 E4 F4");
  EXPECT_NEAR(score_of("spline", tune, tune).value, 0.75 * 2 * 2.1838 + 0.25 * 2 * 0.4772, 1e-12);
}

TEST(Spline, ATimeAreaOfThreeEighthsLosesAQuarterOfIt) {
  // Ratios 1 1 1 against 1 1 13/4: the slopes differ by 9/8 x^2, an area of 3/8, of which a quarter is .09375.
  const Line even = quarters("C4 D4 E4 F4");
  const Line longer = line_of("C4 1/4 D4 1/4 E4 1/4 F4 13/16");
  EXPECT_NEAR(score_of("spline", even, longer).value, 0.75 * 2 * 2.1838 - 0.09375, 1e-12);
}

TEST(Spline, AreasOfPitchAndTimeAreAddedAsTheyAre) {
  // Five notes, two windows. The first is identical; of the second pitch differs in its last note by 3 semitones (an
  // area of 3/6), time in its last ratio by 1 (an area of 1/6): .75 / 2 + .25 / 6 are lost, less than the first scored,
  // so the best stretch is the first window alone; divided by two windows.
  const double match = 0.75 * 2 * 2.1838 + 0.25 * 2 * 0.4772;
  const Line query = quarters("C4 D4 E4 F4 G4");
  EXPECT_NEAR(score_of("spline", query, line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 A#4 1/2")).value, match / 2, 1e-12);
  // Eight notes, five windows, the fifth note a semitone higher, the same rhythm. Windows 2 to 4 differ by 0 0 1, 0 1 0
  // and 1 0 0: areas 1/6 (x^2 / 2), 1/2 (1/2 + x - 3x^2/2) and 1/2 (2x - 3x^2/2).
  const Line longer = quarters("C4 D4 E4 F4 G4 A4 B4 C5");
  const Line altered = quarters("C4 D4 E4 F4 G#4 A4 B4 C5");
  // Identical time scores .2386 a window, so window 2 gains .2386 - .125 and window 3 loses .375 - .2386: the best
  // stretch is the first two windows.
  const double time = 0.25 * 2 * 0.4772;
  const double sum = match + time - 0.75 / 6;
  EXPECT_NEAR(score_of("spline", longer, altered).value, sum / 5, 1e-12);
}

/// A melody that repeats some of its phrases, in this or that rhythm.
Line repeating(std::mt19937& random, std::size_t notes) {
  Line line;
  line.ticks_per_whole = 16;
  std::int64_t at = 0;
  while (line.pitch.size() < notes) {
    const std::size_t from =
        line.pitch.size() < 8 || random() % 2 == 0 ? line.pitch.size() : random() % line.pitch.size();
    for (std::size_t i = 0; i < 8 && line.pitch.size() < notes; ++i) {
      const bool again = from + i < line.pitch.size();
      const auto pitch = again ? line.pitch[from + i] : static_cast<std::int16_t>(60 + random() % 12);
      const auto duration = again && random() % 9 != 0 ? line.duration[from + i] : 1 + std::int64_t(random() % 4);
      line.pitch.push_back(pitch);
      line.base40.push_back(static_cast<std::int16_t>(Pitch::from_midi(pitch).base40()));
      line.onset.push_back(at);
      line.duration.push_back(duration);
      at += duration;
    }
  }
  return line;
}

TEST(Spline, LongQueriesThatRepeatWindowsScoreAsTheTableOfTheirAlignmentSays) {
  std::mt19937 random(12);
  for (const char* name : {"spline", "time"}) {
    const auto system = system_named(name);
    for (const std::size_t notes : {66U, 67U, 100U, 350U}) {
      for (int round = 0; round < test::rounds(6); ++round) {
        const Line query = repeating(random, notes);
        const auto prepared = system->prepare(query);
        // The last is too long for tables of what repeats.
        for (const std::size_t other : {4U, 20U, 90U, 2000U}) {
          Line document = repeating(random, other);
          if (round % 2 == 0)
            std::copy_n(query.pitch.begin(), std::min<std::size_t>(other, 30), document.pitch.begin());
          EXPECT_EQ(prepared->score(document), prepared->explain(document).score)
              << name << " " << notes << " " << other;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rondo
