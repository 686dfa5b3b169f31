#include "rondo/melody/pitch.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

TEST(Pitch, MiddleCIs60AndSpellingsShareKeys) {
  EXPECT_EQ(Pitch::parse("C4")->midi(), 60);
  EXPECT_EQ(Pitch::parse("A4")->midi(), 69);
  EXPECT_EQ(Pitch::parse("B#3")->midi(), 60);
  EXPECT_EQ(Pitch::parse("Cb4")->midi(), 59);
  EXPECT_EQ(Pitch::parse("F##4")->midi(), Pitch::parse("G4")->midi());
  EXPECT_EQ(Pitch::parse("Fx4"), Pitch::parse("F##4"));
}

TEST(Pitch, Base40KeepsTheSpellingOfIntervals) {
  // A major third is 12 whatever its notes, a diminished fourth 16.
  EXPECT_EQ(Pitch::parse("E4")->base40() - Pitch::parse("C4")->base40(), 12);
  EXPECT_EQ(Pitch::parse("A#4")->base40() - Pitch::parse("F#4")->base40(), 12);
  EXPECT_EQ(Pitch::parse("Fb4")->base40() - Pitch::parse("C4")->base40(), 16);
  EXPECT_EQ(Pitch::parse("C5")->base40() - Pitch::parse("C4")->base40(), 40);
}

TEST(Pitch, EveryMidiNumberIsSpelledAsItself) {
  for (int fifths = -7; fifths <= 7; ++fifths) {
    for (int midi = 0; midi <= 127; ++midi) EXPECT_EQ(Pitch::from_midi(midi, fifths).midi(), midi) << fifths;
  }
  EXPECT_EQ(Pitch::from_midi(66, 2).to_string(), "F#4");
  EXPECT_EQ(Pitch::from_midi(66, -3).to_string(), "Gb4");
  EXPECT_EQ(Pitch::from_midi(70, 0).to_string(), "Bb4");
}

TEST(Pitch, RefusesWhatIsNoPitch) {
  for (const char* bad : {"", "H4", "C", "C#", "4", "Cbbbb4", "C99", "C4x", " C4"}) {
    EXPECT_EQ(Pitch::parse(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace rondo
