#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_rhythm_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AbcUnit, FollowsTheMeterWhereItIsNotSaid) {
  EXPECT_EQ(durations(music("C", "M:2/4\nK:C\n")), "1/16");
  EXPECT_EQ(durations(music("C", "M:3/4\nK:C\n")), "1/8");
  EXPECT_EQ(durations(music("C", "M:6/8\nK:C\n")), "1/8");
  EXPECT_EQ(durations(music("C", "M:C|\nK:C\n")), "1/8");
  EXPECT_EQ(durations(music("C", "M:none\nK:C\n")), "1/8");
  EXPECT_EQ(durations(music("C", "K:C\n")), "1/8");
}

TEST(AbcUnit, IsNotMovedByALaterMeter) {
  EXPECT_EQ(durations(music("C4|\nM:2/4\nC|[M:2/4]C|", "M:4/4\nK:C\n")), "1/2 1/8 1/8");
}

TEST(AbcUnit, CanBeChangedOnALineOrInline) { EXPECT_EQ(durations(music("C\nL:1/8\nC[L:1/2]C")), "1/4 1/8 1/2"); }

TEST(AbcLength, AllForms) {
  EXPECT_EQ(durations(music("C C1 C2 C3 C/ C/2 C// C/4 C3/2 C3/ C2/3 C12/8")),
            "1/4 1/4 1/2 3/4 1/8 1/8 1/16 1/16 3/8 3/8 1/6 3/8");
}

TEST(AbcLength, NothingAndNonsenseAreTakenForOne) {
  EXPECT_EQ(durations(music("C0 C/0 C99999999999999999999999 D")), "1/4 1/4 1/4 1/4");
  EXPECT_THAT(remarks("C0 C/0"), ElementsAre("abc-length-out-of-range 2", "abc-length-out-of-range 5"));
}

TEST(AbcBrokenRhythm, SharesTheTimeOfTwoNotes) {
  EXPECT_EQ(durations(music("C>D E<F")), "3/8 1/8 1/8 3/8");
  EXPECT_EQ(durations(music("C>>D E<<<F")), "7/16 1/16 1/32 15/32");
  EXPECT_EQ(durations(music("C2>D2")), "3/4 1/4");
  EXPECT_EQ(durations(music("C>D>E")), "3/8 3/16 1/8") << "one after the other, as they stand";
}

TEST(AbcBrokenRhythm, TakesRestsAndChordsAndPassesOverGraces) {
  EXPECT_EQ(spelled(music("C>z D")), "C4@0+3/8 D4@1/2+1/4");
  EXPECT_EQ(spelled(music("[CE]>{f}D")), "E4@0+3/8 C4@0+3/8 {F5@3/8+0} D4@3/8+1/8");
  EXPECT_EQ(durations(music("C > D")), "3/8 1/8");
}

TEST(AbcBrokenRhythm, WithoutNeighboursIsIgnored) {
  EXPECT_EQ(durations(music(">C | >D E>")), "1/4 1/4 3/8");
  EXPECT_THAT(remarks(">C"), ElementsAre("abc-broken-rhythm-dangling 1"));
  EXPECT_THAT(remarks("C>|"), ElementsAre("abc-broken-rhythm-dangling 0"));
  EXPECT_THAT(remarks("C><D"), ElementsAre("abc-broken-rhythm-dangling 3"));
}

TEST(AbcTuplet, DefaultsOfSimpleAndCompoundMeter) {
  EXPECT_EQ(durations(music("(3CDE F")), "1/6 1/6 1/6 1/4");
  EXPECT_EQ(durations(music("(2CD")), "3/8 3/8");
  EXPECT_EQ(durations(music("(4CDEF")), "3/16 3/16 3/16 3/16");
  EXPECT_EQ(durations(music("(6CDEFGA B")), "1/12 1/12 1/12 1/12 1/12 1/12 1/4");
  EXPECT_EQ(durations(music("(5CDEFG")), "1/10 1/10 1/10 1/10 1/10");
  EXPECT_EQ(durations(music("(5CDEFG", "M:6/8\nL:1/4\nK:C\n")), "3/20 3/20 3/20 3/20 3/20");
  EXPECT_EQ(durations(music("(7CDEFGAB", "M:9/8\nL:1/4\nK:C\n")), "3/28 3/28 3/28 3/28 3/28 3/28 3/28");
  EXPECT_EQ(durations(music("(8CDEFGABc c")), "3/32 3/32 3/32 3/32 3/32 3/32 3/32 3/32 1/4");
}

TEST(AbcTuplet, ExplicitNumbers) {
  EXPECT_EQ(durations(music("(3:2:4CDEF G")), "1/6 1/6 1/6 1/6 1/4");
  EXPECT_EQ(durations(music("(3::2CD E")), "1/6 1/6 1/4");
  EXPECT_EQ(durations(music("(3:4CDE")), "1/3 1/3 1/3");
  EXPECT_EQ(durations(music("(3::CDE F")), "1/6 1/6 1/6 1/4");
}

