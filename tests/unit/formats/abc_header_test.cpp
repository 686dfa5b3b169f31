#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_header_test {

using testing::ElementsAre;
using testing::Pair;

TEST(AbcFile, HoldsManyTunesWithFreeTextBetween) {
  CollectingSink sink;
  read(sink,
       "Some free text about K: and X.\n\nX:5\nT:First\nK:C\nCDEF|\n\nMore free "
       "text\nCDEF\n\nX:9\nT:Second\nK:G\nGABc|\n");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(sink.pieces[0].id, "test#1");
  EXPECT_EQ(sink.pieces[0].metadata.title, "First");
  EXPECT_EQ(sink.pieces[0].metadata.field("number"), "5");
  EXPECT_EQ(sink.pieces[1].id, "test#2");
  EXPECT_EQ(names(sink.pieces[1].voices[0]), "G4 A4 B4 C5");
}

TEST(AbcFile, ATuneEndsAtTheNextNumberEvenWithoutABlankLine) {
  CollectingSink sink;
  read(sink, "X:1\nK:C\nCD|\nX:2\nK:C\nEF|\n");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(names(sink.pieces[0].voices[0]), "C4 D4");
  EXPECT_EQ(names(sink.pieces[1].voices[0]), "E4 F4");
}

TEST(AbcFile, ItsHeaderHoldsForAllTunesUnlessTheySayOtherwise) {
  CollectingSink sink;
  read(sink, "%abc-2.1\nO:Ireland\nZ:me\nL:1/4\nM:3/4\n\nX:1\nT:a\nK:C\nC|\n\nX:2\nT:b\nO:Wales\nL:1/2\nK:C\nC|\n");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(sink.pieces[0].metadata.field("origin"), "Ireland");
  EXPECT_EQ(sink.pieces[0].metadata.field("transcription"), "me");
  EXPECT_EQ(spelled(sink.pieces[0].voices[0]), "C4@0+1/4");
  EXPECT_EQ(sink.pieces[0].voices[0].times[0].value.to_string(), "3/4");
  EXPECT_EQ(sink.pieces[1].metadata.field("origin"), "Wales");
  EXPECT_EQ(spelled(sink.pieces[1].voices[0]), "C4@0+1/2");
}

TEST(AbcFile, AcceptsAllLineEndsAndAByteOrderMark) {
  EXPECT_EQ(names(piece("\xEF\xBB\xBFX:1\r\nK:C\r\nCD|\r\n").voices[0]), "C4 D4");
  EXPECT_EQ(names(piece("X:1\rK:C\rCD|\r").voices[0]), "C4 D4");
  EXPECT_EQ(names(piece("X:1\nK:C\nCD|").voices[0]), "C4 D4");
}

