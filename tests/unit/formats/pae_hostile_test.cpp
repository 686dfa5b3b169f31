// Input that wants to break the reader: it must end in reasonable time with a melody or an error that has a code.

#include <gmock/gmock.h>

#include <random>

#include "formats/readers.h"
#include "rondo/melody/builder.h"
#include "support/data.h"
#include "support/rounds.h"
#include "unit/formats/pae_support.h"

namespace pae_hostile_test {

using pae_test::Header;
using pae_test::read;
using testing::AnyOf;

std::string repeat(std::string_view part, std::size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(PaeHostile, FiguresCannotExplode) {
  EXPECT_EQ(read("!" + repeat("C", 100'000) + "!" + repeat("f", 100'000)).error, "too-many-notes");
  EXPECT_EQ(read("!" + repeat("'", 100'000) + "!" + repeat("f", 100'000)).error, "pae-figure-too-long");
}

TEST(PaeHostile, RepeatedMeasuresCannotExplode) {
  EXPECT_EQ(read(repeat("C", 100'000) + "/" + repeat("i/", 100'000)).error, "too-many-notes");
}

TEST(PaeHostile, RepeatsCannotExplode) {
  EXPECT_EQ(read(repeat("C", 150'000) + "://").error, "too-many-notes");
  EXPECT_THAT(read(repeat("//:C://", 90'000)).error, AnyOf("repeats-too-long", "too-many-notes", ""));
}

TEST(PaeHostile, MeasureRestsHaveLimits) {
  EXPECT_EQ(read("=999999999999/C", Header{.timesig = "4/4"}).error, "too-many-bars");
  EXPECT_EQ(read("=90000/C", Header{.timesig = "65535/1"}).error, "time-out-of-range");
  EXPECT_EQ(read("=90000/C", Header{.timesig = "4/4"}).error, "");
}

TEST(PaeHostile, ParenthesesHaveLimits) {
  EXPECT_EQ(read(repeat("(", 1000) + "C").error, "pae-nesting");
  // 60 levels that each divide by 7: finer than any time may be.
  EXPECT_EQ(read(repeat("4(8CCCCCC", 60) + "C" + repeat(";7)", 60)).error, "time-out-of-range");
}

TEST(PaeHostile, TupletsOfManySizesHaveLimits) {
  EXPECT_EQ(read("(8C;5)(8C;7)(8C;11)(8C;13)(8C;17)(8C;19)(8C;23)(8C;29)").error, "time-out-of-range")
      << "the common denominator grows beyond the limit";
}

TEST(PaeHostile, ChordsHaveLimits) {
  EXPECT_EQ(read(repeat("C^", 100'000) + "C+" + repeat("C^", 100'000) + "C").error, "pae-chord-too-large");
  EXPECT_EQ(read("^" + repeat("C", 100'000) + ">" + repeat("_", 100'000)).error, "pae-chord-too-large");
  EXPECT_EQ(read(repeat("C^", 63) + "C+" + repeat("C^", 63) + "C").error, "");
}

TEST(PaeHostile, LongRunsOfOneSign) {
  for (const char sign : std::string("'0x-{}()!^+_qgyr=/:~%$@;i.,&>#")) {
    const auto reading = read(std::string(50'000, sign));
    EXPECT_LE(reading.warnings.size(), 51U) << sign;
  }
  EXPECT_EQ(read(std::string(199'999, 'C')).error, "");
  EXPECT_EQ(read(std::string(200'001, 'C')).error, "too-many-notes");
}

TEST(PaeHostile, StrangeBytes) {
  EXPECT_EQ(read(std::string("4C\0D", 4)).error, "");
  EXPECT_EQ(pae_test::show(read(std::string("4C\0D", 4)).voice), "C4 1/4 D4 1/4");
  EXPECT_EQ(pae_test::show(read("4C\xFF\xFE\xE2\x80"
                                "D")
                               .voice),
            "")
      << "more dirt than music";
  EXPECT_EQ(pae_test::show(read("4CD\xFF"
                                "EFG")
                               .voice),
            "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
}

TEST(PaeHostile, FilesWithoutAnyOrder) {
  for (const std::string& text :
       {std::string(), std::string("\n\n\n"), std::string(1000, '\0'), repeat("@", 1000), repeat("@:\n", 1000),
        repeat("%G-2\n", 1000), repeat("@end\n", 100), repeat("{", 1000), "[" + repeat("[", 1000),
        repeat("{\"a\":", 500), std::string("{\"a\":\"\\"), std::string("@data:\n@data"), std::string("\xEF\xBB\xBF"),
        std::string(";pe2"), std::string("{\"data\": \"\xFF\"}"), std::string("%G-2@ $ 4C"), std::string("[{}]"),
        std::string("{}")}) {
    rondo::CollectingSink sink;
    read_text("pae", text, sink);
    for (const auto& skipped : sink.skipped) EXPECT_FALSE(skipped.code.empty());
    for (const auto& piece : sink.pieces) EXPECT_FALSE(piece.id.empty());
    (void)rondo::recognise_pae(text);
  }
}

TEST(PaeHostile, RecordsLargerThanTheLimitAreSkipped) {
  const std::string huge(5 * 1024 * 1024, 'C');
  rondo::CollectingSink lines;
  read_text("pae", "@clef:G-2\n@data:" + huge + "\n\n@clef:G-2\n@data:4D\n", lines);
  ASSERT_EQ(lines.skipped.size(), 1U);
  EXPECT_THAT(lines.skipped[0].code, AnyOf("line-too-long", "pae-record-too-large"));
  EXPECT_EQ(pae_test::show(lines.pieces.back().voices.at(0)), "D4 1/4");

  rondo::CollectingSink many;
  read_text("pae", "@clef:G-2\n@data:4C\n" + repeat("EFGABCEFGABCEFGABCEFG\n", 250'000) + "\n%G-2 4D\n", many);
  EXPECT_EQ(many.skipped.at(0).code, "pae-record-too-large");
  EXPECT_EQ(pae_test::show(many.pieces.back().voices.at(0)), "D4 1/4");

  rondo::CollectingSink json;
  read_text("pae", R"([{"clef":"G-2","data":")" + huge + R"("},{"clef":"G-2","data":"4D"}])", json);
  ASSERT_EQ(json.skipped.size(), 1U);
  EXPECT_EQ(json.skipped[0].code, "pae-record-too-large");
  EXPECT_EQ(pae_test::show(json.pieces.at(0).voices.at(0)), "D4 1/4");
}

TEST(PaeHostile, DeepJsonIsRefused) {
  rondo::CollectingSink sink;
  read_text("pae", "{\"a\":" + repeat("[", 100'000) + repeat("]", 100'000) + "}\n{\"clef\":\"G-2\",\"data\":\"4D\"}",
            sink);
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "pae-nesting");
  EXPECT_EQ(sink.pieces.size(), 1U);
}

/// Notation made of random signs, so that every handler meets every other.
std::string random_notation(std::mt19937& random) {
  static const std::vector<std::string> signs = {
      "C",     "D",    "E",     "F",   "G",     "A",      "B",  "C",   "D",   "E",  "'",    "''", ",",   "4",   "8",
      "6",     "8.",   "2",     "1",   "7",     "7.",     "x",  "b",   "n",   "xx", "-",    "=",  "=3/", "/",   "//",
      "//:",   "://",  "://:",  "{",   "}",     "4(8",    "(6", ";3)", ";5)", ")",  "(",    "t",  "p",   "u",   "+",
      "+/",    "_",    "^",     "^",   ">",     "2^C'E>", "g",  "q8",  "qq",  "y",  "r",    "!",  "!f",  "/i/", "i",
      "%F-4 ", "$xF ", "@3/4 ", "$n ", "@5/7 ", " ",      ".",  "~",   ":",   ";",  "&gt;", "z",  "A^",  "^,B"};
  std::string text;
  const auto length = random() % 40;
  for (unsigned i = 0; i < length; ++i) text += signs[random() % signs.size()];
  return text;
}

TEST(PaeHostile, WhateverIsReadKeepsThePromisesOfAVoiceAndIsWrittenBack) {
  std::mt19937 random(20261115);
  std::size_t read_count = 0;
  std::size_t written = 0;
  for (int i = 0; i < rondo::test::rounds(10'000); ++i) {
    const std::string data = random_notation(random);
    const auto reading = read(data, Header{.keysig = i % 2 == 0 ? "bBE" : "", .timesig = i % 3 == 0 ? "" : "3/4"});
    if (!reading.error.empty()) continue;
    ++read_count;
    // The fast way the parser builds a voice against VoiceBuilder's.
    rondo::Voice copy = reading.voice;
    ASSERT_TRUE(rondo::normalise(copy)) << data;
    ASSERT_EQ(copy, reading.voice) << data;
    for (const auto version : {rondo::PaeVersion::v1, rondo::PaeVersion::v2}) {
      auto text = rondo::to_pae(reading.voice, version);
      if (!text) continue;
      ++written;
      rondo::PaeParser parser;
      rondo::Voice again;
      rondo::Diagnostics warnings;
      const char* number = version == rondo::PaeVersion::v1 ? "1" : "2";
      ASSERT_TRUE(parser.parse({text->clef, text->key_signature, text->time_signature, text->key, text->data, number},
                               {}, again, warnings))
          << data << "\n"
          << text->data;
      ASSERT_EQ(again, reading.voice) << data << "\n" << text->data;
    }
  }
  EXPECT_GT(read_count, rondo::test::rounds(6'000U));
  EXPECT_GT(written, read_count) << "most can be written in both versions";
}

}  // namespace pae_hostile_test
