#include "rondo/melody/signature.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

TEST(KeySignature, FifthsGoThereAndBack) {
  for (int fifths = -7; fifths <= 7; ++fifths) EXPECT_EQ(KeySignature::from_fifths(fifths).fifths(), fifths);
  EXPECT_EQ(KeySignature::from_fifths(3).to_string(), "xFCG");
  EXPECT_EQ(KeySignature::from_fifths(-4).to_string(), "bBEAD");
  EXPECT_EQ(KeySignature::from_fifths(0).to_string(), "");
}

TEST(KeySignature, AnUnusualOneHasNoFifthsButIsKept) {
  KeySignature key;
  key.alter[6] = -1;  // B flat
  key.alter[3] = 1;   // F sharp
  EXPECT_EQ(key.fifths(), std::nullopt);
  EXPECT_EQ(key.to_string(), "xFbB");
}

TEST(Key, ReadsNamesAndTheCataloguesShortForms) {
  EXPECT_EQ(Key::parse("g")->to_string(), "G minor");
  EXPECT_EQ(Key::parse("Bb")->to_string(), "Bb major");
  EXPECT_EQ(Key::parse("f|x")->to_string(), "F# minor");
  EXPECT_EQ(Key::parse("D Dorian")->to_string(), "D dorian");
  EXPECT_EQ(Key::parse("H"), std::nullopt);
  EXPECT_EQ(Key::parse("C blue"), std::nullopt);
  EXPECT_EQ(Key::parse(""), std::nullopt);
}

TEST(Key, ImpliesItsSignature) {
  EXPECT_EQ(Key::parse("D major")->signature().fifths(), 2);
  EXPECT_EQ(Key::parse("c minor")->signature().fifths(), -3);
  EXPECT_EQ(Key::parse("D dorian")->signature().fifths(), 0);
  EXPECT_EQ(Key::parse("E phrygian")->signature().fifths(), 0);
  EXPECT_EQ(Key::parse("F lydian")->signature().fifths(), 0);
  EXPECT_EQ(Key::parse("G mixolydian")->signature().fifths(), 0);
  EXPECT_EQ(Key::parse("B locrian")->signature().fifths(), 0);
}

TEST(Clef, ReadsBothVersionsOfMensural) {
  EXPECT_EQ(Clef::parse("C+3"), Clef::parse("C*3"));
  EXPECT_EQ(Clef::parse("C+3")->to_string(), "C+3");
  EXPECT_EQ(Clef::parse("g-2")->shape, 'g');
  for (const char* bad : {"", "G", "G2", "X-2", "G-9", "G-22"}) EXPECT_EQ(Clef::parse(bad), std::nullopt) << bad;
}

TEST(TimeSignature, AFreeOneHasNoBar) {
  EXPECT_EQ((TimeSignature{3, 4, ""}).bar(), Fraction(3, 4));
  EXPECT_EQ((TimeSignature{0, 4, ""}).to_string(), "");
  EXPECT_EQ((TimeSignature{2, 2, "c/"}).to_string(), "c/");
}

}  // namespace
}  // namespace rondo
