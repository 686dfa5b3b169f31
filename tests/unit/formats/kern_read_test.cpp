#include <gmock/gmock.h>

#include "formats/readers.h"
#include "melody/limits.h"
#include "support/collected.h"
#include "support/data.h"

namespace rondo::kern_read_test {

using test::codes;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct KernReader : testing::Test {
  void read(const std::string& text, bool expand = true) {
    ReadOptions options;
    options.file = "song.krn";
    options.expand_repeats = expand;
    read_text("kern", text, sink, options);
  }

  /// A single spine.
  void read_lines(const std::string& lines, bool expand = true) { read("**kern\n" + lines + "*-\n", expand); }

  /// "C4:0+1/4 (D4:1/4+1/8)": pitch, onset, duration; grace notes in brackets. Voices from the top.
  std::string notes(std::size_t voice = 0, std::size_t piece = 0) {
    if (sink.pieces.size() <= piece || sink.pieces[piece].voices.size() <= voice) return "missing";
    std::string out;
    for (const Note& n : sink.pieces[piece].voices[voice].notes) {
      if (!out.empty()) out += ' ';
      const std::string text = n.pitch.to_string() + ":" + n.onset.to_string() + "+" + n.duration.to_string();
      out += n.grace ? "(" + text + ")" : text;
    }
    return out;
  }

  /// Pitches only: "C4 D4".
  std::string pitches(std::size_t voice = 0) {
    std::string out;
    for (const Note& n : sink.pieces.at(0).voices.at(voice).notes) {
      if (!out.empty()) out += ' ';
      out += n.pitch.to_string();
    }
    return out;
  }

  const Voice& voice(std::size_t i = 0) { return sink.pieces.at(0).voices.at(i); }
  std::vector<std::string> warnings() const { return codes(sink.warnings); }
  std::vector<std::string> skipped() const { return codes(sink.skipped); }

  CollectingSink sink;
};

TEST_F(KernReader, PitchesAndAccidentals) {
  read_lines("4c\n4cc\n4ccc\n4C\n4CC\n4f#\n4b-\n4e--\n4g##\n4an\n");
  EXPECT_EQ(pitches(), "C4 C5 C6 C3 C2 F#4 Bb4 Ebb4 G##4 A4");
  EXPECT_THAT(warnings(), IsEmpty());
  EXPECT_EQ(sink.pieces[0].id, "song.krn");
  EXPECT_EQ(sink.pieces[0].format, "kern");
}

TEST_F(KernReader, DurationsIncludingDotsBrevesTupletsAndRationals) {
  read_lines("4c\n8.d\n16..e\n12f\n0g\n00a\n3%2b\n4cc;L\n2dd@16@\n");
  // 1/4, 3/16, 7/64, 1/12, 2, 4, 2/3, 1/4 with fermata and beam, 1/2 with a tremolo.
  EXPECT_EQ(notes(),
            "C4:0+1/4 D4:1/4+3/16 E4:7/16+7/64 F4:35/64+1/12 G4:121/192+2 A4:505/192+4 B4:1273/192+2/3 "
            "C5:467/64+1/4 D5:483/64+1/2");
}

TEST_F(KernReader, RestsMoveTimeAndCountToTheLength) {
  read_lines("4r\n4c\n2ryy\n");
  EXPECT_EQ(notes(), "C4:1/4+1/4");
  EXPECT_EQ(voice().length, Fraction(1));
}

TEST_F(KernReader, ChordsAreNotesOfOneOnset) {
  read_lines("4c 4e 4g\n4d f\n");
  EXPECT_EQ(notes(), "G4:0+1/4 E4:0+1/4 C4:0+1/4 F4:1/4+1/4 D4:1/4+1/4");
}

TEST_F(KernReader, TiesAreJoinedOverBarLinesAndInChords) {
  read_lines("[4c [4e\n=2\n4c_ 4e]\n4c]\n4c\n");
  EXPECT_EQ(notes(), "E4:0+1/2 C4:0+3/4 C4:3/4+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, ATieThatDidNotBeginIsANewNote) {
  read_lines("4c\n4c]\n");
  EXPECT_EQ(notes(), "C4:0+1/4 C4:1/4+1/4");
  EXPECT_THAT(warnings(), ElementsAre("kern-tie-dangling"));
  EXPECT_EQ(sink.warnings[0].place.line, 3U);
}

TEST_F(KernReader, GraceNotesTakeNoTimeAndKeepTheirOrder) {
  read("**kern\t**kern\n4C\t4c\n.\t16eq\n.\tddqq\n4D\t4f\n*-\t*-\n");
  EXPECT_EQ(notes(0), "C4:0+1/4 (E4:1/4+1/16) (D5:1/4+0) F4:1/4+1/4");
  EXPECT_EQ(notes(1), "C3:0+1/4 D3:1/4+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, VoicesComeFromTheRightmostSpineDown) {
  read("**kern\t**text\t**kern\n*I\"Bass\t*\t*I\"Soprano\n2C\tla\t4c\n.\tli\t4d\n*-\t*-\t*-\n");
  ASSERT_THAT(sink.pieces[0].voices, SizeIs(2));
  EXPECT_EQ(voice(0).name, "Soprano");
  EXPECT_EQ(notes(0), "C4:0+1/4 D4:1/4+1/4");
  EXPECT_EQ(voice(1).name, "Bass");
  EXPECT_EQ(notes(1), "C3:0+1/2");
}

TEST_F(KernReader, BranchesOfASpineAreNotesOfOneVoice) {
  read("**kern\t**kern\n4C\t4c\n*\t*^\n2D\t2d\t4f\n.\t.\t4g\n*\t*v\t*v\n4E\t4e\n*-\t*-\n");
  EXPECT_EQ(notes(0), "C4:0+1/4 F4:1/4+1/4 D4:1/4+1/2 G4:1/2+1/4 E4:3/4+1/4");
  EXPECT_EQ(notes(1), "C3:0+1/4 D3:1/4+1/2 E3:3/4+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, OtherSpinesAreFollowedThroughSplits) {
  read("**dynam\t**kern\n*^\t*\nf\tp\t4c\n*v\t*v\t*\n.\t4d\n*-\t*-\n");
  EXPECT_EQ(notes(), "C4:0+1/4 D4:1/4+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, SpinesThatChangePlacesKeepTheirVoices) {
  read("**kern\t**kern\n4C\t4c\n*x\t*x\n4d\t4D\n*-\t*-\n");
  EXPECT_EQ(notes(0), "C4:0+1/4 D4:1/4+1/4");
  EXPECT_EQ(notes(1), "C3:0+1/4 D3:1/4+1/4");
}

TEST_F(KernReader, SpinesMayBeAddedAndEnd) {
  read("**kern\n4C\n*+\n*\t**kern\n4D\t4d\n*\t*-\n4E\n*-\n");
  EXPECT_EQ(notes(0), "D4:1/4+1/4");
  EXPECT_EQ(notes(1), "C3:0+1/4 D3:1/4+1/4 E3:1/2+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, ClefsKeysAndMetres) {
  read_lines("*clefGv2\n*k[b-e-]\n*g:dor\n*M4/4\n*met(c)\n1d\n=2\n*clefF4\n*k[]\n*C:\n*M3+2/8\n2c\n");
  ASSERT_THAT(voice().clefs, SizeIs(2));
  EXPECT_EQ(voice().clefs[0].value.to_string(), "g-2");
  EXPECT_EQ(voice().clefs[1].value.to_string(), "F-4");
  EXPECT_EQ(voice().clefs[1].onset, Fraction(1));
  EXPECT_EQ(voice().key_signatures[0].value.to_string(), "bBE");
  EXPECT_EQ(voice().key_signatures[1].value.to_string(), "");
  EXPECT_EQ(voice().keys[0].value.to_string(), "G dorian");
  EXPECT_EQ(voice().keys[1].value.to_string(), "C major");
  EXPECT_EQ(voice().times[0].value, (TimeSignature{4, 4, "c"}));
  EXPECT_EQ(voice().times[1].value, (TimeSignature{5, 8, "3+2/8"}));
}

TEST_F(KernReader, AMensurationSignAloneHasItsUsualBeats) {
  read_lines("*met(c|)\n1d\n");
  EXPECT_EQ(voice().times[0].value, (TimeSignature{2, 2, "c/"}));
}

TEST_F(KernReader, ATranspositionIsUndone) {
  // The data were moved up a major second; what sounds is C and E flat.
  read_lines("*Trd1c2\n4d\n4f\n");
  EXPECT_EQ(pitches(), "C4 Eb4");
}

TEST_F(KernReader, AnInstrumentsTranspositionIsNotAppliedAsKernIsAtSoundingPitch) {
  read_lines("*ITrd1c2\n4d\n");
  EXPECT_EQ(pitches(), "D4");
}

TEST_F(KernReader, BarsBeginAtNumberedLines) {
  read_lines("4c\n=1\n2c\n=:|!\n2d\n=2\n1e\n==\n", false);
  EXPECT_THAT(voice().bars, ElementsAre(Fraction(0), Fraction(1, 4), Fraction(5, 4)));
}

TEST_F(KernReader, WithoutNumbersEveryBarLineBeginsABar) {
  read_lines("1c\n=\n1c\n=\n1e\n==\n");
  EXPECT_THAT(voice().bars, ElementsAre(Fraction(0), Fraction(1), Fraction(2)));
}

TEST_F(KernReader, NoBarLinesNoBars) {
  read_lines("1c\n1d\n==\n");
  EXPECT_THAT(voice().bars, IsEmpty());
}

TEST_F(KernReader, RepeatSignsAreWrittenOut) {
  read_lines("4c\n=!|:\n4d\n=2\n4e\n=:|!|:\n4f\n=:|!\n4g\n==\n");
  EXPECT_EQ(pitches(), "C4 D4 E4 D4 E4 F4 F4 G4");
  EXPECT_EQ(voice().length, Fraction(2));
}

TEST_F(KernReader, RepeatsStayAsWrittenWhenAskedTo) {
  read_lines("4c\n=:|!\n4g\n==\n", false);
  EXPECT_EQ(pitches(), "C4 G4");
}

TEST_F(KernReader, TheListOfSectionsRulesOverRepeatSigns) {
  read_lines("*>[A,A1,A,A2]\n*>norep[A,A2]\n*>A\n4c\n=\n*>A1\n4d\n=:|!\n*>A2\n4e\n==\n");
  EXPECT_EQ(pitches(), "C4 D4 C4 E4");
}

TEST_F(KernReader, AfterAJumpTheSignaturesOfThePlaceHoldAgain) {
  read_lines("*>[A,B,A]\n*>A\n*M3/4\n*k[f#]\n2.c\n*>B\n*M2/4\n*k[]\n2d\n");
  ASSERT_THAT(voice().times, SizeIs(3));
  EXPECT_EQ(voice().times[2].onset, Fraction(5, 4));
  EXPECT_EQ(voice().times[2].value.to_string(), "3/4");
  EXPECT_EQ(voice().key_signatures[2].value.fifths(), 1);
}

TEST_F(KernReader, AListThatNamesAMissingSectionIsFollowedWithoutIt) {
  read_lines("*>[A,X,A]\n*>A\n4c\n");
  EXPECT_EQ(pitches(), "C4 C4");
  EXPECT_THAT(warnings(), ElementsAre("kern-unknown-section"));
}

TEST_F(KernReader, ReferenceRecordsBecomeMetadata) {
  read(
      "!!!COM: Bach, Johann Sebastian\n!!!OTL@EN: Water\n!!!OTL@@DE: Wasserfl&uuml;sse\n!!!SCT: BWV 1\n!!!SCT: BC 2\n"
      "!!!ODT: 1723\n!!!id: x7\n**kern\n*MM90\n4c\n*-\n!!!AGN: chorale\n");
  const Piece& piece = sink.pieces.at(0);
  EXPECT_EQ(piece.id, "x7");
  EXPECT_EQ(piece.metadata.composer, "Bach, Johann Sebastian");
  EXPECT_EQ(piece.metadata.title, "Wasserflüsse");
  EXPECT_EQ(piece.metadata.field("OTL@EN"), "Water");
  EXPECT_THAT(piece.metadata.catalogue, ElementsAre("BWV 1", "BC 2"));
  EXPECT_EQ(piece.metadata.year, "1723");
  EXPECT_EQ(piece.metadata.field("AGN"), "chorale");
  EXPECT_EQ(piece.metadata.field("tempo"), "90");
  EXPECT_THAT(piece.source_text, testing::StartsWith("!!!COM"));
}

TEST_F(KernReader, AFileMayHoldSeveralRecords) {
  read(
      "!!!!SEGMENT: a.krn\n!!!OTL: A\n**kern\n4c\n*-\n!!!ENC: x\n!!!!SEGMENT: b.krn\n!!!OTL: B\n**kern\n4q\n4d\n*-\n"
      "!!!OTL: C\n**kern\n4e\n*-\n!!!YOR: end\n");
  ASSERT_THAT(sink.pieces, SizeIs(3));
  EXPECT_EQ(sink.pieces[0].id, "song.krn#1");
  EXPECT_EQ(sink.pieces[0].metadata.title, "A");
  EXPECT_EQ(sink.pieces[0].metadata.field("ENC"), "x");
  EXPECT_EQ(sink.pieces[1].metadata.title, "B");
  EXPECT_EQ(sink.pieces[2].id, "song.krn#3");
  EXPECT_EQ(sink.pieces[2].metadata.title, "C");
  EXPECT_EQ(sink.pieces[2].metadata.field("YOR"), "end");
  EXPECT_EQ(notes(0, 2), "E4:0+1/4");
}

TEST_F(KernReader, LinesAreCountedThroughRecords) {
  read("**kern\n4c\n*-\n!! between\n**kern\n4d\n4e]\n*-\n");
  ASSERT_THAT(sink.warnings, SizeIs(1));
  EXPECT_EQ(sink.warnings[0].place.line, 7U);
  EXPECT_EQ(sink.warnings[0].place.record, "song.krn#2");
  EXPECT_EQ(sink.warnings[0].place.file, "song.krn");
}

TEST_F(KernReader, SpinesThatDisagreeAreWarnedOfAndKeptTogether) {
  // The second spine has an eighth too little: it waits for the others.
  read("**kern\t**kern\t**kern\n4C\t8c\t4cc\n4D\t4d\t4dd\n*-\t*-\t*-\n");
  EXPECT_EQ(notes(0), "C5:0+1/4 D5:1/4+1/4");
  EXPECT_EQ(notes(1), "C4:0+1/8 D4:1/4+1/4");
  EXPECT_THAT(warnings(), ElementsAre("kern-rhythm-mismatch"));
}

TEST_F(KernReader, ASpineThatFallsSilentBeforeTheBarLineIsWarnedOf) {
  read("**kern\t**kern\n4C\t4c\n4D\t.\n=2\t=2\n.\t4e\n4E\t.\n*-\t*-\n");
  EXPECT_THAT(warnings(), Contains("kern-rhythm-mismatch"));
  EXPECT_EQ(notes(0), "C4:0+1/4 E4:1/2+1/4");
  EXPECT_THAT(voice(0).bars, ElementsAre(Fraction(0), Fraction(1, 2)));
}

TEST_F(KernReader, ANoteOverABarLineWithoutATieKeepsItsLength) {
  read("**kern\t**kern\n0C\t1c\n=2\t=2\n.\t1d\n=3\t=3\n1E\t1e\n*-\t*-\n");
  EXPECT_EQ(notes(1), "C3:0+2 E3:2+1");
  EXPECT_THAT(voice(1).bars, ElementsAre(Fraction(0), Fraction(1), Fraction(2)));
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KernReader, SloppyLinesAreReadWithWarnings) {
  read("**kern\t**kern\r\n4C\t\t4c\r\n\r\n4D\n4E\t4e\t4x\n*-\t*-\n");
  EXPECT_EQ(notes(1), "C3:0+1/4 D3:1/4+1/4 E3:1/2+1/4");
  EXPECT_THAT(warnings(), Contains("kern-spine-count"));
}

TEST_F(KernReader, MissingDurationsAndOddTokensCostOneToken) {
  read_lines("8c\nd\n*\nhello?\n8%\n99999999999999e\n8f\n");
  EXPECT_THAT(pitches(), testing::StartsWith("C4 D4"));
  EXPECT_THAT(warnings(), Contains("kern-no-duration"));
}

TEST_F(KernReader, PitchesNobodyCanPlayAreRests) {
  read_lines("4cccccccccccccccccccccccccccccccccccccc\n4CCCCCCCCCCCC\n4d\n");
  EXPECT_EQ(notes(), "D4:1/2+1/4");
  EXPECT_THAT(warnings(), ElementsAre("kern-pitch-out-of-range", "kern-pitch-out-of-range"));
}

TEST_F(KernReader, RecognisedByItsExclusiveInterpretation) {
  const auto* format = find_format("kern");
  EXPECT_GT(format->recognise("!!!COM: X\n**kern\t**kern\n"), 50);
  EXPECT_GT(format->recognise("**text\t**kern\r\n"), 50);
  EXPECT_EQ(format->recognise("!!!COM: about **kern\n**kernel\n"), 0);
  EXPECT_EQ(format->recognise(""), 0);
}

TEST_F(KernReader, WhatIsNoKernIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("hello\n"), std::string(100, '\0'), std::string("!!!COM: x\n")}) {
    CollectingSink part;
    read_text("kern", text, part);
    EXPECT_THAT(codes(part.skipped), ElementsAre("kern-not-kern"));
  }
  read("**text\nla\n*-\n");
  EXPECT_THAT(skipped(), ElementsAre("kern-no-kern-spine"));
}

TEST_F(KernReader, ABadRecordCostsOnlyItself) {
  read("**text\nla\n*-\n**kern\n4c\n*-\n");
  EXPECT_THAT(skipped(), ElementsAre("kern-no-kern-spine"));
  EXPECT_EQ(notes(), "C4:0+1/4");
}

TEST_F(KernReader, EndlessSplittingIsAnError) {
  std::string text = "**kern\n";
  std::string line = "*^";
  for (int i = 0; i < 12; ++i) {
    text += line + "\n";
    const std::string half = line;
    (line += "\t") += half;
  }
  read(text);
  EXPECT_THAT(skipped(), ElementsAre("kern-too-many-spines"));
}

TEST_F(KernReader, EndlessRepetitionIsAnError) {
  std::string list = "*>[A";
  for (int i = 0; i < 50'000; ++i) list += ",A";
  std::string section;
  for (int i = 0; i < 1'000; ++i) section += "4r\n";
  read_lines(list + "]\n*>A\n" + section);
  EXPECT_THAT(skipped(), ElementsAre("repeats-too-long"));
}

TEST_F(KernReader, TooMuchMusicIsAnError) {
  std::string lines;
  for (std::size_t i = 0; i <= limits::kNotesPerVoice; ++i) lines += "4c\n";
  read_lines(lines);
  EXPECT_THAT(skipped(), ElementsAre("too-many-notes"));
  CollectingSink long_notes;
  std::string long_text = "**kern\n";
  for (int i = 0; i < 40'000; ++i) long_text += "00000c\n";
  read_text("kern", long_text, long_notes);
  EXPECT_THAT(codes(long_notes.skipped), ElementsAre("time-out-of-range"));
}

TEST_F(KernReader, ARecordBeyondTheLimitIsSkippedAndTheNextIsRead) {
  read("**kern\n4c\n!! " + std::string(limits::kRecordBytes, 'x') + "\n*-\n!!!!SEGMENT: b\n**kern\n4d\n*-\n");
  EXPECT_THAT(skipped(), ElementsAre("too-large"));
  EXPECT_EQ(notes(), "D4:0+1/4");
}

TEST_F(KernReader, EveryPrefixOfARecordIsReadOrRefused) {
  const std::string whole =
      "!!!OTL: x\n**kern\t**kern\n*>[A,A]\t*>[A,A]\n*>A\t*>A\n*^\t*\n[4C\t4E\t8qd\n4C]\t.\t4d "
      "4f\n*v\t*v\t*\n==:|!\t==:|!\n*-\t*-\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CollectingSink part;
    read_text("kern", whole.substr(0, size), part);
    EXPECT_EQ(part.pieces.size() + part.skipped.size(), 1U) << size;
  }
}

TEST_F(KernReader, WhatIsLeftOverInATokenIsReported) {
  read_lines("1.5a\n4.B8G\n4c\n4dL 4f;\n");
  std::vector<std::string> codes;
  for (const Diagnostic& warning : sink.warnings) codes.push_back(warning.code);
  EXPECT_THAT(codes, ElementsAre("kern-token-leftover", "kern-token-leftover"));
  EXPECT_THAT(sink.warnings.at(0).message, testing::HasSubstr("'5a' at the end of '1.5a'"));
  EXPECT_THAT(sink.warnings.at(1).message, testing::HasSubstr("'8G' at the end of '4.B8G'"));
}

TEST_F(KernReader, ATextAboutKernIsNoMelody) {
  EXPECT_EQ(recognise_kern("The **kern representation\n\nA file looks like this:\n\n**kern\n4c\n*-\n"), 0);
  EXPECT_EQ(recognise_kern("!!!OTL: Air\n! a comment\n\n**kern\n4c\n*-\n"), 95);
  EXPECT_EQ(recognise_kern("**text\t**kern\nla\t4c\n*-\t*-\n"), 95);
}

TEST_F(KernReader, MensuralNotationAndTablatureAreRejectedByName) {
  EXPECT_GT(recognise_kern("!!!OTL: Missa\n**mens\n*clefC1\nSc\n*-\n"), 0);
  read("**mens\t**text\nSc\tKy\n*-\t*-\n");
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "kern-no-kern-spine");
  EXPECT_THAT(sink.skipped[0].message, testing::HasSubstr("**mens (mensural notation)"));
  sink.skipped.clear();
  read("**fret\n4|2\n*-\n");
  EXPECT_THAT(sink.skipped.at(0).message, testing::HasSubstr("**fret (tablature)"));
}

}  // namespace rondo::kern_read_test
