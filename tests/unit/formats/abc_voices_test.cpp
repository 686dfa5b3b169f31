#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_voices_test {

TEST(AbcVoices, OnLinesOfTheirOwnOrInline) {
  for (const std::string_view body :
       {"V:1\nCD|\nV:2\nEF|\nV:1\nGA|\nV:2\nBc|\n", "[V:1]CD|\n[V:2]EF|\n[V:1]GA|\n[V:2]Bc|\n"}) {
    const Piece both = piece("X:1\nL:1/4\nK:C\n" + std::string(body));
    ASSERT_EQ(both.voices.size(), 2U);
    EXPECT_EQ(names(both.voices[0]), "C4 D4 G4 A4");
    EXPECT_EQ(names(both.voices[1]), "E4 F4 B4 C5");
    EXPECT_EQ(both.voices[1].name, "2");
  }
}

TEST(AbcVoices, HaveNamesClefsAndSettingsOfTheirOwn) {
  const Piece both = piece(
      "X:1\nL:1/4\nV:T name=\"Flauto traverso\" clef=treble\nV:B nm=\"Basso\" clef=bass octave=-1\nK:C clef=alto\n"
      "V:T\nC|\nV:B\nC|\n");
  ASSERT_EQ(both.voices.size(), 2U);
  EXPECT_EQ(both.voices[0].name, "Flauto traverso");
  EXPECT_EQ(both.voices[0].clefs[0].value.to_string(), "G-2");
  EXPECT_EQ(both.voices[1].name, "Basso");
  EXPECT_EQ(both.voices[1].clefs[0].value.to_string(), "F-4");
  EXPECT_EQ(names(both.voices[1]), "C3");
}

TEST(AbcVoices, KeepTheirOrderFromTheHeader) {
  const Piece both = piece("X:1\nV:a\nV:b\nK:C\nV:b\nD|\nV:a\nC|\n");
  ASSERT_EQ(both.voices.size(), 2U);
  EXPECT_EQ(names(both.voices[0]), "C4");
  EXPECT_EQ(names(both.voices[1]), "D4");
}

TEST(AbcVoices, FieldsOfTheBodyAreAboutTheCurrentOne) {
  const Piece both = piece("X:1\nL:1/4\nM:4/4\nK:C\nV:1\nF[K:G]F|\nV:2\nF[L:1/8]F|\nV:1\nF|\nV:2\nF|\n");
  EXPECT_EQ(names(both.voices[0]), "F4 F#4 F#4");
  EXPECT_EQ(durations(both.voices[0]), "1/4 1/4 1/4");
  EXPECT_EQ(names(both.voices[1]), "F4 F4 F4");
  EXPECT_EQ(durations(both.voices[1]), "1/4 1/8 1/8");
}

TEST(AbcVoices, FieldsBeforeAllMusicAreAboutAll) {
  const Piece both = piece("X:1\nV:1\nV:2\nK:C\nK:G\nL:1/2\nV:1\nF|\nV:2\nF|\n");
  EXPECT_EQ(spelled(both.voices[0]), "F#4@0+1/2");
  EXPECT_EQ(spelled(both.voices[1]), "F#4@0+1/2");
}

TEST(AbcVoices, TupletsAndTiesDoNotCrossOver) {
  const Piece both = piece("X:1\nL:1/4\nK:C\n[V:1](3CDE-[V:2]EFG[V:1]EF|\n");
  EXPECT_EQ(spelled(both.voices[0]), "C4@0+1/6 D4@1/6+1/6 E4@1/3+5/12 F4@3/4+1/4");
  EXPECT_EQ(spelled(both.voices[1]), "E4@0+1/4 F4@1/4+1/4 G4@1/2+1/4");
}

TEST(AbcVoices, PartsAreCommonToAll) {
  const Piece both = piece("X:1\nL:1/4\nP:BA\nK:C\nP:A\nV:1\nC|\nV:2\nE|\nP:B\nV:1\nD|\nV:2\nF|\n");
  EXPECT_EQ(names(both.voices[0]), "D4 C4");
  EXPECT_EQ(names(both.voices[1]), "F4 E4");
}

TEST(AbcVoices, WithoutMusicAreLeftOut) { EXPECT_EQ(piece("X:1\nV:1\nV:2\nV:3\nK:C\nV:2\nC|\n").voices.size(), 1U); }

TEST(AbcOverlay, GivesASecondLayerOfTheMeasure) {
  EXPECT_EQ(spelled(music("C4|c2d2 & E3 F|G4|")), "C4@0+1 C5@1+1/2 E4@1+3/4 D5@3/2+1/2 F4@7/4+1/4 G4@2+1");
  EXPECT_EQ(spelled(music("c2 & E4 & G3|C|")), "C5@0+1/2 G4@0+3/4 E4@0+1 C4@1+1/4") << "the longest layer counts";
}

TEST(AbcOverlay, HasItsOwnAccidentals) { EXPECT_EQ(names(music("^c4 & c4|")), "C#5 C5"); }

TEST(AbcOverlay, TiesRunFromLayerToLayer) { EXPECT_EQ(spelled(music("c4 & E4-|d4 & E4|")), "C5@0+1 E4@0+2 D5@1+1"); }

}  // namespace abc_voices_test
}  // namespace rondo::abc_test
