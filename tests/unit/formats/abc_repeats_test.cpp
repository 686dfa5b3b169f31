#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_repeats_test {

using testing::ElementsAre;
using testing::IsEmpty;

/// The notes as letters only, so that the order of playing is easy to see.
std::string order(std::string_view body, std::string_view header = "L:1/4\nK:C\n") {
  std::string out;
  const Voice voice = music(body, header);
  for (const Note& note : voice.notes) out += letter_of_step(note.pitch.step);
  return out;
}

TEST(AbcRepeat, PlainOnesInEveryShape) {
  EXPECT_EQ(order("|:C:|D"), "CCD");
  EXPECT_EQ(order("C:|D"), "CCD");
  EXPECT_EQ(order("|:C:|:D:|"), "CCDD");
  EXPECT_EQ(order("|:C:||:D:|"), "CCDD");
  EXPECT_EQ(order("|:C::D:|"), "CCDD");
  EXPECT_EQ(order("|:C:|]|:D:|]"), "CCDD");
  EXPECT_EQ(order("[|:C:|][|:D:|]"), "CCDD");
  EXPECT_EQ(order("C|:D:|E"), "CDDE");
  EXPECT_EQ(order("|:C|D:|"), "CDCD");
}

TEST(AbcRepeat, MoreThanTwice) {
  EXPECT_EQ(order("|::C::|D"), "CCCD");
  EXPECT_EQ(order("|:::C:::|D"), "CCCCD");
}

TEST(AbcRepeat, WithoutABeginningGoesBackToTheLastEndOrTheStart) {
  EXPECT_EQ(order("C:|D:|"), "CCDD");
  EXPECT_EQ(order("|:C:|D:|E"), "CCDDE");
}

TEST(AbcRepeat, ADoubleBarAloneIsNoBeginning) {
  EXPECT_EQ(order("C||D:|"), "CDCD");
  EXPECT_EQ(order("|:C|1D:|2E||F:|"), "CDCEFF") << "but it ends an ending";
}

TEST(AbcRepeat, InTheMiddleOfAMeasure) {
  EXPECT_EQ(spelled(music("C2:|D2|", "L:1/4\nM:4/4\nK:C\n")), "C4@0+1/2 C4@1/2+1/2 D4@1+1/2");
  EXPECT_EQ(order("E|C2DE:|"), "ECDEECDE") << "an upbeat is repeated with its section";
}

TEST(AbcEnding, InEveryShape) {
  const std::string_view twice = "CDCE";
  EXPECT_EQ(order("|:C|1D:|2E|]"), twice);
  EXPECT_EQ(order("|:C|[1D:|[2E|]"), twice);
  EXPECT_EQ(order("|:C| [1 D :| [2 E ||"), twice);
  EXPECT_EQ(order("C|1D:|2E|]"), twice);
  EXPECT_EQ(order("|:C[1D:|[2E|]"), twice) << "in the middle of a measure";
  EXPECT_EQ(order("|:C|1.D:|2.E|]"), twice);
}

TEST(AbcEnding, ThreeAndLists) {
  EXPECT_EQ(order("|:C|1D:|2E:|3F||"), "CDCECF");
  EXPECT_EQ(order("|:C|1,3D:|2E:||F"), "CDCECDF");
  EXPECT_EQ(order("|:C|[1-2D:|[3E||"), "CDCDCE");
}

TEST(AbcEnding, TheNextSectionBeginsBehindTheLast) {
  EXPECT_EQ(order("|:C|1D:|2E|:F:|"), "CDCEFF");
  EXPECT_EQ(order("|:C|1D:|2E||F|1G:|2A||"), "CDCEFGFA");
  EXPECT_EQ(order("|:C|1D:|2E:|F:|"), "CDCEFF");
}

TEST(AbcEnding, WithoutASecondOne) { EXPECT_EQ(order("|:C|1D:|E:|"), "CDCEE"); }

TEST(AbcEnding, MisplacedOnesAreMended) {
  EXPECT_EQ(order("|:C|1D|2E|"), "CDCE") << "a forgotten :|";
  EXPECT_EQ(order("C|2D|"), "CD") << "a second without a first is simply played";
  EXPECT_EQ(order("|:C:|2D|"), "CCD");
  EXPECT_THAT(remarks("|:C|1D|2E|"), ElementsAre("abc-ending-misplaced 7"));
}

