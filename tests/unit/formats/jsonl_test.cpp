#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "formats/readers.h"
#include "rondo/melody/builder.h"
#include "support/collected.h"
#include "support/data.h"
#include "support/rounds.h"

namespace rondo::jsonl_test {

using test::codes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

CollectingSink& read(CollectingSink& sink, std::string_view text) {
  read_text("jsonl", text, sink);
  return sink;
}

std::string melody(const Voice& voice) {
  std::string out;
  for (const Note& note : voice.notes) {
    if (!out.empty()) out += ", ";
    out += note.onset.to_string() + " " + note.duration.to_string() + " " + note.pitch.to_string();
    if (note.grace) out += " grace";
    if (!note.spelled) out += " guessed";
  }
  return out;
}

TEST(Jsonl, TheSimpleFormIsAllThatIsNeeded) {
  CollectingSink sink;
  read(
      sink,
      R"({"id": "t1", "title": "Tune", "composer": "trad.", "source": "Book", "notes": [["0", "1/8", 62], ["1/8", "3/8", 66]]})"
      "\n\n"
      R"({"notes": [[0, 0.25, 60], [0.25, 0.125, 63]]})");
  EXPECT_THAT(sink.skipped, IsEmpty());
  EXPECT_THAT(sink.warnings, IsEmpty());
  ASSERT_EQ(sink.pieces.size(), 2U);
  const Piece& piece = sink.pieces[0];
  EXPECT_EQ(piece.id, "t1");
  EXPECT_EQ(piece.metadata.title, "Tune");
  EXPECT_EQ(piece.metadata.composer, "trad.");
  EXPECT_EQ(piece.metadata.source, "Book");
  EXPECT_EQ(piece.format, "jsonl");
  EXPECT_THAT(piece.source_text, testing::StartsWith("{\"id\": \"t1\""));
  ASSERT_EQ(piece.voices.size(), 1U);
  EXPECT_EQ(melody(piece.voices[0]), "0 1/8 D4 guessed, 1/8 3/8 F#4 guessed");
  EXPECT_EQ(piece.voices[0].length, Fraction(1, 2));
  EXPECT_EQ(sink.pieces[1].id, "test#2");
  EXPECT_EQ(melody(sink.pieces[1].voices[0]), "0 1/4 C4 guessed, 1/4 1/8 Eb4 guessed");
}

TEST(Jsonl, SpellingsGracesBarsAndSignaturesAreRead) {
  CollectingSink sink;
  read(
      sink,
      R"({"id": 7, "voice": "Violino I", "notes": [["1/4", "1/4", 66], ["1/4", "1/4", 62]], "spelling": ["Gb4", null],)"
      R"( "graces": [["1/4", "1/16", 61]], "grace_spelling": ["C#4"], "bars": ["0", "1/2"], "length": 1,)"
      R"( "clef": "G-2", "key_signature": [["0", "bB"], ["1/2", 2]], "key": "d", "time": [["0", "c"], ["1/2", "3/4"]]})");
  ASSERT_THAT(codes(sink.skipped), IsEmpty());
  EXPECT_THAT(codes(sink.warnings), IsEmpty());
  EXPECT_EQ(sink.pieces.at(0).id, "7");
  const Voice& voice = sink.pieces[0].voices.at(0);
  EXPECT_EQ(voice.name, "Violino I");
  EXPECT_EQ(melody(voice), "1/4 1/16 C#4 grace, 1/4 1/4 Gb4, 1/4 1/4 D4 guessed");
  EXPECT_EQ(voice.length, Fraction(1));
  EXPECT_THAT(voice.bars, ElementsAre(Fraction(0), Fraction(1, 2)));
  EXPECT_EQ(voice.clefs.at(0).value, *Clef::parse("G-2"));
  ASSERT_EQ(voice.key_signatures.size(), 2U);
  EXPECT_EQ(voice.key_signatures[0].value.to_string(), "bB");
  EXPECT_EQ(voice.key_signatures[1].onset, Fraction(1, 2));
  EXPECT_EQ(voice.key_signatures[1].value.to_string(), "xFC");
  EXPECT_EQ(voice.keys.at(0).value.to_string(), "D minor");
  ASSERT_EQ(voice.times.size(), 2U);
  EXPECT_EQ(voice.times[0].value, (TimeSignature{4, 4, "c"}));
  EXPECT_EQ(voice.times[1].value, (TimeSignature{3, 4, ""}));
}

TEST(Jsonl, AGuessFollowsTheKeySignature) {
  CollectingSink sink;
  read(sink, R"({"key_signature": "bBEA", "notes": [[0, 1, 61]]})"
             "\n"
             R"({"key": "xFCG", "notes": [[0, 1, 63]]})");
  EXPECT_EQ(melody(sink.pieces.at(0).voices.at(0)), "0 1 Db4 guessed");
  EXPECT_EQ(melody(sink.pieces.at(1).voices.at(0)), "0 1 D#4 guessed");
  EXPECT_EQ(sink.pieces.at(1).voices.at(0).key_signatures.at(0).value.to_string(), "xFCG");
}

TEST(Jsonl, DecimalsBecomeTheNearestSimpleFraction) {
  CollectingSink sink;
  read(sink, R"({"notes": [[0, 0.333333, 60], ["0.333333", 0.3333333333333333, 61], [0.66667, 0.1, 62]]})");
  EXPECT_EQ(melody(sink.pieces.at(0).voices.at(0)), "0 1/3 C4 guessed, 1/3 1/3 C#4 guessed, 2/3 1/10 D4 guessed");
  ASSERT_THAT(codes(sink.warnings), ElementsAre("jsonl-time-rounded"));
  EXPECT_THAT(sink.warnings[0].message, HasSubstr("3 times"));
}

TEST(Jsonl, UnknownWordsAndNumbersBecomeFields) {
  CollectingSink sink;
  read(
      sink,
      R"({"id": "a", "family": "Roslin", "opus": 12, "live": true, "none": null, "list": [1], "year": 1782,)"
      R"( "catalogue": "BWV 1", "fields": {"rhythm": "reel", "tag": ["x", "y"]}, "notes": []})"
      "\n"
      R"({"id": "b", "list": [2], "catalogue": ["K. 1", "K. 2"], "fields": [["z", "1"], ["a", "2"], ["z", "3"]], "notes": []})");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(sink.pieces[0].metadata.year, "1782");
  EXPECT_THAT(sink.pieces[0].metadata.catalogue, ElementsAre("BWV 1"));
  EXPECT_THAT(sink.pieces[0].metadata.fields,
              ElementsAre(Pair("rhythm", "reel"), Pair("tag", "x"), Pair("tag", "y"), Pair("family", "Roslin"),
                          Pair("live", "true"), Pair("opus", "12")));
  EXPECT_THAT(sink.pieces[1].metadata.catalogue, ElementsAre("K. 1", "K. 2"));
  EXPECT_THAT(sink.pieces[1].metadata.fields, ElementsAre(Pair("z", "1"), Pair("a", "2"), Pair("z", "3")));
  // Said once for the file, not for each line.
  EXPECT_THAT(codes(sink.warnings), ElementsAre("jsonl-key-ignored"));
}

TEST(Jsonl, SeveralVoicesStandInAList) {
  CollectingSink sink;
  read(
      sink,
      R"({"voices": [{"voice": "S", "notes": [[0, 1, 72]]}, {"voice": "B", "notes": [[0, "1/2", 48]], "length": 1}]})");
  ASSERT_EQ(sink.pieces.at(0).voices.size(), 2U);
  EXPECT_EQ(sink.pieces[0].voices[0].name, "S");
  EXPECT_EQ(melody(sink.pieces[0].voices[1]), "0 1/2 C3 guessed");
  EXPECT_EQ(sink.pieces[0].voices[1].length, Fraction(1));
}

TEST(Jsonl, ARecordWithoutMelodyIsKept) {
  CollectingSink sink;
  read(sink, R"({"id": "a", "title": "Largo"})"
             "\n"
             R"({"id": "b", "voices": []})");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_THAT(sink.pieces[0].voices, IsEmpty());
  EXPECT_THAT(codes(sink.warnings), ElementsAre("jsonl-no-notation"));
}

TEST(Jsonl, NotationInPlaineAndEasieIsRead) {
  CollectingSink sink;
  read(sink, R"({"id": "a", "pae": "'4CDE", "clef": "G-2", "time": "3/4", "voice": "vl"})"
             "\n"
             R"({"id": "b", "pae": {"clef": "G-2", "keysig": "xF", "timesig": "3/4", "data": "'4DEF"}})"
             "\n"
             R"({"id": "c", "pae": "%G-2@3/4$xF '4DEF"})"
             "\n"
             R"({"id": "d", "pae": "'4C", "notes": [[0, 1, 60]]})");
  ASSERT_THAT(codes(sink.skipped), IsEmpty());
  ASSERT_EQ(sink.pieces.size(), 4U);
  EXPECT_EQ(melody(sink.pieces[0].voices.at(0)), "0 1/4 C4, 1/4 1/4 D4, 1/2 1/4 E4");
  EXPECT_EQ(sink.pieces[0].voices[0].name, "vl");
  EXPECT_EQ(sink.pieces[0].voices[0].times.at(0).value.to_string(), "3/4");
  EXPECT_EQ(melody(sink.pieces[1].voices.at(0)), "0 1/4 D4, 1/4 1/4 E4, 1/2 1/4 F#4");
  EXPECT_EQ(melody(sink.pieces[2].voices.at(0)), "0 1/4 D4, 1/4 1/4 E4, 1/2 1/4 F#4");
  EXPECT_EQ(sink.pieces[2].id, "c");
  EXPECT_EQ(melody(sink.pieces[3].voices.at(0)), "0 1 C4 guessed");
  EXPECT_EQ(sink.pieces[3].metadata.field("pae"), "'4C");
}

TEST(Jsonl, EmptyNotationIsKeptWithoutAMelody) {
  CollectingSink sink;
  read(sink, R"({"id": "a", "title": "Largo", "clef": "G-2", "pae": ""})");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_THAT(sink.pieces[0].voices, IsEmpty());
  EXPECT_THAT(codes(sink.warnings), ElementsAre("pae-no-notation"));
}

TEST(Jsonl, AProblemNamesLineRecordAndValueAndCostsOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"id": "x", "notes": [[0, 1, 60], [1, 1, 128]]})", "notes[1]: the MIDI number"},
      {R"({"id": "x", "notes": [[0, 1, 60.5]]})", "notes[0]: the MIDI number"},
      {R"({"id": "x", "notes": [[0, "1/0", 60]]})", "notes[0]: the duration"},
      {R"({"id": "x", "notes": [["soon", 1, 60]]})", "notes[0]: the onset"},
      {R"({"id": "x", "notes": [[0, 1]]})", "notes[0]: this is not [onset, duration, midi]"},
      {R"({"id": "x", "notes": 5})", "notes: this is not a list"},
      {R"({"id": "x", "notes": [[0, -1, 60]]})", "notes: a time of -1"},
      {R"({"id": "x", "notes": [[0, 1e300, 60]]})", "notes[0]: the duration"},
      {R"({"id": "x", "notes": [[0, 18446744073709551615, 60]]})", "notes: a time of"},
      {R"({"id": "x", "notes": [[0, 1, 60]], "spelling": ["C4", "D4"]})", "spelling: this must be a list as long"},
      {R"({"id": "x", "notes": [[0, 1, 60]], "spelling": ["D4"]})", "spelling[0]: this is not a name of the pitch 60"},
      {R"({"id": "x", "voices": [{"notes": []}, {"notes": [[0, 1, "c"]]}]})", "voices[1].notes[0]: the MIDI"},
      {R"({"id": "x", "voices": [5]})", "voices[0]: this is not an object"},
      {R"({"id": "x", "notes": [], "bars": [0, "x"]})", "bars[1]"},
      {R"({"id": "x", "notes": [], "length": "long"})", "length: this is not a time"},
      {R"({"id": "x", "midipitch": [60], "duration_quarters": []})", "same length"},
  };
  for (const auto& [line, message] : cases) {
    CollectingSink sink;
    read(sink, "{\"id\": \"before\", \"notes\": []}\n" + line + "\n{\"id\": \"after\", \"notes\": []}\n");
    EXPECT_EQ(sink.pieces.size(), 2U) << line;
    ASSERT_EQ(sink.skipped.size(), 1U) << line;
    EXPECT_THAT(sink.skipped[0].message, HasSubstr(message)) << line;
    EXPECT_EQ(sink.skipped[0].place.line, 2U);
    EXPECT_EQ(sink.skipped[0].place.record, "x");
    EXPECT_EQ(sink.skipped[0].place.file, "test");
  }
}

