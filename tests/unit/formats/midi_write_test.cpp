#include <gmock/gmock.h>

#include "rondo/melody/builder.h"
#include "support/data.h"
#include "support/random_voice.h"
#include "support/rounds.h"
#include "support/show_voice.h"

namespace rondo::midi_write_test {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Piece again(const Piece& piece) {
  auto file = find_format("midi")->write(piece);
  EXPECT_TRUE(file) << (file ? "" : file.error().to_string());
  CollectingSink sink;
  read_text("midi", file.value_or(""), sink);
  EXPECT_THAT(sink.warnings, IsEmpty());
  EXPECT_THAT(sink.skipped, IsEmpty());
  return sink.pieces.empty() ? Piece{} : sink.pieces.front();
}

std::string refusal(const Piece& piece) {
  const auto file = find_format("midi")->write(piece);
  return file ? "written" : file.error().code;
}

Piece piece_of(VoiceBuilder& builder) {
  Piece piece;
  piece.id = "x";
  piece.voices.push_back(builder.finish().value());
  return piece;
}

TEST(MidiWriter, WritesATypeOneFileWithATrackForThePieceAndOneForEachVoice) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), *Pitch::parse("C4"));
  Piece piece = piece_of(builder);
  piece.voices.push_back(piece.voices[0]);
  const std::string file = find_format("midi")->write(piece).value();
  EXPECT_EQ(file.substr(0, 14), std::string("MThd\0\0\0\6\0\1\0\3\1\xE0", 14));  // 480 ticks
  EXPECT_EQ(find_format("midi")->recognise(file), 100);
}

TEST(MidiWriter, ATripletOfAQuintupletGetsADivisionThatFits) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4 * 7), *Pitch::parse("C4"));
  builder.note(Fraction(1, 28), Fraction(1, 4 * 11), *Pitch::parse("D4"));
  const Piece piece = piece_of(builder);
  const std::string file = find_format("midi")->write(piece).value();
  EXPECT_EQ(file.substr(12, 2), std::string("\0\x9A", 2));  // 7 * 11 = 77, doubled to reach 96
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, RhythmTooFineForTicksIsRefused) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 999'983), *Pitch::parse("C4"));
  EXPECT_EQ(refusal(piece_of(builder)), "cannot-write");
  EXPECT_EQ(refusal(Piece{}), "cannot-write");
}