TEST(AbcRepeat, OddSigns) {
  EXPECT_EQ(order("EC:D"), "ECECD");
  EXPECT_THAT(remarks("EC:D"), ElementsAre("abc-bar-odd 3"));
  EXPECT_THAT(remarks("C]D"), ElementsAre("abc-symbol-unknown 2"));
  EXPECT_EQ(order("|:C:]D"), "CCD");
  EXPECT_EQ(order("e|:|||:C:|"), "ECC");
  EXPECT_EQ(order("C.|D[|]E"), "CDE");
}

TEST(AbcRepeat, CanBeLeftAsWritten) {
  CollectingSink sink;
  ReadOptions options;
  options.expand_repeats = false;
  read(sink, "X:1\nL:1/4\nP:BA\nK:C\nP:A\n|:C|1D:|2E|]\nP:B\nF|", options);
  EXPECT_EQ(names(sink.pieces.at(0).voices.at(0)), "C4 D4 E4 F4");
}

TEST(AbcRepeat, SignsAreInForceAgainAfterTheJump) {
  const Voice voice = music("|:C4|[K:G][M:3/4]F3:|", "M:4/4\nL:1/4\nK:F\n");
  EXPECT_EQ(names(voice), "C4 F#4 C4 F#4");
  ASSERT_EQ(voice.times.size(), 4U);
  EXPECT_EQ(voice.times[2].onset, Fraction(7, 4));
  EXPECT_EQ(voice.times[2].value.to_string(), "4/4");
  ASSERT_EQ(voice.keys.size(), 4U);
  EXPECT_EQ(voice.keys[2].value.to_string(), "F major");
}

TEST(AbcRepeat, MeasuresAreCountedAsPlayed) {
  EXPECT_THAT(music("|:C4|D4:|").bars, ElementsAre(Fraction(0), Fraction(1), Fraction(2), Fraction(3)));
}

TEST(AbcParts, ArePlayedInTheOrderOfTheHeader) {
  EXPECT_EQ(order("P:A\nC|\nP:B\nD|", "P:ABA\nL:1/4\nK:C\n"), "CDC");
  EXPECT_EQ(order("P:A\nC|\nP:B\nD|\nP:C\nE|", "P:A(BC)2.A3\nL:1/4\nK:C\n"), "CDEDECCC");
  EXPECT_EQ(order("P:A\n|:C:|\nP:B\nD:|", "P:BA\nL:1/4\nK:C\n"), "DDCC") << "with their repeats";
  EXPECT_EQ(order("[P:A]C|[P:B]D|", "P:BA\nL:1/4\nK:C\n"), "DC");
}

TEST(AbcParts, WithoutAnOrderAreLabelsOnly) {
  EXPECT_EQ(order("P:A\nC|\nP:B\nD:|\nP:A\nE|"), "CDDE");
  EXPECT_EQ(order("C|D|", "P:AAB\nL:1/4\nK:C\n"), "CD") << "an order without labels says nothing";
}

TEST(AbcParts, WhatStandsBeforeThemIsPlayedFirst) {
  EXPECT_EQ(order("G|\nP:A\nC|\nP:B\nD|", "P:BA\nL:1/4\nK:C\n"), "GDC");
}

TEST(AbcParts, TheOrderMayStandInY) {
  EXPECT_EQ(order("P:A\nC|\nP:B\nD|", "Y:AAB\nL:1/4\nK:C\n"), "CCD");
  EXPECT_EQ(order("C:|", "Y:AA\nP:A\nL:1/4\nK:C\n"), "CCCC") << "P: is only a label then";
}

TEST(AbcParts, EndlessOrdersAreCut) {
  std::string parts = "A";
  for (int i = 0; i < 40; ++i) parts = "(" + parts + ")9";
  EXPECT_EQ(order("P:A\nC|", "P:" + parts + "\nL:1/4\nK:C\n").size(), 10'000U);
  EXPECT_EQ(order("P:A\nC|", "P:" + std::string(5000, '(') + "A\nL:1/4\nK:C\n"), "C");
}

}  // namespace abc_repeats_test
}  // namespace rondo::abc_test
