#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "similarity/symbols.h"
#include "support/lines.h"

namespace rondo {
namespace {

using testing::ElementsAre;

TEST(IntervalSymbols, AreDirectedAndModuloTheOctave) {
  // Up a second, an octave, a ninth (13 semitones: 1), down a twelfth (19: -7), unison.
  EXPECT_THAT(interval_symbols(quarters("C4 D4 D5 D#6 G#4 G#4")), ElementsAre(2, 12, 1, -7, 0));
}

TEST(IoiLetters, AreDecidedExactlyAtTheirBorders) {
  // Times between onsets: 1/4 1/4 1/2 2 1/2 1/4: ratios 1 (R), 2 (l), 4 (L), 1/4 (S), 1/2 (s).
  EXPECT_THAT(ioi_letters(line_of("C4 1/4 C4 1/4 C4 1/2 C4 2 C4 1/2 C4 1/4 C4 1/4")), ElementsAre(2, 3, 4, 0, 1));
  // Just inside: 3/8 after 1/4 is 1.5, similar.
  EXPECT_THAT(ioi_letters(line_of("C4 1/4 C4 3/8 C4 1/4")), ElementsAre(2));
}

TEST(Ngr5, CountsTheQuerysDistinctFiveIntervalSequences) {
  const Line scale = quarters("C4 D4 E4 F4 G4 A4 B4");  // intervals 2 2 1 2 2 2: two 5-grams
  EXPECT_EQ(score_of("ngr5", scale, scale).value, 2);
  EXPECT_EQ(score_of("ngr5", scale, quarters("G4 A4 B4 C5 D5 E5 F5")).value, 1);  // 2 2 1 2 2 1: the first only
  EXPECT_EQ(score_of("ngr5", scale, quarters("C4 C4 C4 C4 C4 C4 C4")).value, 0);
  // A scale over and over holds each sequence several times; each counts once.
  const Line twice = quarters("C4 D4 C4 D4 C4 D4 C4 D4 C4 D4");  // 2 -2 2 -2 ...: two distinct 5-grams
  EXPECT_EQ(score_of("ngr5", twice, twice).value, 2);
}

TEST(Ngr5, NeedsSixNotes) {
  EXPECT_FALSE(score_of("ngr5", quarters("C4 D4 E4 F4 G4"), quarters("C4 D4 E4 F4 G4 A4")).comparable);
  EXPECT_TRUE(score_of("ngr5", quarters("C4 D4 E4 F4 G4 A4"), quarters("C4 D4 E4 F4 G4 A4")).comparable);
}

TEST(Pioi, AddsTheSquaresOfTwoLocalAlignments) {
  // Identical, four notes: intervals 2 2 1 give P = 3; two letters R R give I = 6. (38*3)^2 + 36 = 13032.
  const Line tune = quarters("C4 D4 E4 F4");
  EXPECT_EQ(score_of("pioi", tune, tune).value, 13032);
  // Other intervals throughout (-2 -2 -1), same rhythm: P = 0.
  EXPECT_EQ(score_of("pioi", tune, quarters("F4 D#4 C#4 C4")).value, 36);
  // Same intervals, the last two notes twice as long in onset distance: IOIs 1/4 1/4 1/2: letters R l against R R:
  // the best stretch is R alone, I = 3. 12996 + 9.
  EXPECT_EQ(score_of("pioi", tune, line_of("C4 1/4 D4 1/4 E4 1/2 F4 1/4")).value, 13005);
}

TEST(Pioi, AGapCostsTwoIntervals) {
  // 2 2 1 2 against 2 2 7 1 2: with the gap 4 - 2 = 2, without it the first or last two: 2. The longer one wins with
  // five more: 2 2 1 2 2 2 against 2 2 7 1 2 2 2 gives 6 - 2 = 4, equal to the last four alone; P = 4.
  const Line query = quarters("C4 D4 E4 F4 G4 A4 B4");
  const Line document = quarters("C4 D4 E4 B4 C5 D5 E5 F#5");
  const auto prepared = system_named("pioi");
  const auto ready = prepared->prepare(query);
  // Rhythm: 5 letters against 6, all R: I = 15. (38*4)^2 + 225 = 23329.
  EXPECT_EQ(ready->score(document).value, 23329);
  EXPECT_EQ(ready->explain(document).score.value, 23329);
}

}  // namespace
}  // namespace rondo
