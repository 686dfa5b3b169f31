#include "abc_support.h"
#include "melody/limits.h"

namespace rondo::abc_test {
namespace abc_hostile_test {

using testing::ElementsAre;

std::string tune(const std::string& body) { return "X:1\nM:4/4\nL:1/4\nK:C\n" + body + "\n"; }

TEST(AbcHostile, BadSymbolsNeverCostTheTune) {
  EXPECT_EQ(names(music("C ? D # E @ F ; G * A")), "C4 D4 E4 F4 G4 A4");
  EXPECT_THAT(remarks("C ? D"), ElementsAre("abc-symbol-unknown 3"));
  EXPECT_THAT(remarks("C 3/2 D"), ElementsAre("abc-length-without-note 3"));
  EXPECT_THAT(remarks("C \"Am D|"), ElementsAre("abc-text-unclosed 3"));
  EXPECT_THAT(remarks("C [K:G D|"), ElementsAre("abc-field-unclosed 4", "abc-setting-unknown 4"));
  EXPECT_THAT(remarks("C [X:2] D|"), ElementsAre("abc-field-misplaced 4"));
  EXPECT_THAT(remarks("C \xC3\xA9 D|"), ElementsAre("abc-symbol-unknown 3"));
}

TEST(AbcHostile, PlacesNameFileRecordLineAndColumn) {
  CollectingSink sink;
  ReadOptions options;
  options.file = "songs/a.abc";
  read(sink, "X:1\nK:C\nC|\n\nX:2\nK:C\nCDE|\nC ? D|\n", options);
  ASSERT_EQ(sink.warnings.size(), 1U);
  EXPECT_EQ(sink.warnings[0].place.to_string(), "songs/a.abc: record songs/a.abc#2: line 8, column 3");
}

TEST(AbcHostile, AFloodOfOdditiesIsCutShort) {
  CollectingSink sink;
  read(sink, tune(std::string(10'000, '?')));
  EXPECT_EQ(sink.warnings.size(), 50U);
  EXPECT_EQ(sink.warnings.back().code, "abc-more-warnings");
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(AbcHostile, NulBytesAndBadUtf8) {
  CollectingSink sink;
  using namespace std::string_view_literals;
  read(sink, "X:1\nT:a\0b\nK:C\nC\0D \xFF\xFE E|\n"sv);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "ab");
  EXPECT_EQ(names(sink.pieces[0].voices[0]), "C4 D4 E4");
}

TEST(AbcHostile, TruncatedAnywhereStillReads) {
  const std::string whole =
      "X:1\nT:Tr\\'e\nM:6/8\nL:1/8\nV:1 name=\"a b\" clef=bass\nP:AB\nK:Ddor "
      "^f\nP:A\n{g}\"Am\"[CE-]2>(3abc!f!|1^f/2-:|2 [K:G]Z2|]";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CollectingSink sink;
    read(sink, whole.substr(0, size));
    EXPECT_EQ(sink.pieces.size() + sink.skipped.size(), 1U) << size;
  }
}

TEST(AbcHostile, TooManyNotesCostOneTuneOnly) {
  std::string many;
  for (std::size_t i = 0; i <= limits::kNotesPerVoice; ++i) many += i % 100 == 0 ? "C\n" : "C";
  CollectingSink sink;
  read(sink, tune(many) + "\n" + tune("C|"));
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "too-many-notes");
  EXPECT_EQ(sink.skipped[0].place.record, "test#1");
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(AbcHostile, RepeatsThatExplodeAreRefused) {
  std::string body;
  for (int i = 0; i < 2000; ++i) body += "|:CDEF:::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::|";
  CollectingSink sink;
  read(sink, tune(body));
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_THAT(sink.skipped[0].code, testing::AnyOf("repeats-too-long", "abc-too-long", "too-many-notes"));
}

TEST(AbcHostile, ATuneBeyondTheLimitOfBytesIsSkippedAndTheNextOneRead) {
  std::string big = "X:1\nK:C\n";
  while (big.size() <= limits::kRecordBytes) big += "% " + std::string(1000, 'x') + "\n";
  for (const std::string& text : {big, "X:1\nK:C\n" + std::string(limits::kRecordBytes + 1000, 'z') + "\n"}) {
    CollectingSink sink;
    read(sink, text + "\nX:2\nK:C\nC|\n");
    ASSERT_EQ(sink.skipped.size(), 1U);
    EXPECT_THAT(sink.skipped[0].code, testing::AnyOf("too-large", "line-too-long"));
    EXPECT_EQ(sink.pieces.size(), 1U);
  }
}

TEST(AbcHostile, HundredsOfVoicesAreRefused) {
  std::string body;
  for (int i = 0; i < 600; ++i) body += "[V:" + std::to_string(i) + "]C";
  CollectingSink sink;
  read(sink, tune(body));
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "too-many-voices");
}

TEST(AbcHostile, EndlessTiesAndLongChordsTakeNoQuadraticTime) {
  std::string body;
  for (int i = 0; i < 50'000; ++i) body += i % 20 == 0 ? "[Cc9999-]\n" : "[Cc9999-]";
  CollectingSink sink;
  read(sink, tune(body));
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(AbcHostile, ManyFieldsForManyVoicesTakeNoTimeNorMemory) {
  std::string text = "X:1\n";
  for (int i = 0; i < 500; ++i) text += "V:" + std::to_string(i) + "\n";
  for (int i = 0; i < 20'000; ++i) text += "K:Gdor clef=bass\nM:3/4\n";
  CollectingSink sink;
  read(sink, text + "C|\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].voices.size(), 1U);
}

TEST(AbcHostile, BlankLinesInAnEndlessHeaderTakeNoQuadraticTime) {
  std::string text = "X:1\n";
  for (int i = 0; i < 50'000; ++i) text += "T:a\n\n";
  CollectingSink sink;
  read(sink, text);
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(AbcHostile, PartsAndEndingsWithoutEndTakeNoQuadraticTime) {
  std::string body;
  for (int i = 0; i < 30'000; ++i) body += i % 3 == 0 ? "[1,2C:|\n" : i % 3 == 1 ? "P:B\n" : "P:C\n|:D:|\n";
  CollectingSink sink;
  read(sink, "X:1\nP:(BC)5000\nL:1/4\nK:C\n" + body);
  EXPECT_EQ(sink.pieces.size() + sink.skipped.size(), 1U);
}

TEST(AbcHostile, TimesBeyondAllLimitsAreRefused) {
  CollectingSink sink;
  std::string body;
  for (int i = 0; i < 40; ++i) body += "C/" + std::to_string(1009 + 2 * i) + " ";
  read(sink, tune(body));
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "time-out-of-range");
}

}  // namespace abc_hostile_test
}  // namespace rondo::abc_test