TEST(Jsonl, ALineThatIsNotJsonNamesItsColumn) {
  CollectingSink sink;
  read(sink, "{\"id\": \"a\", \"notes\": []}\n{\"id\": nope}\n[1]\n\xFF\n{\"n\": 1e999}\n");
  EXPECT_EQ(sink.pieces.size(), 1U);
  ASSERT_THAT(codes(sink.skipped), ElementsAre("jsonl-syntax", "jsonl-value", "jsonl-syntax", "jsonl-syntax"));
  EXPECT_EQ(sink.skipped[0].place.line, 2U);
  EXPECT_EQ(sink.skipped[0].place.column, 9U);
  EXPECT_EQ(sink.skipped[0].place.record, "test#2");
}

TEST(Jsonl, HostileLinesAreErrors) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  std::string many = R"({"notes": [)";
  for (int i = 0; i < 200000; ++i) many += "[0,1,60],";
  many += "[0,1,60]]}";
  std::string voices = R"({"voices": [)";
  for (int i = 0; i < 512; ++i) voices += "{},";
  voices += "{}]}";
  const std::string nul("{\"id\": \"a\0b\"}", 13);
  const std::string giant(std::size_t{17} << 20U, ' ');
  std::string text;
  for (const std::string& line : {deep, many, voices, nul, giant, std::string(R"({"id": "last", "notes": []})")}) {
    text += line;
    text += '\n';
  }
  CollectingSink sink;
  read(sink, text);
  EXPECT_THAT(codes(sink.skipped),
              ElementsAre("jsonl-nesting", "too-many-notes", "too-many-voices", "jsonl-syntax", "line-too-long"));
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].id, "last");
}

