#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_pitch_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AbcPitch, LettersAndOctaveMarks) {
  EXPECT_EQ(names(music("C,, C, C c c' c'' B, b'")), "C2 C3 C4 C5 C6 C7 B3 B6");
  EXPECT_EQ(names(music("C,' c,")), "C4 C4") << "marks may undo each other";
}

TEST(AbcPitch, Accidentals) {
  EXPECT_EQ(names(music("^C _D ^^F __B =E")), "C#4 Db4 F##4 Bbb4 E4");
  EXPECT_EQ(names(music("=F F", "L:1/4\nK:G\n")), "F4 F4");
}

TEST(AbcPitch, AccidentalsHoldToTheBarLineInAllOctaves) {
  // The standard's default: I:propagate-accidentals pitch.
  EXPECT_EQ(names(music("^c c C c'|c")), "C#5 C#5 C#4 C#6 C5");
  EXPECT_EQ(names(music("^c =c c|c")), "C#5 C5 C5 C5");
  EXPECT_EQ(names(music("^c c :|c")), "C#5 C#5 C#5 C#5 C5");
  EXPECT_EQ(names(music("^c [K:C] c")), "C#5 C5") << "a new key begins afresh";
}

TEST(AbcPitch, PropagationCanBeChosen) {
  EXPECT_EQ(names(music("^c c C|", "%%propagate-accidentals octave\nK:C\n")), "C#5 C#5 C4");
  EXPECT_EQ(names(music("^c c C|", "I:propagate-accidentals not\nK:C\n")), "C#5 C5 C4");
  EXPECT_EQ(names(music("[I:propagate-accidentals not]^c c C|")), "C#5 C5 C4");
}

TEST(AbcPitch, MicrotonesAreRounded) {
  EXPECT_EQ(names(music("^/2c ^3/2d _/4e")), "C#5 D##5 E5");
  EXPECT_THAT(remarks("^/2c"), ElementsAre("abc-microtone-rounded 1"));
}

TEST(AbcPitch, ImpossibleOnesBecomeRestsWithARemark) {
  const Voice voice = music("C c'''''''''''' D,,,,,,,, E");
  EXPECT_EQ(spelled(voice), "C4@0+1/4 E4@3/4+1/4");
  EXPECT_TRUE(testing::Matches(testing::Contains("abc-pitch-out-of-range 1"))(remarks("c''''''''")));
  EXPECT_EQ(names(music("^^^^C")), "C###4");
  EXPECT_EQ(names(music("_________1111111111111111111C")), "Cbbb4");  // as many flats as no number holds
}

TEST(AbcPitch, DanglingAccidentals) {
  EXPECT_EQ(names(music("^ C ^| D")), "C4 D4");
  EXPECT_THAT(remarks("^ C"), ElementsAre("abc-accidental-dangling 1"));
}

TEST(AbcTie, JoinsNotesWithinAndAcrossBars) {
  EXPECT_EQ(spelled(music("C-C D4-|D4-|D|E")), "C4@0+1/2 D4@1/2+9/4 E4@11/4+1/4");
}

TEST(AbcTie, CarriesTheAccidentalAcrossTheBarForItsNoteOnly) {
  EXPECT_EQ(spelled(music("^c4-|c2 c2|")), "C#5@0+3/2 C5@3/2+1/2");
}

TEST(AbcTie, JoinsChordsWholeOrByNote) {
  EXPECT_EQ(spelled(music("[CE]-[CE]")), "E4@0+1/2 C4@0+1/2");
  EXPECT_EQ(spelled(music("[C-E]2[CE]")), "E4@0+1/2 C4@0+3/4 E4@1/2+1/4");
  EXPECT_EQ(spelled(music("[CE]-C")), "E4@0+1/4 C4@0+1/2");
}

TEST(AbcTie, LeadsIntoBothEndings) { EXPECT_EQ(spelled(music("|:G4-|1 G2 A2:|2 G4|")), "G4@0+3/2 A4@3/2+1/2 G4@2+2"); }

