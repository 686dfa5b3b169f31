#include <gmock/gmock.h>

#include "rondo/melody/builder.h"
#include "support/data.h"
#include "support/random_voice.h"
#include "support/rounds.h"
#include "support/show_voice.h"

namespace rondo::kern_write_test {

using testing::HasSubstr;
using testing::IsEmpty;

std::string write(const Piece& piece) {
  const auto text = find_format("kern")->write(piece);
  return text ? *text : text.error().code;
}

Piece again(const Piece& piece) {
  CollectingSink sink;
  read_text("kern", write(piece), sink);
  EXPECT_THAT(sink.warnings, IsEmpty()) << write(piece);
  EXPECT_THAT(sink.skipped, IsEmpty()) << write(piece);
  return sink.pieces.empty() ? Piece{} : sink.pieces.front();
}

Piece piece_of(VoiceBuilder& builder) {
  Piece piece;
  piece.id = "x";
  piece.voices.push_back(builder.finish().value());
  return piece;
}

Pitch pitch(const char* name) { return *Pitch::parse(name); }

TEST(KernWriter, WritesWhatASpineOfKernLooksLike) {
  VoiceBuilder builder("Violino");
  builder.clef(0, Clef{});
  builder.key_signature(0, KeySignature::from_fifths(-2));
  builder.key(0, *Key::parse("g minor"));
  builder.time(0, TimeSignature{4, 4, "c"});
  builder.bar(0);
  builder.bar(1);
  builder.grace(Fraction(1, 4), Fraction(1, 16), pitch("A4"));
  builder.note(0, Fraction(1, 4), pitch("G4"));
  builder.note(Fraction(1, 4), Fraction(3, 8), pitch("Bb4"));
  builder.note(Fraction(3, 4), Fraction(1, 2), pitch("F#5"));
  builder.note(Fraction(3, 4), Fraction(1, 2), pitch("D2"));
  EXPECT_EQ(write(piece_of(builder)),
            "!!!id: x\n**kern\n*I\"Violino\n*clefG2\n*k[b-e-]\n*g:\n*M4/4\n*met(c)\n=1-\n4g\n16aq\n4.b-\n8r\n"
            "[4ff# [4DD\n=2\n4ff#] 4DD]\n==\n*-\n");
}

TEST(KernWriter, PutsTheLowestVoiceOnTheLeftAndFillsWithRests) {
  VoiceBuilder high("High");
  high.note(0, Fraction(1, 4), pitch("C5"));
  VoiceBuilder low("Low");
  low.note(0, Fraction(1, 2), pitch("C3"));
  Piece piece = piece_of(high);
  piece.voices.push_back(low.finish().value());
  EXPECT_EQ(write(piece), "!!!id: x\n**kern\t**kern\n*I\"Low\t*I\"High\n2C\t4cc\n.\t4r\n*-\t*-\n");
}

TEST(KernWriter, OverlappingNotesStandInBranches) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 2), pitch("C4"));
  builder.note(Fraction(1, 4), Fraction(1, 2), pitch("E4"));
  const Piece piece = piece_of(builder);
  EXPECT_EQ(write(piece), "!!!id: x\n**kern\n*^\n2c\t4ryy\n.\t2e\n4r\t.\n*v\t*v\n*-\n");
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, PlainDottedAndTupletValuesAreWritten) {
  VoiceBuilder builder;
  Fraction now;
  for (const Fraction value : {Fraction(1, 12), Fraction(1, 12), Fraction(1, 12), Fraction(2), Fraction(6), Fraction(8),
                               Fraction(7, 16), Fraction(16), Fraction(3), Fraction(5, 8), Fraction(1, 28)}) {
    builder.note(now, value, pitch("C4"));
    now += value;
  }
  const Piece piece = piece_of(builder);
  EXPECT_THAT(write(piece), HasSubstr("\n12c\n12c\n12c\n0c\n00.c\n000c\n4..c\n[000..c\n0c]\n0.c\n[2c\n8c]\n28c\n"));
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, ChangesWithinALongNoteKeepTheirPlace) {
  VoiceBuilder builder;
  builder.note(0, 4, pitch("C4"));
  builder.clef(Fraction(1, 3), Clef{'F', 4});
  builder.key_signature(1, KeySignature::from_fifths(3));
  builder.key(2, *Key::parse("E phrygian"));
  builder.time(3, TimeSignature{0, 4, "o."});
  builder.time(Fraction(7, 2), TimeSignature{5, 8, "3+2/8"});
  VoiceBuilder other;
  other.note(0, Fraction(1, 2), pitch("E4"));
  other.note(Fraction(1, 2), Fraction(7, 2), pitch("D4"));
  Piece piece = piece_of(builder);
  piece.voices.push_back(other.finish().value());
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, UnisonsSurviveInTheirOrder) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), pitch("E4"));
  builder.note(0, Fraction(1, 2), pitch("C4"));
  builder.note(0, Fraction(1, 4), pitch("B#3"));
  builder.note(0, Fraction(1, 2), pitch("C4"));
  builder.note(Fraction(1, 4), Fraction(1, 2), pitch("C4"));
  builder.bar(0);
  builder.bar(Fraction(3, 8));
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices[0].notes, piece.voices[0].notes);
}