TEST(Jsonl, AByteOrderMarkAndWindowsLineEndsAreFine) {
  CollectingSink sink;
  read(sink, "\xEF\xBB\xBF{\"id\": \"a\", \"notes\": []}\r\n{\"id\": \"b\", \"notes\": []}\r\n");
  EXPECT_EQ(sink.pieces.size(), 2U);
  EXPECT_THAT(sink.skipped, IsEmpty());
}

Piece rich_piece() {
  VoiceBuilder builder("Violino \"I\"");
  builder.clef(0, Clef{'G', 2, Clef::Kind::modern});
  builder.clef(Fraction(3, 2), Clef{'C', 3, Clef::Kind::mensural});
  KeySignature odd;
  odd.alter = {1, 0, 0, 0, 0, 0, -1};
  builder.key_signature(0, odd);
  odd.alter = {2, 0, 0, 0, 0, 0, 0};
  builder.key_signature(1, odd);
  builder.key(0, Key{6, -1, Mode::dorian});
  builder.time(0, TimeSignature{6, 8, ""});
  builder.time(1, TimeSignature{4, 4, "c"});
  builder.time(2, TimeSignature{0, 4, "3/4 4/4"});
  builder.grace(Fraction(1, 3), Fraction(1, 16), Pitch{3, 1, 5});
  builder.grace(Fraction(1, 3), Fraction(0), Pitch{3, 0, 5});
  builder.note(Fraction(1, 3), Fraction(5, 7), Pitch{2, -2, 4});
  builder.note(Fraction(1, 3), Fraction(5, 7), Pitch{1, 0, 4});
  builder.note(Fraction(1, 3), Fraction(1, 9), Pitch{0, 0, 3}, false, false);
  builder.note(Fraction(2), Fraction(1, 999999937), Pitch{4, -1, 5}, false, false);
  builder.bar(0);
  builder.bar(Fraction(1, 3));
  builder.lasts_until(9);
  Piece piece;
  piece.id = "RISM \"1\":1.1.1\n";
  piece.metadata = {"T\u00e4nze \\ \t",
                    "Anon.",
                    "Book",
                    "D-Dl",
                    "Mus. 1",
                    {"BWV 1", ""},
                    "urn:x",
                    "ca. 1750",
                    {{"heading", "Allegro"}, {"a", ""}, {"heading", "again"}}};
  piece.format = "marc";
  piece.source_text = "031 $p'4C\n";
  piece.voices.push_back(*builder.finish());
  return piece;
}