TEST(MidiWriter, SpellingGraceNotesAndFlagsSurvive) {
  VoiceBuilder builder("Violino");
  builder.key_signature(0, KeySignature::from_fifths(-2));
  builder.grace(0, Fraction(1, 16), *Pitch::parse("Fb5"));
  builder.grace(0, 0, *Pitch::parse("E#5"));
  builder.note(0, Fraction(1, 4), *Pitch::parse("B#4"));
  builder.note(Fraction(1, 4), Fraction(1, 4), *Pitch::parse("C#4"), false, false);  // a guess, not the usual one
  builder.note(Fraction(1, 2), Fraction(1, 4), *Pitch::parse("Db4"), false, false);  // the usual one
  builder.note(Fraction(1, 2), Fraction(1, 4), *Pitch::parse("C#4"));
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, UnisonsThatOverlapSurviveInEveryOrder) {
  const Pitch c = *Pitch::parse("C4");
  VoiceBuilder builder;
  builder.note(0, 1, c);
  builder.note(0, Fraction(1, 4), *Pitch::parse("B#3"));
  builder.note(0, 2, c);
  builder.note(Fraction(1, 4), Fraction(1, 4), c);
  builder.note(Fraction(1, 2), 3, c);
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, NotesWithoutLengthAndEmptyVoicesSurvive) {
  VoiceBuilder builder("leer");
  builder.note(0, 0, *Pitch::parse("C4"));
  builder.note(0, 0, *Pitch::parse("C4"), false, false);
  Piece piece = piece_of(builder);
  piece.voices.emplace_back();
  piece.voices.back().length = Fraction(3, 4);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, PickupBarsClefsKeysAndSignaturesSurvive) {
  VoiceBuilder builder;
  builder.clef(0, Clef{'C', 3, Clef::Kind::mensural});
  KeySignature odd;
  odd.alter = {1, 0, 0, 0, 0, 0, -1};
  builder.key_signature(0, odd);
  builder.key(0, *Key::parse("d dorian"));
  builder.time(0, TimeSignature{2, 2, "c/"});
  builder.bar(0);
  builder.bar(Fraction(1, 4));
  builder.bar(Fraction(5, 4));
  builder.note(Fraction(1, 4), 2, *Pitch::parse("D4"));
  builder.time(Fraction(5, 4), TimeSignature{0, 4, ""});
  builder.time(Fraction(6, 4), TimeSignature{7, 12, ""});
  builder.key_signature(Fraction(5, 4), KeySignature::from_fifths(-7));
  builder.lasts_until(4);
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, VoicesMayHaveSignaturesOfTheirOwn) {
  VoiceBuilder first;
  first.key_signature(0, KeySignature::from_fifths(1));
  first.time(0, TimeSignature{3, 4, ""});
  first.note(0, 1, *Pitch::parse("C4"), false, false);
  VoiceBuilder second;
  second.note(0, 1, *Pitch::parse("Eb4"), false, false);
  Piece piece = piece_of(first);
  piece.voices.push_back(second.finish().value());
  EXPECT_EQ(again(piece).voices[1], piece.voices[1]);
  EXPECT_EQ(again(piece).voices[0].key_signatures, piece.voices[0].key_signatures);
}

TEST(MidiWriter, WhatIsKnownOfThePieceSurvives) {
  VoiceBuilder builder("Flöte");
  builder.note(0, 1, *Pitch::parse("C4"));
  Piece piece = piece_of(builder);
  piece.id = "000101#1.1.1";
  piece.metadata = {"Air", "Anon.", "Ms.", "D-Dl", "Mus. 1", {"RISM 1", "BWV 2"}, "urn:x", "1750", {}};
  piece.metadata.fields = {{"role", "Fl\tute"}, {"tempo", "90"}, {"copyright", "none"}};
  const Piece read = again(piece);
  EXPECT_EQ(read.id, piece.id);
  EXPECT_EQ(read.metadata, piece.metadata);
}

TEST(MidiWriter, OtherProgramsSeeNotesNamesAndTempo) {
  VoiceBuilder builder("Flute");
  builder.note(0, Fraction(1, 4), *Pitch::parse("C4"));
  Piece piece = piece_of(builder);
  piece.metadata.title = "Air";
  piece.metadata.fields = {{"tempo", "120"}};
  const std::string file = find_format("midi")->write(piece).value();
  EXPECT_THAT(file, HasSubstr("\xFF\x03\x03"
                              "Air"));
  EXPECT_THAT(file, HasSubstr("\xFF\x03\x05"
                              "Flute"));
  EXPECT_THAT(file, HasSubstr("\xFF\x51\x03\x07\xA1\x20"));
  EXPECT_THAT(file, HasSubstr("\x90\x3C"));
}

TEST(MidiWriter, AVeryLongRestIsBrokenUp) {
  VoiceBuilder builder;
  builder.note(999'000, Fraction(1, 3), *Pitch::parse("C4"));
  const Piece piece = piece_of(builder);
  EXPECT_EQ(again(piece).voices, piece.voices);
}

TEST(MidiWriter, RandomVoicesSurvive) {
  for (unsigned seed = 0; seed < test::rounds(300U); ++seed) {
    const Piece piece = random_piece(seed);
    const auto file = find_format("midi")->write(piece);
    if (!file) {
      EXPECT_EQ(file.error().code, "cannot-write");
      continue;
    }
    ASSERT_EQ(again(piece).voices, piece.voices) << "seed " << seed;
  }
}

}  // namespace rondo::midi_write_test