TEST(AbcFile, ATuneWithoutNumberIsReadWithARemark) {
  CollectingSink sink;
  read(sink, "T:Fragment\nK:D\nDEF|\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(names(sink.pieces[0].voices[0]), "D4 E4 F#4");
  EXPECT_TRUE(has_code(sink.warnings, "abc-no-number"));
}

TEST(AbcFile, ABlankLineWithinTheHeaderIsForgiven) {
  EXPECT_EQ(names(piece("X:1\nT:Slip\n\nK:D\nDF|\n").voices[0]), "D4 F#4");
}

TEST(AbcFile, ATuneWithoutKeyIsReadWithARemark) {
  CollectingSink sink;
  read(sink, "X:1\nT:No key\nL:1/4\nCDE|\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(spelled(sink.pieces[0].voices[0]), "C4@0+1/4 D4@1/4+1/4 E4@1/2+1/4");
  EXPECT_TRUE(has_code(sink.warnings, "abc-no-key"));
}

TEST(AbcFile, ATuneWithoutMusicIsAPieceWithoutVoices) {
  const Piece empty = piece("X:1\nT:Only a title\nK:C\n");
  EXPECT_EQ(empty.metadata.title, "Only a title");
  EXPECT_TRUE(empty.voices.empty());
}

TEST(AbcFile, WithoutAnyTuneIsAnError) {
  for (const std::string_view text : {"", "\n\n", "nothing here\n", "T:only a header\n"}) {
    CollectingSink sink;
    read(sink, text);
    ASSERT_EQ(sink.skipped.size(), 1U);
    EXPECT_EQ(sink.skipped[0].code, "abc-no-tune");
  }
}

TEST(AbcFile, KeepsTheTextOfEachTuneWhenAsked) {
  CollectingSink sink;
  read(sink, "X:1\nK:C\nCD|\n\nX:2\nK:C\nE|\n");
  EXPECT_EQ(sink.pieces[1].source_text, "X:2\nK:C\nE|\n");
  ReadOptions options;
  options.keep_source = false;
  CollectingSink bare;
  read(bare, "X:1\nK:C\nCD|\n", options);
  EXPECT_EQ(bare.pieces[0].source_text, "");
}

TEST(AbcFile, StopsWhenTheSinkHasEnough) {
  class One final : public PieceSink {
   public:
    bool piece(Piece&& /*piece*/) override { return ++count < 1; }
    void warn(Diagnostic /*warning*/) override {}
    bool skip(Diagnostic /*why*/) override { return true; }
    int count = 0;
  };
  One sink;
  MemorySource source("X:1\nK:C\nC|\n\nX:2\nK:C\nC|\n");
  EXPECT_TRUE(find_format("abc")->read(source, {}, sink).has_value());
  EXPECT_EQ(sink.count, 1);
}

TEST(AbcFile, IsRecognisedByContent) {
  const Format* abc = find_format("abc");
  EXPECT_EQ(abc->recognise("%abc-2.1\nX:1\n"), 100);
  EXPECT_GE(abc->recognise("\n\nX:1\nT:a\nK:C\nCDE|"), 90);
  EXPECT_GT(abc->recognise("T:x\nK:C\nCDE"), 0);
  EXPECT_EQ(abc->recognise("<?xml version=\"1.0\"?><mei/>"), 0);
  EXPECT_EQ(abc->recognise("!!!COM: Bach\n**kern\n4c\n"), 0);
  EXPECT_EQ(abc->recognise(std::string_view("MThd\0\0\0\6X:1\nK:C\n", 16)), 0);
  EXPECT_EQ(abc->recognise(""), 0);
}

TEST(AbcMetadata, EveryInformationFieldIsKept) {
  const Metadata m =
      piece(
          "X:12\nT:Title\nT:Another\nC:Composer\nC:Arranger\nO:Origin\nA:Area\nS:Source\nS:Other source\n"
          "B:Book\nD:Disc\nF:http://example.org/a.abc\nG:Group\nH:History\nN:Note\nR:Reel\n"
          "Z:Typist\nQ:1/4=120\nK:C\nC|\nW:Words at the end\n")
          .metadata;
  EXPECT_EQ(m.title, "Title");
  EXPECT_EQ(m.composer, "Composer");
  EXPECT_EQ(m.source, "Source");
  EXPECT_EQ(m.uri, "http://example.org/a.abc");
  EXPECT_THAT(m.fields, ElementsAre(Pair("number", "12"), Pair("title", "Another"), Pair("composer", "Arranger"),
                                    Pair("origin", "Origin"), Pair("area", "Area"), Pair("source", "Other source"),
                                    Pair("book", "Book"), Pair("discography", "Disc"), Pair("group", "Group"),
                                    Pair("history", "History"), Pair("notes", "Note"), Pair("rhythm", "Reel"),
                                    Pair("transcription", "Typist"), Pair("tempo", "1/4=120"),
                                    Pair("words", "Words at the end")));
}

TEST(AbcMetadata, FieldsGoOnBehindAPlusAndHistoryOnBareLines) {
  const Metadata m = piece("X:1\nN:one\n+:two\nH:began\nwent on\nK:C\nC|\n").metadata;
  EXPECT_EQ(m.field("notes"), "one two");
  EXPECT_EQ(m.field("history"), "began went on");
}

TEST(AbcMetadata, CommentsAreCutButAProtectedPercentStays) {
  EXPECT_EQ(piece("X:1\nT:Half % of it\nK:C\nC|").metadata.title, "Half");
  EXPECT_EQ(piece("X:1\nT:50\\% off\nK:C\nC|").metadata.title, "50% off");
}

TEST(AbcMetadata, MnemonicsAndEntitiesBecomeLetters) {
  EXPECT_EQ(piece("X:1\nT:\\'Etude \\\"uber \\ss \\AA \\oe\nK:C\nC|").metadata.title, "Étude über ß Å \\oe");
  EXPECT_EQ(piece("X:1\nT:caf&eacute; &Ouml;l &amp\nK:C\nC|").metadata.title, "café Öl &amp");
  EXPECT_EQ(piece("X:1\nT:\\u00e9\\u0111\\uD800\nK:C\nC|").metadata.title, "éđ\\uD800");
}

TEST(AbcMetadata, WhatIsNotUtf8IsReadAsLatin1) {
  CollectingSink sink;
  read(sink, "X:1\nT:Tr\xE4umerei\nK:C\nC|");
  EXPECT_EQ(sink.pieces[0].metadata.title, "Träumerei");
  EXPECT_TRUE(has_code(sink.warnings, "abc-not-utf8"));
}

TEST(AbcMetadata, OurIdIsTakenFromTheDirective) {
  EXPECT_EQ(piece("X:1\n%%rondo-id 1001.1.2\nK:C\nC|").id, "1001.1.2");
}

TEST(AbcHeader, UnknownFieldsAndLinesAreRemarkedOn) {
  CollectingSink sink;
  read(sink, "X:1\nJ:what\nno field\nK:C\nC|");
  ASSERT_EQ(sink.warnings.size(), 2U);
  EXPECT_EQ(sink.warnings[0].code, "abc-field-unknown");
  EXPECT_EQ(sink.warnings[0].place.to_string(), "test: record test#1: line 2, column 1");
  EXPECT_EQ(sink.warnings[1].code, "abc-header-line");
}

TEST(AbcHeader, TextBlocksAreNoMusic) {
  EXPECT_EQ(names(piece("X:1\nK:C\nCD|\n%%begintext\nABBA\n%%endtext\nEF|\n").voices[0]), "C4 D4 E4 F4");
}

}  // namespace abc_header_test
}  // namespace rondo::abc_test