void expect_same(const Piece& a, const Piece& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.metadata, b.metadata);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.source_text, b.source_text);
  ASSERT_EQ(a.voices.size(), b.voices.size());
  for (std::size_t i = 0; i < a.voices.size(); ++i) EXPECT_EQ(a.voices[i], b.voices[i]) << i;
}

Piece again(const Piece& piece) {
  auto text = write_jsonl(piece);
  EXPECT_TRUE(text);
  if (!text) return {};
  EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 1) << *text;
  CollectingSink sink;
  read(sink, *text);
  EXPECT_THAT(codes(sink.skipped), IsEmpty()) << *text;
  EXPECT_THAT(codes(sink.warnings), IsEmpty()) << *text;
  EXPECT_EQ(sink.pieces.size(), 1U);
  return sink.pieces.empty() ? Piece{} : std::move(sink.pieces.front());
}

TEST(Jsonl, WhatIsWrittenIsReadBackExactly) {
  Piece piece = rich_piece();
  expect_same(piece, again(piece));
  piece.voices.push_back(piece.voices.front());
  piece.voices.back().name = "second";
  piece.voices.emplace_back();
  expect_same(piece, again(piece));
  piece.voices.clear();
  expect_same(piece, again(piece));
  piece.voices.emplace_back();
  expect_same(piece, again(piece));
}

