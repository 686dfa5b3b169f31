#include "abc_support.h"
#include "rondo/melody/builder.h"

namespace rondo::abc_test {
namespace abc_writer_test {

using testing::HasSubstr;
using testing::Not;

std::string written(const Piece& piece) {
  auto text = find_format("abc")->write(piece);
  EXPECT_TRUE(text.has_value()) << (text ? "" : text.error().to_string());
  return text.value_or("");
}

/// Reads, writes and reads again: nothing may change, and our own text may give no remark.
void expect_round_trip(const std::string& text) {
  const Piece before = piece(text);
  const std::string again = written(before);
  CollectingSink sink;
  read(sink, again);
  ASSERT_EQ(sink.pieces.size(), 1U) << again;
  EXPECT_TRUE(sink.warnings.empty()) << sink.warnings[0].to_string() << "\n" << again;
  EXPECT_EQ(sink.pieces[0].id, before.id);
  EXPECT_EQ(sink.pieces[0].voices, before.voices) << again;
}

std::string tune(const std::string& body) { return "X:1\nM:4/4\nL:1/4\nK:C\n" + body + "\n"; }

Voice voice_of(std::initializer_list<Note> notes, std::initializer_list<Fraction> bars = {}) {
  VoiceBuilder builder;
  for (const Note& n : notes) {
    if (n.grace) {
      builder.grace(n.onset, n.duration, n.pitch);
    } else {
      builder.note(n.onset, n.duration, n.pitch);
    }
  }
  for (const Fraction bar : bars) builder.bar(bar);
  return builder.finish().value();
}

Piece piece_of(Voice voice) {
  Piece piece;
  piece.id = "p1";
  piece.voices.push_back(std::move(voice));
  return piece;
}

Pitch p(std::string_view name) { return Pitch::parse(name).value(); }

TEST(AbcWriter, WritesAPlainTune) {
  EXPECT_EQ(written(piece("X:3\nT:Plain\nC:Me\nR:jig\nM:6/8\nL:1/8\nK:Gdor clef=treble\nd|GAB c2d|_e^f=g d3|]\n")),
            "X:3\nT:Plain\nC:Me\nR:jig\n%%rondo-id test#1\nM:6/8\nL:1/8\nK:Gdor clef=treble\n"
            "d | GAB c2 d | _e^fg d3 |]\n");
}

TEST(AbcWriter, KeepsEverythingOfAVoice) {
  expect_round_trip(tune("C D/2E/2 F>G|(3ABc d2|z2 [CEG]2-|[CEG]4|{ga}e4|{f2g1}z4|]"));
  expect_round_trip(tune("^c =c _B B|__e ^^f e f|[K:Ebmix][M:3/4]e3|[K:C clef=bass]C,3|[M:C|]C2|]"));
  expect_round_trip("X:1\nM:none\nK:none\nCDE2 F4\n");
  expect_round_trip("X:1\nM:(2+3)/8\nK:D exp _b ^f\nDEFGB|]\n");
  expect_round_trip("X:1\nK:HP\nfcg|\n");
  expect_round_trip("X:1\nL:1/4\nK:C clef=treble-8\nC c|[K:clef=treble]C c|\n");
  expect_round_trip("X:1\nL:1/4\nK:C transpose=-3\nCDE|F2G|\n");
  expect_round_trip(tune("C/7D3/11E/13|]"));
}

TEST(AbcWriter, KeepsSeveralVoicesWithNamesAndSigns) {
  expect_round_trip(
      "X:1\nM:3/4\nL:1/4\nV:1 name=\"Violino \\\"I\" clef=treble\nV:2 name=\"\" clef=alto\nV:3\nK:G\n"
      "V:1\nG3|A3|\nV:2\n[K:D]F3|F3|\nV:3\n[M:6/8]z3/2|D3|\n");
}

TEST(AbcWriter, UsesLayersWhereNotesOverlap) {
  expect_round_trip(tune("c2d2 & E3 F|c4 & z G2 A & C4-|e4 & C4|]"));
  EXPECT_THAT(written(piece(tune("c4 & E2 F2|]"))), HasSubstr("c2 & E F |]"));
}

TEST(AbcWriter, KeepsUnisonsApart) {
  expect_round_trip(tune("[CC]4-|[CC]2 D2|]"));
  expect_round_trip(tune("C4- & D C3-|C2 D2 & C4|]"));
  expect_round_trip(tune("[C1C2C1]4|^c4- & c4|^c4|]"));
}

TEST(AbcWriter, SplitsNotesAtBarLinesWithTies) {
  const Piece held =
      piece_of(voice_of({{0, Fraction(5, 2), p("F#4")}, {Fraction(5, 2), Fraction(1, 2), p("F4")}}, {0, 1, 2}));
  EXPECT_THAT(written(held), HasSubstr("^F2- | ^F2- | ^F =F |]"));
  CollectingSink sink;
  read(sink, written(held));
  EXPECT_EQ(sink.pieces.at(0).voices.at(0).notes, held.voices[0].notes);
}

TEST(AbcWriter, SplitsNotesWhereTheKeyChangesUnderThem) {
  Voice voice = voice_of({{0, 2, p("C4")}}, {0});
  voice.key_signatures = {{Fraction(1), KeySignature::from_fifths(1)}};
  EXPECT_THAT(written(piece_of(voice)), HasSubstr("C4- [K:G] C4 |]"));
}

TEST(AbcWriter, GraceNotesMayStandAtTheVeryEnd) {
  const Piece late = piece_of(voice_of({{0, Fraction(1, 4), p("C4")}, {Fraction(1, 4), 0, p("D4"), true}}));
  CollectingSink sink;
  read(sink, written(late));
  EXPECT_EQ(sink.pieces.at(0).voices.at(0).notes, late.voices[0].notes);
}

TEST(AbcWriter, RefusesANoteOfNoDuration) {
  const auto text = find_format("abc")->write(piece_of(voice_of({{0, 0, p("C4")}})));
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, "cannot-write");
}

TEST(AbcWriter, RefusesMoreLayersThanAnybodyReads) {
  for (const std::size_t count : {std::size_t{64}, std::size_t{65}, std::size_t{20'000}}) {
    VoiceBuilder one_after_the_other;
    VoiceBuilder at_once;
    for (std::size_t i = 0; i < count; ++i) {
      one_after_the_other.note(Fraction(static_cast<std::int64_t>(i), 64), Fraction(100), p("C4"));
      at_once.note(Fraction(0), Fraction(static_cast<std::int64_t>(i) + 1, 64), p("C4"));
    }
    for (VoiceBuilder* builder : {&one_after_the_other, &at_once}) {
      const auto text = find_format("abc")->write(piece_of(builder->finish().value()));
      EXPECT_EQ(text.has_value(), count == 64) << count << (text ? "" : text.error().to_string());
    }
  }
}

TEST(AbcWriter, APieceWithoutVoicesKeepsItsMetadata) {
  Piece empty;
  empty.id = "x";
  empty.metadata.title = "Nothing";
  const Piece again = piece(written(empty));
  EXPECT_EQ(again.metadata.title, "Nothing");
  EXPECT_TRUE(again.voices.empty());
}

TEST(AbcWriter, KeepsAllMetadata) {
  Piece full = piece_of(voice_of({{0, 1, p("C4")}}));
  full.id = "RISM 1001%2 \\3";
  Metadata& m = full.metadata;
  m.title = "100% & \\more";
  m.composer = "C. O. M. Poser";
  m.source = "a source";
  m.library = "D-Dl";
  m.shelfmark = "Mus. 1-A-2";
  m.catalogue = {"BWV 1", "RISM A/I 2"};
  m.uri = "https://example.org/?a=1&b=2";
  m.year = "ca. 1750";
  m.fields = {{"number", "7"}, {"title", "Second"}, {"rhythm", "reel"}, {"scoring", "fl, b"}, {"words", "la la"}};
  const Piece again = piece(written(full));
  EXPECT_EQ(again.id, full.id);
  EXPECT_EQ(again.metadata.title, m.title);
  EXPECT_EQ(again.metadata.library, m.library);
  EXPECT_EQ(again.metadata.shelfmark, m.shelfmark);
  EXPECT_EQ(again.metadata.catalogue, m.catalogue);
  EXPECT_EQ(again.metadata.uri, m.uri);
  EXPECT_EQ(again.metadata.year, m.year);
  EXPECT_THAT(again.metadata.fields, testing::UnorderedElementsAreArray(m.fields));
}

TEST(AbcWriter, TextCannotBreakOutOfItsLine) {
  Piece sly = piece_of(voice_of({{0, 1, p("C4")}}));
  sly.metadata.title = "a\n\nX:2\nK:C\nDDD";
  sly.voices[0].name = "v\"\nK:D";
  CollectingSink sink;
  read(sink, written(sly));
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(names(sink.pieces[0].voices.at(0)), "C4");
}

TEST(AbcWriter, WritesTupletsAsOthersReadThem) {
  EXPECT_THAT(written(piece(tune("(3CDE F2 (3:2:2G2A|]"))), HasSubstr("(3C D E F2 (3:2:2G2 A |]"));
  EXPECT_THAT(written(piece(tune("(5:4:5C/D/E/F/G/ (7:4:7C/D/E/F/G/A/B/ z2|]"))),
              HasSubstr("(5:4:5CDEFG (7:4:7CDEFGAB z4 |]"));
  EXPECT_THAT(written(piece(tune("{g}(3:2:3c2{d}e2[df]2|]"))), HasSubstr("(3{g}c {d}e [fd] |]"));
  expect_round_trip(tune("(3C2D2E2 (3FGA B|(3:2:4c/d/ef z3|]"));
}

TEST(AbcWriter, WritesALengthOfSeveralValuesWithTies) {
  EXPECT_THAT(written(piece(tune("c5/2d3/2|]"))), HasSubstr("c4- cd3 |]"));
}

TEST(AbcWriter, RefusesValuesThatNotationDoesNotHave) {
  for (const Fraction value : {Fraction(239, 1920), Fraction(1, 1920), Fraction(5, 67), Fraction(1, 512)}) {
    const auto text = find_format("abc")->write(piece_of(voice_of({{0, value, p("C4")}})));
    ASSERT_FALSE(text.has_value()) << value.to_string();
    EXPECT_EQ(text.error().code, "cannot-write");
  }
}

TEST(AbcWriter, ASignatureWithoutANamedKeyIsWrittenAsItsMajorKey) {
  Voice voice = voice_of({{0, 1, p("C4")}, {1, 1, p("D4")}}, {0, 1});
  voice.key_signatures = {{Fraction(0), KeySignature::from_fifths(-3)}, {Fraction(1), KeySignature::from_fifths(2)}};
  voice.keys = {{Fraction(1), *Key::parse("b minor")}};
  const std::string text = written(piece_of(voice));
  EXPECT_THAT(text, HasSubstr("K:Eb\n"));
  EXPECT_THAT(text, HasSubstr("[K:Bm]"));
  const Piece again = piece(text);
  EXPECT_EQ(again.voices.at(0).key_signatures, voice.key_signatures);
  EXPECT_EQ(again.voices.at(0).keys, voice.keys);
}

TEST(AbcWriter, AccidentalsAreWrittenForEveryReadingOfTheirReach) {
  // Over all octaves or one only; from a grace note on or not.
  const Piece octaves = piece_of(voice_of({{0, 1, p("F#4")}, {1, 1, p("F#5")}, {2, 1, p("F4")}}));
  EXPECT_THAT(written(octaves), HasSubstr("^F8 ^f8 =F8"));
  const Piece grace = piece_of(voice_of({{0, 0, p("G#4"), true}, {0, 1, p("G#4")}, {1, 1, p("G4")}}));
  EXPECT_THAT(written(grace), HasSubstr("{^G}^G8 =G8"));
}

TEST(AbcWriter, ChoosesAUnitThatIsShortToWrite) {
  EXPECT_THAT(written(piece(tune("C D E F|]"))), HasSubstr("L:1/4\n"));
  EXPECT_THAT(written(piece(tune("C/2D/2E/2F/2 G|]"))), HasSubstr("L:1/8\n"));
  EXPECT_THAT(written(piece(tune("C/4D/4E/4F/4|]"))), Not(HasSubstr("/4C")));
}

}  // namespace abc_writer_test
}  // namespace rondo::abc_test
