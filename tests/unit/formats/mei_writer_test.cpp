#include <gmock/gmock.h>

#include "rondo/melody/builder.h"
#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::mei_writer_test {

using testing::HasSubstr;
using testing::Not;

Piece piece_of(std::vector<Voice> voices) {
  Piece piece;
  piece.id = "p/1";
  piece.metadata.title = "Air & \"Variations\" <1>";
  piece.voices = std::move(voices);
  return piece;
}

std::string written(const Piece& piece) {
  auto text = find_format("mei")->write(piece);
  EXPECT_TRUE(text.has_value()) << text.error().to_string();
  return text.value_or("");
}

Piece again(const Piece& piece) {
  CollectingSink sink;
  read_text("mei", written(piece), sink);
  EXPECT_TRUE(sink.skipped.empty());
  EXPECT_TRUE(sink.warnings.empty()) << sink.warnings.front().to_string();
  EXPECT_EQ(sink.pieces.size(), 1U);
  return sink.pieces.empty() ? Piece{} : std::move(sink.pieces.front());
}

void expect_same(const Piece& piece) {
  const Piece read = again(piece);
  ASSERT_EQ(read.voices.size(), piece.voices.size());
  for (std::size_t i = 0; i < piece.voices.size(); ++i) {
    EXPECT_EQ(read.voices[i].notes, piece.voices[i].notes) << melody_text(read.voices[i]) << "\n instead of \n"
                                                           << melody_text(piece.voices[i]);
  }
}

Pitch pitch(const char* name) { return Pitch::parse(name).value(); }

/// Notes one after the other, with bars of 4/4.
Voice line(const std::vector<std::pair<const char*, Fraction>>& notes) {
  VoiceBuilder builder;
  Fraction at;
  builder.time(0, TimeSignature{4, 4, {}});
  for (const auto& [name, duration] : notes) {
    if (name[0] != 'r') builder.note(at, duration, pitch(name));
    at += duration;
  }
  builder.lasts_until(at);
  for (Fraction bar = 0; bar < at; bar += 1) builder.bar(bar);
  return builder.finish().value();
}

TEST(MeiWriter, KeepsEverythingOfAPlainMelody) {
  VoiceBuilder builder("Violino I");
  builder.clef(0, *Clef::parse("g-2"));
  builder.key_signature(0, KeySignature::from_fifths(2));
  builder.key(0, *Key::parse("b minor"));
  builder.time(0, TimeSignature{3, 4, {}});
  builder.bar(0);
  builder.bar(Fraction(1, 4));
  builder.bar(1);
  builder.grace(Fraction(1, 4), Fraction(1, 8), pitch("C#5"));
  builder.note(0, Fraction(1, 4), pitch("F#4"));
  builder.note(Fraction(1, 4), Fraction(3, 8), pitch("B4"));
  builder.note(Fraction(1, 4), Fraction(3, 8), pitch("D4"));
  builder.key_signature(1, KeySignature::from_fifths(-1));
  builder.time(1, TimeSignature{4, 4, "c"});
  builder.clef(Fraction(3, 2), *Clef::parse("F-4"));
  builder.note(1, Fraction(1, 2), pitch("Bb4"));
  builder.note(Fraction(3, 2), Fraction(1, 2), pitch("E3"));
  Piece piece = piece_of({builder.finish().value()});
  piece.metadata.composer = "Ann A.";
  piece.metadata.source = "A print";
  piece.metadata.library = "D-Dl";
  piece.metadata.shelfmark = "Mus. 2";
  piece.metadata.catalogue = {"Op. 1", "K. 2"};
  piece.metadata.uri = "http://example.org/x";
  piece.metadata.year = "1700";
  piece.metadata.fields = {{"text", "La la"}};
  const Piece read = again(piece);
  EXPECT_EQ(read.id, piece.id);
  EXPECT_EQ(read.metadata, piece.metadata);
  ASSERT_EQ(read.voices.size(), 1U);
  EXPECT_EQ(read.voices[0], piece.voices[0]);
}

TEST(MeiWriter, SplitsNotesAtTheBarWithTies) {
  const Piece piece = piece_of({line({{"C4", {3, 4}}, {"D4", {1, 2}}, {"r", {1, 4}}, {"E4", {5, 2}}})});
  EXPECT_THAT(written(piece), HasSubstr("tie=\"i\""));
  EXPECT_THAT(written(piece), HasSubstr("tie=\"m\""));
  expect_same(piece);
}

TEST(MeiWriter, SpellsOddValuesExactly) {
  const Piece tuplets =
      piece_of({line({{"C4", {1, 12}}, {"D4", {1, 12}}, {"E4", {1, 12}}, {"F4", {1, 20}}, {"G4", {3, 28}}})});
  EXPECT_THAT(written(tuplets), HasSubstr("<tuplet num=\"3\" numbase=\"2\">"));
  expect_same(tuplets);
  expect_same(
      piece_of({line({{"C4", {5, 8}}, {"D4", {7, 16}}, {"E4", {11, 64}}, {"F4", {1, 2048}}, {"G4", {13, 48}}})}));
}