TEST(Jsonl, TheSimpleCaseIsWrittenSimply) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), Pitch{0, 0, 4});
  builder.note(Fraction(1, 4), Fraction(1, 8), Pitch{3, 1, 4});
  Piece piece;
  piece.id = "a";
  piece.metadata.title = "Tune";
  piece.format = "jsonl";
  piece.source_text = "not repeated";
  piece.voices.push_back(*builder.finish());
  EXPECT_EQ(*write_jsonl(piece),
            R"({"id":"a","title":"Tune","notes":[["0","1/4",60],["1/4","1/8",66]],"spelling":["C4","F#4"]})"
            "\n");
  for (Note& note : piece.voices[0].notes) note.spelled = false;
  EXPECT_EQ(*write_jsonl(piece),
            "{\"id\":\"a\",\"title\":\"Tune\",\"notes\":[[\"0\",\"1/4\",60],[\"1/4\",\"1/8\",66]]}\n");
}

TEST(Jsonl, RandomPiecesSurviveWritingAndReading) {
  std::mt19937 random(7);
  const auto up_to = [&random](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit + 1)); };
  for (int round = 0; round < test::rounds(200); ++round) {
    Piece piece;
    piece.id = std::to_string(round);
    piece.format = "abc";
    const int voices = up_to(3);
    for (int v = 0; v < voices; ++v) {
      VoiceBuilder builder;
      if (up_to(1) == 0) builder.key_signature(0, KeySignature::from_fifths(up_to(14) - 7));
      for (int n = up_to(30); n > 0; --n) {
        const Fraction onset(up_to(64), 1 + up_to(11));
        const Pitch pitch{static_cast<std::int8_t>(up_to(6)), static_cast<std::int8_t>(up_to(4) - 2),
                          static_cast<std::int8_t>(1 + up_to(6))};
        if (up_to(9) == 0) {
          builder.grace(onset, Fraction(1, 16), pitch);
        } else {
          builder.note(onset, Fraction(1 + up_to(8), 1 + up_to(30)), pitch, false, up_to(3) != 0);
        }
      }
      piece.voices.push_back(*builder.finish());
    }
    expect_same(piece, again(piece));
  }
}