TEST(KernWriter, GuessedSpellingsAreMarkedAndDeclared) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), pitch("C#4"), false, false);
  builder.note(Fraction(1, 4), Fraction(1, 4), pitch("Db4"));
  const Piece piece = piece_of(builder);
  EXPECT_THAT(write(piece), HasSubstr("!!!RDF**kern: i = spelling guessed\n"));
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, GraceNotesWithoutANoteToLeanOnSurvive) {
  VoiceBuilder builder;
  builder.note(0, 1, pitch("C4"));
  builder.grace(Fraction(1, 2), 0, pitch("D4"));
  builder.grace(Fraction(1, 2), Fraction(1, 8), pitch("C4"));
  builder.grace(1, Fraction(1, 3), pitch("E4"));
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, WhatIsKnownOfThePieceSurvives) {
  VoiceBuilder builder("Flöte");
  builder.note(0, 1, pitch("C4"));
  Piece piece = piece_of(builder);
  piece.id = "000101#1.1.1";
  piece.metadata = {"Air: &amp; &c.", "Anon.", "Ms.", "D-Dl", "Mus. 1", {"RISM 1", "BWV 2"}, "urn:x", "1750", {}};
  piece.metadata.fields = {{"role", "Flute"}, {"AGN", "air"}, {"tempo", "90"}};
  const Piece read = again(piece);
  EXPECT_EQ(read.id, piece.id);
  EXPECT_EQ(read.metadata, piece.metadata);
  EXPECT_EQ(read.voices, piece.voices);
}

TEST(KernWriter, TextCannotBreakTheFile) {
  VoiceBuilder builder("a\tb\nc");
  builder.note(0, 1, pitch("C4"));
  Piece piece = piece_of(builder);
  piece.metadata.title = "one\n**kern\n*-";
  piece.metadata.fields = {{"a:b\nc", "d"}, {"!x", "y"}};
  const Piece read = again(piece);
  EXPECT_EQ(read.voices[0].notes, piece.voices[0].notes);
  EXPECT_EQ(read.metadata.title, "one **kern *-");
}

TEST(KernWriter, RefusesWhatKernCannotSay) {
  VoiceBuilder builder;
  builder.note(0, 0, pitch("C4"));
  EXPECT_EQ(write(piece_of(builder)), "cannot-write");
  for (int i = 0; i < 40; ++i) builder.note(Fraction(i, 100), 1, pitch("C4"));
  EXPECT_EQ(write(piece_of(builder)), "cannot-write");
  EXPECT_EQ(write(Piece{}), "cannot-write");
  for (int i = 0; i < 100'000; ++i) builder.bar(i);
  builder.note(0, 100'000, pitch("C4"));
  Piece wide = piece_of(builder);
  for (int i = 0; i < 10; ++i) wide.voices.push_back(wide.voices[0]);
  EXPECT_EQ(write(wide), "cannot-write");
}

TEST(KernWriter, ValuesThatNotationDoesNotHaveAreRefused) {
  for (const Fraction value : {Fraction(1, 1000), Fraction(239, 1920), Fraction(5, 67), Fraction(1, 512)}) {
    VoiceBuilder builder;
    builder.note(0, value, pitch("C4"));
    EXPECT_EQ(write(piece_of(builder)), "cannot-write") << value.to_string();
  }
}

TEST(KernWriter, RefusesARestTooFineToBeReadAgain) {
  // Each note is within the limits; what lies between them has a denominator above a thousand millions.
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 31'643), pitch("C4"));
  builder.note(Fraction(1, 31'627), Fraction(1, 31'627), pitch("D4"));
  EXPECT_EQ(write(piece_of(builder)), "cannot-write");
}

TEST(KernWriter, EmptyVoicesSurvive) {
  Piece piece;
  piece.id = "x";
  piece.voices.resize(2);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(KernWriter, RandomVoicesSurvive) {
  std::size_t written = 0;
  for (unsigned seed = 0; seed < test::rounds(300U); ++seed) {
    const Piece piece = random_piece(seed);
    if (write(piece) == "cannot-write") continue;  // layers in different tuplets leave rests that have no value
    ++written;
    const Piece read = again(piece);
    ASSERT_EQ(read.voices.size(), piece.voices.size()) << "seed " << seed;
    for (std::size_t i = 0; i < piece.voices.size(); ++i) {
      ASSERT_EQ(read.voices[i].notes, piece.voices[i].notes) << "seed " << seed;
      ASSERT_EQ(read.voices[i].key_signatures, piece.voices[i].key_signatures) << "seed " << seed;
      ASSERT_EQ(read.voices[i].times, piece.voices[i].times) << "seed " << seed;
      ASSERT_EQ(read.voices[i].name, piece.voices[i].name) << "seed " << seed;
    }
  }
  EXPECT_GT(written, test::rounds(100U));
}

}  // namespace rondo::kern_write_test