TEST(MeiWriter, RefusesValuesThatNotationDoesNotHave) {
  for (const Fraction value : {Fraction(1, 4096), Fraction(239, 1920), Fraction(13, 99'991), Fraction(500'000)}) {
    VoiceBuilder builder;
    builder.note(0, value, pitch("C4"));
    const auto text = find_format("mei")->write(piece_of({builder.finish().value()}));
    ASSERT_FALSE(text.has_value()) << value.to_string();
    EXPECT_EQ(text.error().code, "cannot-write");
  }
}

TEST(MeiWriter, KeepsOverlappingNotesOfAVoiceInOneVoice) {
  VoiceBuilder builder;
  builder.note(0, 1, pitch("C3"));
  builder.note(Fraction(1, 4), Fraction(1, 4), pitch("E4"));
  builder.note(Fraction(1, 2), Fraction(3, 4), pitch("G4"));
  builder.bar(0);
  builder.bar(1);
  const Piece piece = piece_of({builder.finish().value()});
  EXPECT_THAT(written(piece), HasSubstr("same-voice"));
  expect_same(piece);
}

TEST(MeiWriter, KeepsUnisonsThatOverlapAcrossTheBar) {
  // Ties alone would leave open which of the two goes on.
  VoiceBuilder builder;
  builder.note(0, Fraction(5, 4), pitch("C4"));
  builder.note(Fraction(1, 2), Fraction(9, 8), pitch("C4"));
  builder.bar(0);
  builder.bar(1);
  expect_same(piece_of({builder.finish().value()}));
}

TEST(MeiWriter, KeepsNotesWithoutTimeAndGraceNotesAtTheEnd) {
  VoiceBuilder builder;
  builder.note(0, 0, pitch("C4"));
  builder.note(0, Fraction(1, 4), pitch("D4"));
  builder.grace(Fraction(1, 4), 0, pitch("E4"));
  builder.grace(Fraction(1, 4), Fraction(1, 24), pitch("F4"));
  expect_same(piece_of({builder.finish().value()}));
}

TEST(MeiWriter, MakesOneMeasureWhereBarsDiffer) {
  Voice a = line({{"C4", 1}, {"D4", 1}});
  Voice b = line({{"E4", 1}, {"F4", {1, 2}}});
  b.bars = {Fraction(0), Fraction(3, 4)};
  const Piece piece = piece_of({a, b});
  const std::string text = written(piece);
  EXPECT_EQ(text.find("<measure"), text.rfind("<measure"));
  expect_same(piece);
}

TEST(MeiWriter, WritesAccidentalsWhereAPlayerNeedsThem) {
  VoiceBuilder builder;
  builder.key_signature(0, KeySignature::from_fifths(1));
  builder.note(0, Fraction(1, 4), pitch("F#4"));
  builder.note(Fraction(1, 4), Fraction(1, 4), pitch("F4"));
  builder.note(Fraction(1, 2), Fraction(1, 4), pitch("F4"));
  const std::string text = written(piece_of({builder.finish().value()}));
  EXPECT_THAT(text, HasSubstr(R"(pname="f" oct="4" accid.ges="s")"));
  EXPECT_THAT(text, HasSubstr(R"(pname="f" oct="4" accid="n" accid.ges="n")"));
  EXPECT_THAT(text, HasSubstr(R"(pname="f" oct="4" />)"));
}

TEST(MeiWriter, KeepsThatASpellingIsAGuess) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), pitch("Eb4"), false, false);
  expect_same(piece_of({builder.finish().value()}));
}

TEST(MeiWriter, KeepsSilentVoicesAndPiecesWithoutAny) {
  expect_same(piece_of({line({{"r", {3, 4}}}), line({{"C4", {1, 4}}}), Voice{}}));
  expect_same(piece_of({Voice{}}));
  expect_same(piece_of({}));
}

TEST(MeiWriter, ReplacesWhatXmlCannotHold) {
  Piece piece = piece_of({});
  piece.metadata.title = std::string("a\x01") + "b\nc";
  EXPECT_THAT(written(piece), Not(HasSubstr("\x01")));
  EXPECT_EQ(again(piece).metadata.title, "a b\nc");
}

TEST(MeiWriter, KeepsTheSpacesOfTexts) {
  Piece piece = piece_of({line({{"C4", 1}})});
  piece.metadata = {" A  title", "B.  B.", "a\tsource", "D-Dl  1", " Mus. ", {"K.  1"}, "urn:a  b", "17  50", {}};
  piece.metadata.fields = {{"text", "one\n  two "}, {"note", "three  spaces   here"}};
  piece.voices[0].name = "Violin  1";
  const Piece read = again(piece);
  EXPECT_EQ(read.metadata, piece.metadata);
  EXPECT_EQ(read.voices[0].name, "Violin  1");
}

TEST(MeiWriter, RefusesWhatNeedsTooManyLayers) {
  VoiceBuilder builder;
  for (int i = 0; i < 80; ++i) builder.note(Fraction(i, 16), 10, pitch("C4"));
  auto text = find_format("mei")->write(piece_of({builder.finish().value()}));
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, "cannot-write");
}

}  // namespace rondo::mei_writer_test