TEST(Jsonl, BytesThatAreNotUtf8DoNotBreakTheLine) {
  Piece piece;
  piece.id = "a";
  piece.format = "jsonl";
  piece.metadata.title = "M\xFCller";
  EXPECT_EQ(again(piece).metadata.title, "M\xEF\xBF\xBDller");
}

TEST(Jsonl, IsRecognisedByContent) {
  const Format* format = find_format("jsonl");
  EXPECT_GT(format->recognise("{\"id\": \"a\", \"notes\": []}\n"), 90);
  EXPECT_GT(format->recognise("\xEF\xBB\xBF\n{\"voices\": []}"), 90);
  EXPECT_GT(format->recognise("{\"id\": \"a\", \"title\": \"Largo\"}"), 0);
  EXPECT_EQ(format->recognise("{\"clef\": \"G-2\", \"data\": \"4C\"}"), 0);
  EXPECT_EQ(format->recognise("[1, 2]"), 0);
  EXPECT_EQ(format->recognise(""), 0);
}

TEST(Jsonl, FeatureLinesTellTheLengthOfATickThemselves) {
  CollectingSink sink;
  // A tick is an eighth: two quarters without a rest, and an eighth's rest after the third note.
  read(
      sink,
      R"({"id": "f", "family": "F", "midipitch": [60, 62, 64, 65], "onset_tick": [2, 4, 6, 8],)"
      R"( "duration_quarters": ["1", "1", "1/2", "1/3"], "timesignature": "3/4", "phrase": [0, 0, 0, 1]})"
      "\n"
      R"({"id": "g", "midipitch": [60, 62], "onset_tick": [4, 4], "duration_quarters": [1, "1/2"], "timesignature": null})"
      "\n"
      R"({"id": "h", "midipitch": [60, 62], "duration_quarters": [1, "1/2"]})");
  ASSERT_EQ(sink.pieces.size(), 3U);
  EXPECT_EQ(melody(sink.pieces[0].voices.at(0)),
            "0 1/4 C4 guessed, 1/4 1/4 D4 guessed, 1/2 1/8 E4 guessed, 3/4 1/12 F4 guessed");
  EXPECT_EQ(sink.pieces[0].metadata.field("family"), "F");
  EXPECT_EQ(sink.pieces[0].voices[0].times.at(0).value.to_string(), "3/4");
  EXPECT_EQ(melody(sink.pieces[1].voices.at(0)), "0 1/4 C4 guessed, 1/4 1/8 D4 guessed");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("jsonl-ticks-unread"));
  EXPECT_EQ(melody(sink.pieces[2].voices.at(0)), "0 1/4 C4 guessed, 1/4 1/8 D4 guessed");
}

TEST(Jsonl, TheMelodiesOfMtcAnnAreAllRead) {
  RONDO_NEEDS_DATA("mtc-ann/mtc-ann-dev.jsonl");
  const std::string text = slurp(rondo_data("mtc-ann/mtc-ann-dev.jsonl"));
  EXPECT_EQ(recognise(text)->name, "jsonl");
  CollectingSink sink;
  read(sink, text);
  EXPECT_THAT(codes(sink.skipped), IsEmpty());
  EXPECT_THAT(codes(sink.warnings), IsEmpty());
  EXPECT_EQ(sink.pieces.size(), 194U);
  std::set<std::string, std::less<>> families;
  for (const Piece& piece : sink.pieces) {
    families.emplace(piece.metadata.field("family"));
    ASSERT_EQ(piece.voices.size(), 1U);
    EXPECT_TRUE(is_monophonic(piece.voices[0])) << piece.id;
    EXPECT_FALSE(piece.voices[0].notes.empty()) << piece.id;
  }
  EXPECT_EQ(families.size(), 13U);
}

}  // namespace rondo::jsonl_test
