// Each row of the table of signs, in both versions. Expected melodies are worked out from the rules.

#include <gmock/gmock.h>

#include "unit/formats/pae_support.h"

namespace pae_notation_test {

using pae_test::Header;
using pae_test::read;
using pae_test::show;
using pae_test::show_bars;
using pae_test::show_changes;
using pae_test::sound;
using testing::IsEmpty;

const Header kV1{.version = "1"};
const Header kV2{.version = "2"};

TEST(PaeOctaves, ApostrophesCountUpFromMiddleCAndCommasDown) {
  EXPECT_EQ(sound("'4C''C'''C''''C,C,,C,,,C"), "C4 1/4 C5 1/4 C6 1/4 C7 1/4 C3 1/4 C2 1/4 C1 1/4");
}

TEST(PaeOctaves, StayUntilTheNextMarkAndBeginAtMiddleC) { EXPECT_EQ(sound("4AB''CD"), "A4 1/4 B4 1/4 C5 1/4 D5 1/4"); }

TEST(PaeOctaves, DoNotDependOnTheClef) {
  EXPECT_EQ(sound("'4C", Header{.clef = "g-2"}), "C4 1/4");
  EXPECT_EQ(sound("'4C", Header{.clef = "F-4"}), "C4 1/4");
}

TEST(PaeDurations, EveryFigureHasItsValue) {
  EXPECT_EQ(sound("0A9A1A2A4A8A6A3A5A7A"), "A4 4 A4 2 A4 1 A4 1/2 A4 1/4 A4 1/8 A4 1/16 A4 1/32 A4 1/64 A4 1/128");
}

TEST(PaeDurations, BeginWithAQuarterAndStay) { EXPECT_EQ(sound("AB8CD"), "A4 1/4 B4 1/4 C4 1/8 D4 1/8"); }

TEST(PaeDurations, DotsLengthenByHalvesOfHalves) {
  EXPECT_EQ(sound("4.A8..B2...C1....D"), "A4 3/8 B4 7/32 C4 15/16 D4 31/16");
}

TEST(PaeDurations, SevenWithADotIsANeumeInVersion1AndADotted128thInVersion2) {
  EXPECT_EQ(sound("7.AB", kV1), "A4 1/4 B4 1/4");
  EXPECT_EQ(sound("7.AB", kV2), "A4 3/256 B4 3/256");
  EXPECT_EQ(sound("7..A", kV1), "A4 7/512");
}

TEST(PaePatterns, ValuesInARowRepeatUntilTheNextValue) {
  EXPECT_EQ(sound("8.68{GA''D}{EFG}4A"), "G4 3/16 A4 1/16 D5 1/8 E5 3/16 F5 1/16 G5 1/8 A5 1/4");
}

TEST(PaePatterns, RestsAndChordsTakeAStepAndAcciaccaturasDoNot) {
  EXPECT_EQ(sound("8.6A-C^,E'gDF"), "A4 3/16 - 1/16 C4+E3 3/16 *D4 0 F4 1/16");
}

TEST(PaeAccidentals, AreAbsoluteAndHoldToTheBarLine) {
  EXPECT_EQ(sound("xFFnFF/F", Header{.keysig = "bB"}), "F#4 1/4 F#4 1/4 F4 1/4 F4 1/4 F4 1/4");
  EXPECT_EQ(sound("xFbF"), "F#4 1/4 Fb4 1/4");
  EXPECT_EQ(sound("xxCbbD"), "C##4 1/4 Dbb4 1/4");
}

TEST(PaeAccidentals, HoldForTheNameInEveryOctave) { EXPECT_EQ(sound("'xF''F,F"), "F#4 1/4 F#5 1/4 F#3 1/4"); }

TEST(PaeAccidentals, OverrideTheKeySignatureUntilTheBarLine) {
  EXPECT_EQ(sound("FnFF/F", Header{.keysig = "xF"}), "F#4 1/4 F4 1/4 F4 1/4 F#4 1/4");
}

TEST(PaeAccidentals, StayWithATiedNoteButNotWithTheNext) {
  EXPECT_EQ(sound("4xF+/FF", kV1), "F#4 1/2 F4 1/4");
  EXPECT_EQ(sound("4xF/_F", kV2), "F#4 1/2 F4 1/4");
}

TEST(PaeAccidentals, MayStandBeforeTheParenthesisOfAFermata) { EXPECT_EQ(sound("4x'(F)G"), "F#4 1/4 G4 1/4"); }

TEST(PaeAccidentals, OfGraceNotesAndChordsCountForTheMeasureToo) {
  EXPECT_EQ(sound("gxFF"), "*F#4 0 F#4 1/4");
  EXPECT_EQ(sound("A^xFF"), "A4+F#4 1/4 F#4 1/4");
}

TEST(PaeRests, HaveTheValueInForce) { EXPECT_EQ(sound("8-A-4-B"), "- 1/8 A4 1/8 - 3/8 B4 1/4"); }

TEST(PaeMeasureRests, LastByTheTimeSignature) {
  EXPECT_EQ(sound("=3/4C", Header{.timesig = "3/8"}), "- 9/8 C4 1/4");
  EXPECT_EQ(sound("=/4C", Header{.timesig = "c/", .version = "2"}), "- 1 C4 1/4");
  const auto reading = read("=3/4C", Header{.timesig = "3/8"});
  EXPECT_EQ(show_bars(reading.voice), "0 3/8 3/4 9/8");
  EXPECT_THAT(reading.codes(), IsEmpty());
}

TEST(PaeBars, AreWhereMeasuresBegin) {
  EXPECT_EQ(show_bars(read("4CD/EF//GA").voice), "0 1/2 1");
  EXPECT_EQ(show_bars(read("4CD/EF/").voice), "0 1/2") << "a bar line at the end begins no measure";
  EXPECT_EQ(show_bars(read("4CDEF").voice), "") << "no bar lines: measures are unknown";
  EXPECT_EQ(show_bars(read("/4CD/EF").voice), "0 1/2");
}

TEST(PaeRepeats, ArePlayed) {
  EXPECT_EQ(sound("4C//:D://E"), "C4 1/4 D4 1/4 D4 1/4 E4 1/4");
  EXPECT_EQ(sound("4CD://E"), "C4 1/4 D4 1/4 C4 1/4 D4 1/4 E4 1/4") << "without a start, from the beginning";
  EXPECT_EQ(sound("//:4C://:D://"), "C4 1/4 C4 1/4 D4 1/4 D4 1/4");
  EXPECT_EQ(sound("4C//:D"), "C4 1/4 D4 1/4") << "a repeat that is not closed is cut off by the incipit";
}

TEST(PaeRepeats, CanBeLeftAsWritten) {
  rondo::PaeOptions options;
  options.expand_repeats = false;
  EXPECT_EQ(show(read("//:4CD://E", {}, options).voice), "C4 1/4 D4 1/4 E4 1/4");
}

TEST(PaeRepeats, BringBackTheKeyOfTheirBeginning) {
  const auto reading = read("4F/$xF F://", Header{.keysig = "bB"});
  EXPECT_EQ(show(reading.voice), "F4 1/4 F#4 1/4 F4 1/4 F#4 1/4");
  EXPECT_EQ(show_changes(reading.voice.key_signatures), "0:bB 1/4:xF 1/2:bB 3/4:xF");
}

TEST(PaeRepeats, DoNotTieTheEndToTheBeginning) {
  // The tie leads into the section; when it is played again, the note before is another.
  EXPECT_EQ(sound("4C+//:CDC://"), "C4 1/2 D4 1/4 C4 1/4 C4 1/4 D4 1/4 C4 1/4");
}

TEST(PaeBeams, ChangeNothing) { EXPECT_EQ(sound("{8AB}{6CDEF}"), sound("8AB6CDEF")); }

TEST(PaeTuplets, DivideTheValueBeforeThem) {
  EXPECT_EQ(sound("4(6BAGFE;5)"), "B4 1/20 A4 1/20 G4 1/20 F4 1/20 E4 1/20");
  EXPECT_EQ(sound("8({3BAGFE};5)D"), "B4 1/40 A4 1/40 G4 1/40 F4 1/40 E4 1/40 D4 1/32");
  EXPECT_EQ(sound("4(4D8E)"), "D4 1/6 E4 1/12") << "by the written values, whatever they are";
  EXPECT_EQ(sound("2.(4ABCD;4)"), "A4 3/16 B4 3/16 C4 3/16 D4 3/16");
  EXPECT_EQ(sound("4(8A-B;3)"), "A4 1/12 - 1/12 B4 1/12");
}

TEST(PaeTuplets, TheShortTripletIsTwoThirds) {
  EXPECT_EQ(sound("({6ABC})8D"), "A4 1/24 B4 1/24 C4 1/24 D4 1/8");
  EXPECT_THAT(read("(6ABC)", kV1).codes(), IsEmpty());
}

TEST(PaeTuplets, NestAndHoldFermatas) {
  EXPECT_EQ(sound("4(8A(B)C;3)"), "A4 1/12 B4 1/12 C4 1/12");
  EXPECT_EQ(sound("2(4AB8(6CDE;3)8F;3)"), "A4 1/6 B4 1/6 C4 1/36 D4 1/36 E4 1/36 F4 1/12");
}

TEST(PaeTuplets, LeaveGraceNotesAlone) { EXPECT_EQ(sound("4(8Aq6B8CD;3)"), "A4 1/12 *B4 1/16 C4 1/12 D4 1/12"); }

TEST(PaeFermata, IsAParenthesisAroundOneNoteOrRestInVersion1) {
  EXPECT_EQ(sound("8(A)B(-)C", kV1), "A4 1/8 B4 1/8 - 1/8 C4 1/8");
  EXPECT_EQ(sound("(4C)D", kV1), "C4 1/4 D4 1/4");
}

TEST(PaeFermata, IsPBehindTheNoteInVersion2) {
  const auto reading = read("2Gtp1''Cp", kV2);
  EXPECT_EQ(show(reading.voice), "G4 1/2 C5 1");
  EXPECT_THAT(reading.codes(), IsEmpty());
}

TEST(PaeTies, PlusMergesEqualPitchesInVersion1) {
  EXPECT_EQ(sound("4C+8C+/2CD", kV1), "C4 7/8 D4 1/2");
  EXPECT_EQ(sound("8B+(6BCD)", kV1), "B4 1/6 C4 1/24 D4 1/24");
  EXPECT_EQ(sound("4C+gDC", kV1), "C4 1/2 *D4 0 @1/4") << "an ornament inside the tied note";
}

TEST(PaeTies, JoinBehindAFermataABeamAndATuplet) {
  EXPECT_EQ(sound("4(C)+CD"), "C4 1/2 D4 1/4");
  EXPECT_EQ(sound("{8CD}+4D"), "C4 1/8 D4 3/8");
  EXPECT_EQ(sound("{8C(D)}+/4D"), "C4 1/8 D4 3/8");
  EXPECT_EQ(sound("4(8CDE;3)+4E"), "C4 1/12 D4 1/12 E4 1/3");
  EXPECT_THAT(read("4(C)+C{8D}+D").codes(), testing::IsEmpty());
}

TEST(PaeTies, UnderscoreIsTheSecondNoteInVersion2) {
  EXPECT_EQ(sound("4C8_/2_D", kV2), "C4 7/8 D4 1/2");
  EXPECT_EQ(sound("2''E/8{_FG}/4_", kV2), "E5 5/8 F5 1/8 G5 3/8");
  EXPECT_EQ(sound("FG_A", kV2), "F4 1/4 G4 1/2 A4 1/4");
}

TEST(PaeTies, JoinWholeChordsOrTheMarkedNotes) {
  EXPECT_EQ(sound("2''D^'A+/2''D^'A", kV1), "D5+A4 1");
  EXPECT_EQ(sound("2''D+^'A/2''D^'A", kV1), "D5 1 A4 1/2 @0 A4 1/2 @1/2") << "only the D is tied";
  EXPECT_EQ(sound("2^'A''D>/_", kV2), "D5+A4 1");
  EXPECT_EQ(sound("2^CFA>8(6{_^DxGB>^CEA>})", kV2), "A4+F4+C4 13/24 B4+G#4+D4 1/24 A4+E4+C4 1/24");
}

TEST(PaeGraces, TakeNoTimeAndStandBeforeTheirNote) {
  EXPECT_EQ(sound("4Ag''C8D"), "A4 1/4 *C5 0 D5 1/8") << "acciaccatura: no value";
  EXPECT_EQ(sound("8.6gCDE"), "*C4 0 D4 3/16 E4 1/16") << "values before it are for the notes";
  EXPECT_EQ(sound("4Aq8B2C"), "A4 1/4 *B4 1/8 C4 1/2") << "appoggiatura: its written value";
  EXPECT_EQ(sound("4Aq8BC"), "A4 1/4 *B4 1/8 C4 1/8") << "its value stays in force";
}

TEST(PaeGraces, ComeInGroups) {
  EXPECT_EQ(sound("2Aqq{8B6C}r4D", kV1), "A4 1/2 *B4 1/8 *C4 1/16 D4 1/4");
  EXPECT_EQ(sound("2Ay{8B6C}r4D", kV2), "A4 1/2 *B4 1/8 *C4 1/16 D4 1/4");
  EXPECT_EQ(sound("8{GAy{''6DE}r'8GA}", kV2), "G4 1/8 A4 1/8 *D5 1/16 *E5 1/16 G4 1/8 A4 1/8");
  EXPECT_EQ(sound("qq3{DF}r/2G", kV1), "*D4 1/32 *F4 1/32 G4 1/2") << "before the bar line of their note";
}

TEST(PaeTrills, ChangeNothing) { EXPECT_EQ(sound("4CtD"), "C4 1/4 D4 1/4"); }

TEST(PaeChords, AreNotesOfOneOnsetTheHighestFirst) {
  EXPECT_EQ(sound("''2E^'B^xG4A", kV1), "E5+B4+G#4 1/2 A4 1/4");
  EXPECT_EQ(sound("2^'AxF''D>4G", kV2), "D5+A4+F#4 1/2 G5 1/4") << "whatever the order they are written in";
  EXPECT_EQ(sound("2p^AxF>", kV2), "A4+F#4 1/2");
}

TEST(PaeFigures, AreReadAgainForEachF) {
  EXPECT_EQ(sound("!8AB!ff4C"), "A4 1/8 B4 1/8 A4 1/8 B4 1/8 A4 1/8 B4 1/8 C4 1/4");
  EXPECT_EQ(sound("8!A''B'!f"), "A4 1/8 B5 1/8 A4 1/8 B5 1/8");
  EXPECT_EQ(sound("8!A''B!f"), "A4 1/8 B5 1/8 A5 1/8 B5 1/8") << "the octave goes on as if written out";
}

TEST(PaeRepeatBars, RepeatTheMeasureAsItSounds) {
  EXPECT_EQ(sound("4xFG/i/F"), "F#4 1/4 G4 1/4 F#4 1/4 G4 1/4 F4 1/4");
  EXPECT_EQ(sound("4CD/i/i//E"), "C4 1/4 D4 1/4 C4 1/4 D4 1/4 C4 1/4 D4 1/4 E4 1/4");
  EXPECT_EQ(show_bars(read("4CD/i/E").voice), "0 1/2 1");
}

TEST(PaeRepeatBars, BeginAnewWhereTheMeasureBeganWithATie) {
  EXPECT_EQ(sound("4C+/CD/i/"), "C4 1/2 D4 1/4 C4 1/4 D4 1/4");
  EXPECT_EQ(sound("4CD+/DE/i/"), "C4 1/4 D4 1/2 E4 1/4 D4 1/4 E4 1/4");
  EXPECT_EQ(sound("4CDC+/i/E"), "C4 1/4 D4 1/4 C4 1/2 D4 1/4 C4 1/4 E4 1/4") << "a tie into it is kept";
}

TEST(PaeChanges, NaturalsCancelTheSignatureBefore) {
  const Header flats{.keysig = "bBEAD"};
  EXPECT_EQ(sound("4BE/$nBEAD BEAD", flats), "Bb4 1/4 Eb4 1/4 B4 1/4 E4 1/4 A4 1/4 D4 1/4");
  EXPECT_EQ(sound("4BD/$nD BD", flats), "Bb4 1/4 Db4 1/4 Bb4 1/4 D4 1/4") << "the others stay";
  EXPECT_EQ(sound("4BF/$xF BF", flats), "Bb4 1/4 F4 1/4 B4 1/4 F#4 1/4") << "a whole new signature";
  EXPECT_THAT(read("4BE/$nBEAD BEAD", flats).codes(), testing::IsEmpty());
}

TEST(PaeChanges, OfClefKeyAndTimeHoldFromTheirPlace) {
  const auto reading = read("4F%F-4 F$xF F@3/2 F=1/F", Header{.keysig = "bB", .timesig = "2/4"});
  EXPECT_EQ(show(reading.voice), "F4 1/4 F4 1/4 F#4 1/4 F#4 1/4 - 3/2 F#4 1/4");
  EXPECT_EQ(show_changes(reading.voice.clefs), "0:G-2 1/4:F-4");
  EXPECT_EQ(show_changes(reading.voice.key_signatures), "0:bB 1/2:xF");
  EXPECT_EQ(show_changes(reading.voice.times), "0:2/4 3/4:3/2");
  EXPECT_THAT(reading.codes(), IsEmpty());
}

TEST(PaeChanges, MayStandTogetherWithOneSpace) {
  const auto reading = read("2A//%F-4$xFC@3/2 ,8B", kV2);
  EXPECT_EQ(show(reading.voice), "A4 1/2 B3 1/8");
  EXPECT_EQ(show_changes(reading.voice.clefs), "0:G-2 1/2:F-4");
  EXPECT_EQ(show_changes(reading.voice.key_signatures), "1/2:xFC");
  EXPECT_EQ(show_changes(reading.voice.times), "1/2:3/2");
}

TEST(PaeChanges, CancelTheKeyWithNOrNothing) {
  EXPECT_EQ(sound("F$n F", Header{.keysig = "xF"}), "F#4 1/4 F4 1/4");
  EXPECT_EQ(sound("F$ F", Header{.keysig = "xF"}), "F#4 1/4 F4 1/4");
}

TEST(PaeChanges, OfTimeMayAlternate) {
  EXPECT_EQ(show_changes(read("4C@3/4 4/4 D/E").voice.times), "1/4:3/4 4/4");
  EXPECT_EQ(show_changes(read("4C@3/4|4/4 D/E").voice.times), "1/4:3/4 4/4");
  EXPECT_EQ(sound("4C@3/4 4D/4E"), "C4 1/4 D4 1/4 E4 1/4") << "a value behind the space is a value";
}

TEST(PaeLigatures, JoinDifferentPitchesInMensuralMusicOnly) {
  const auto mensural = read("1C+DE", Header{.clef = "C+3", .version = "1"});
  EXPECT_EQ(show(mensural.voice), "C4 1 D4 1 E4 1");
  EXPECT_THAT(mensural.codes(), IsEmpty());
  EXPECT_THAT(read("1C+DE", kV1).codes(), testing::ElementsAre("pae-tie-mismatch"));
  EXPECT_EQ(sound("4Eu8Cu,B", kV2), "E4 1/4 C4 1/8 B3 1/8");
}

TEST(PaeValidity, MarksAtTheEndAreLeftOut) {
  for (const char* data : {"4C~?", "4C~+", "4C~t"}) {
    const auto reading = read(data, kV1);
    EXPECT_EQ(show(reading.voice), "C4 1/4") << data;
    EXPECT_THAT(reading.codes(), IsEmpty()) << data;
  }
}

TEST(PaeVersion, IsOneUnlessOnlyTwoFits) {
  EXPECT_EQ(read("4C+C").version, rondo::PaeVersion::v1);
  for (const char* data : {"4C_", "2^CE>", "4Cp", "4CuD", "4Cy8DrE"}) {
    EXPECT_EQ(read(data).version, rondo::PaeVersion::v2) << data;
  }
  EXPECT_EQ(read("4C", Header{.clef = "C*3"}).version, rondo::PaeVersion::v2);
  EXPECT_EQ(read("4C", Header{.timesig = "3/4|2/4"}).version, rondo::PaeVersion::v2);
  EXPECT_EQ(read("4C_", Header{.version = "pe"}).version, rondo::PaeVersion::v1) << "what is stated counts";
  EXPECT_EQ(read("4C", Header{.version = "pe2"}).version, rondo::PaeVersion::v2);
}

}  // namespace pae_notation_test