TEST(AbcTie, OverAGraceNoteAndALineEnd) {
  EXPECT_EQ(spelled(music("C-{d}C")), "C4@0+1/2 {D5@1/4+0}");
  EXPECT_EQ(spelled(music("C-\nC")), "C4@0+1/2");
}

TEST(AbcTie, LooseOnesAreJoinedWithARemark) {
  EXPECT_EQ(spelled(music("C2 -C2")), "C4@0+1");
  EXPECT_THAT(remarks("C2 -C2"), ElementsAre("abc-tie-detached 4"));
  EXPECT_EQ(spelled(music("C2|-C2")), "C4@0+1");
}

TEST(AbcTie, ToAnotherPitchIsASlurWithARemark) {
  EXPECT_EQ(spelled(music("C-D")), "C4@0+1/4 D4@1/4+1/4");
  EXPECT_THAT(remarks("C-D"), ElementsAre("abc-tie-dangling 1"));
  EXPECT_THAT(remarks("z-z"), ElementsAre("abc-tie-without-note 2"));
  EXPECT_EQ(spelled(music("^C-=C")), "C#4@0+1/4 C4@1/4+1/4");
}

TEST(AbcChord, KeepsAllNotesFromTheHighestDown) {
  EXPECT_EQ(spelled(music("[CEG]2 D")), "G4@0+1/2 E4@0+1/2 C4@0+1/2 D4@1/2+1/4");
  EXPECT_EQ(spelled(music("[C2E2G2]/2 D")), "G4@0+1/4 E4@0+1/4 C4@0+1/4 D4@1/4+1/4");
}

TEST(AbcChord, LastsAsLongAsItsFirstNote) { EXPECT_EQ(spelled(music("[C2E4]D")), "E4@0+1 C4@0+1/2 D4@1/2+1/4"); }

TEST(AbcChord, MayHoldDecorationsTextAndSpaces) {
  EXPECT_EQ(names(music("[ \"G\" .C !f! E ]")), "E4 C4");
  EXPECT_THAT(remarks("[ \"G\" .C !f! E ]"), IsEmpty());
}

TEST(AbcChord, SloppyOnesAreMended) {
  EXPECT_EQ(spelled(music("[CE|D")), "E4@0+1/4 C4@0+1/4 D4@1/4+1/4");
  EXPECT_THAT(remarks("[CE|D"), ElementsAre("abc-chord-unclosed 2"));
  EXPECT_EQ(spelled(music("[C2E2(3DEF|")), "E4@0+1/2 C4@0+1/2 D4@1/2+1/6 E4@2/3+1/6 F4@5/6+1/6");
  EXPECT_THAT(remarks("[]C"), ElementsAre("abc-chord-empty 2"));
  EXPECT_EQ(names(music("C + D | E + F")), "C4 D4 E4 F4");
  EXPECT_EQ(names(music("+CEG+")), "G4 E4 C4");
  EXPECT_THAT(remarks("+CEG+"), ElementsAre("abc-old-chord 1"));
}

TEST(AbcGrace, TakesNoTimeAndStandsBeforeItsNote) {
  EXPECT_EQ(spelled(music("C{de}D")), "C4@0+1/4 {D5@1/4+0} {E5@1/4+0} D4@1/4+1/4");
  EXPECT_EQ(spelled(music("{/g}C")), "{G5@0+0} C4@0+1/4");
}

TEST(AbcGrace, KeepsAWrittenLength) {
  EXPECT_EQ(spelled(music("{d1e/2f2}D")), "{D5@0+1/4} {E5@0+1/8} {F5@0+1/2} D4@0+1/4");
}

TEST(AbcGrace, ItsAccidentalHoldsForTheMeasure) { EXPECT_EQ(names(music("{^c}d c|c")), "C#5 D5 C#5 C5"); }

TEST(AbcGrace, UnclosedEndsAtTheBar) {
  EXPECT_EQ(spelled(music("{de|C")), "{D5@0+0} {E5@0+0} C4@0+1/4");
  EXPECT_THAT(remarks("{de|C"), ElementsAre("abc-grace-unclosed 1"));
}

}  // namespace abc_pitch_test
}  // namespace rondo::abc_test