TEST(AbcTuplet, CountsNotesOfAnyLengthRestsAndChordsButNoGraces) {
  EXPECT_EQ(durations(music("(3C2DE2 F")), "1/3 1/6 1/3 1/4");
  EXPECT_EQ(spelled(music("(3Cz[EG] F")), "C4@0+1/6 G4@1/3+1/6 E4@1/3+1/6 F4@1/2+1/4");
  EXPECT_EQ(spelled(music("(3C{d}DE F")), "C4@0+1/6 {D5@1/6+0} D4@1/6+1/6 E4@1/3+1/6 F4@1/2+1/4");
  EXPECT_EQ(durations(music("(3C>DE F")), "1/4 1/12 1/6 1/4");
}

TEST(AbcTuplet, OddOnesAreRemarkedOn) {
  EXPECT_THAT(remarks("(0CDE"), ElementsAre("abc-tuplet-unknown 1"));
  EXPECT_THAT(remarks("(3CD(3EFG"), ElementsAre("abc-tuplet-short 5"));
  EXPECT_THAT(remarks("(3CD"), ElementsAre("abc-tuplet-short 0"));
  EXPECT_THAT(remarks("((3CDE) (F G))"), IsEmpty()) << "slurs";
}

TEST(AbcRest, VisibleAndInvisibleMoveTime) {
  EXPECT_EQ(spelled(music("C z D x2 E")), "C4@0+1/4 D4@1/2+1/4 E4@5/4+1/4");
  EXPECT_EQ(music("C z3").length, Fraction(1));
}

TEST(AbcRest, OfWholeMeasures) {
  const Voice voice = music("C4|Z2|D4|X|E4|");
  EXPECT_EQ(spelled(voice), "C4@0+1 D4@3+1 E4@5+1");
  EXPECT_THAT(voice.bars, ElementsAre(Fraction(0), Fraction(1), Fraction(2), Fraction(3), Fraction(4), Fraction(5)));
  EXPECT_EQ(spelled(music("ZC", "M:3/8\nL:1/8\nK:C\n")), "C4@3/8+1/8");
}

TEST(AbcRest, SpacersTakeNoTime) { EXPECT_EQ(spelled(music("CyDy3E")), "C4@0+1/4 D4@1/4+1/4 E4@1/2+1/4"); }

TEST(AbcBars, BeginMeasures) {
  EXPECT_THAT(music("C|DEFG|A4|").bars, ElementsAre(Fraction(0), Fraction(1, 4), Fraction(5, 4)));
  EXPECT_THAT(music("C D E").bars, IsEmpty()) << "unmeasured";
  EXPECT_THAT(music("| | C4 || D4 |]").bars, ElementsAre(Fraction(0), Fraction(1))) << "no empty measures";
}

TEST(AbcMusic, LinesGoOnWithOrWithoutABackslash) {
  EXPECT_EQ(durations(music("C2D>\\\nE(3F\nGA")), "1/2 3/8 1/8 1/6 1/6 1/6");
}

TEST(AbcMusic, TextDecorationsAndRemarksArePassedOver) {
  const std::string_view body =
      "\"Am7\"C \"^above|\"!trill!D .E ~F HG [r:a remark|]A !f!!accent!B +pp+c `d $e % comment C";
  EXPECT_EQ(names(music(body)), "C4 D4 E4 F4 G4 A4 B4 C5 D5 E5");
  EXPECT_THAT(remarks(body), IsEmpty());
}

TEST(AbcMusic, FieldsOfTheBodyAreNoMusic) {
  EXPECT_EQ(names(music("C D|\nw: la la\ns:!f! *\nr:remark\nN:note\nQ:1/4=90\nE F|[Q:80]G[N:x]|")), "C4 D4 E4 F4 G4");
  EXPECT_EQ(names(music("C D|\nA:|\nc:|")), "C4 D4 A4 C4 D4 A4 C5 C5") << "a note and a repeat, no field";
}

TEST(AbcMusic, UserSymbolsAreOrnamentsWhateverTheyWere) {
  EXPECT_EQ(names(music("CwDnE", "U:w = !trill!\nU:n=!roll!\nL:1/4\nK:C\n")), "C4 D4 E4");
}

TEST(AbcMusic, MacrosAreNotCarriedOut) {
  CollectingSink sink;
  read(sink, "X:1\nm:~n2 = (3o/n/m/ n\nK:C\n~C2|");
  EXPECT_TRUE(has_code(sink.warnings, "abc-macro-ignored"));
  EXPECT_EQ(names(sink.pieces[0].voices[0]), "C4");
}

}  // namespace abc_rhythm_test
}  // namespace rondo::abc_test
