#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marc_support.h"
#include "melody/limits.h"
#include "support/collected.h"
#include "support/data.h"

namespace rondo::marc_binary_test {

using marc_test::binary_record;
using marc_test::incipit;
using test::codes;
using test::ids;
using testing::ElementsAre;
using testing::IsEmpty;

std::string record(const std::string& id) { return binary_record({{"001", id, {}}, incipit("1", "1", "1", "4CDE")}); }

std::string with_text(const std::string& text, char coding) {
  return binary_record({{"001", "1", {}}, {"031", "", {{'g', "G-2"}, {'o', "c"}, {'p', "4C"}, {'t', text}}}}, coding);
}

/// The text as the reader gives it, and whether it says that something was lost.
std::string marc8(const std::string& bytes, bool& lost) {
  CollectingSink sink;
  read_text("marc", with_text(bytes, ' '), sink);
  for (const Diagnostic& warning : sink.warnings) lost = lost || warning.code == "marc-characters-lost";
  return std::string(sink.pieces.at(0).metadata.field("text"));
}

TEST(Marc, LineEndsBetweenRecordsAreNothing) {
  CollectingSink sink;
  read_text("marc", record("1") + "\r\n" + record("2") + "\n\x1A", sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(sink.skipped, IsEmpty());
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST(Marc, AWrongLengthIsPutRightAtTheRecordTerminator) {
  std::string wrong = record("1");
  wrong.replace(0, 5, "00042");
  CollectingSink sink;
  read_text("marc", wrong + record("2"), sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marc-length-wrong"));
  EXPECT_EQ(sink.warnings[0].place.record, "1");
}

TEST(Marc, AWrongDirectoryIsPutRightAtTheFieldTerminators) {
  // As when somebody turned one byte of the first field into two and counted nothing again.
  std::string wrong = record("1");
  wrong.insert(wrong.find("1\x1E"), "0");
  CollectingSink sink;
  read_text("marc", wrong, sink);
  EXPECT_THAT(ids(sink), ElementsAre("01:1.1.1"));
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marc-length-wrong", "marc-directory-wrong"));

  std::string letters = record("1");
  letters.replace(24 + 3, 4, "abcd");
  CollectingSink second;
  read_text("marc", letters, second);
  EXPECT_THAT(ids(second), ElementsAre("1:1.1.1"));
  EXPECT_THAT(codes(second.warnings), ElementsAre("marc-directory-wrong"));
}

TEST(Marc, ADirectoryMayListFieldsInAnotherOrderThanTheyStand) {
  std::string swapped = record("1");
  const std::string first = swapped.substr(24, 12);
  swapped.replace(24, 12, swapped.substr(36, 12));
  swapped.replace(36, 12, first);
  CollectingSink sink;
  read_text("marc", swapped, sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1"));
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST(Marc, AHostileDirectoryCannotMultiplyAField) {
  // 50,000 entries that all name one field with 50,000 subfields.
  std::string data = "  ";
  for (int i = 0; i < 50000; ++i)
    data +=
        "\x1F"
        "pC";
  data += '\x1E';
  std::string directory;
  for (int i = 0; i < 50000; ++i) directory += "031" + marc_test::digits(9999, 4) + marc_test::digits(0, 5);
  const std::string text = "99999cdm a2299999   4500" + directory + '\x1E' + data + '\x1D';
  CollectingSink sink;
  read_text("marc", text, sink);
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(Marc, ATruncatedFileLosesItsLastRecord) {
  const std::string whole = record("1") + record("2");
  for (std::size_t cut = record("1").size() + 1; cut < whole.size(); cut += 5) {
    CollectingSink sink;
    read_text("marc", std::string_view(whole).substr(0, cut), sink);
    EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1")) << cut;
    EXPECT_THAT(codes(sink.skipped), ElementsAre("marc-truncated")) << cut;
  }
}

TEST(Marc, GarbageBetweenTerminatorsCostsItselfOnly) {
  CollectingSink sink;
  read_text("marc", record("1") + "garbage\x1D" + record("2"), sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(codes(sink.skipped), ElementsAre("marc-no-directory"));
}

TEST(Marc, ARecordBeyondTheLimitIsSkipped) {
  CollectingSink sink;
  read_text("marc", record("1") + std::string(limits::kRecordBytes + 1000, 'x') + "\x1D" + record("2"), sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(codes(sink.skipped), ElementsAre("record-too-large"));
}

TEST(Marc, NothingIsAnError) {
  for (const std::string& text : {std::string(), std::string("\n\n")}) {
    CollectingSink sink;
    read_text("marc", text, sink);
    EXPECT_THAT(codes(sink.skipped), ElementsAre("marc-no-records"));
  }
}

TEST(Marc, TextIsUtf8WhereTheLeaderSaysSo) {
  CollectingSink sink;
  read_text("marc", with_text("Größe", 'a'), sink);
  EXPECT_EQ(sink.pieces.at(0).metadata.field("text"), "Größe");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST(Marc, Utf8UnderALeaderThatPromisesMarc8IsReadAsUtf8) {
  CollectingSink sink;
  read_text("marc", with_text("Größe", ' '), sink);
  EXPECT_EQ(sink.pieces.at(0).metadata.field("text"), "Größe");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marc-encoding-wrong"));
}

TEST(Marc, BadUtf8IsReplacedWithAWarning) {
  CollectingSink sink;
  read_text("marc",
            with_text("Gr\xF6"
                      "e",
                      'a'),
            sink);
  EXPECT_EQ(sink.pieces.at(0).metadata.field("text"),
            "Gr\xEF\xBF\xBD"
            "e");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marc-bad-utf8"));
}

TEST(Marc, Marc8BecomesComposedUnicode) {
  CollectingSink sink;
  // Marks stand before their letter: E8 diaeresis, E2 acute, E9 caron, F0 cedilla, EA ring.
  read_text("marc",
            with_text("M\xE8uller Dvo\xE9r\xE2"
                      "ak Fran\xF0"
                      "cois \xEA"
                      "A\xC7",
                      ' '),
            sink);
  EXPECT_EQ(sink.pieces.at(0).metadata.field("text"), "Müller Dvořák François Åß");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST(Marc8, LettersAndMarksAreThoseOfAnsel) {
  bool lost = false;
  EXPECT_EQ(marc8("\xA1\xA2\xA5\xB1\xB2\xB5\xB8\xB9\xC5\xC6\xA9\xC4", lost), "ŁØÆłøæı£¿¡♭♯");
  // A letter with two marks, written in either order, is one character: Vietnamese e with circumflex and dot below.
  EXPECT_EQ(marc8("\xE3\xF2"
                  "e",
                  lost),
            "ệ");
  EXPECT_EQ(marc8("\xF2\xE3"
                  "e",
                  lost),
            "ệ");
  // A mark that has no composed form with its letter stays, after it.
  EXPECT_EQ(marc8("\xE2q", lost), "q\xCC\x81");
  EXPECT_EQ(marc8("end\xE2", lost), "end\xCC\x81");
  EXPECT_EQ(marc8("\x88The \x89"
                  "Art",
                  lost),
            "The Art");
  EXPECT_EQ(marc8("plain", lost), "plain");
  EXPECT_FALSE(lost);
}

TEST(Marc8, OtherAlphabetsBecomeQuestionMarks) {
  bool lost = false;
  // Basic Cyrillic in the lower half, then back to ASCII.
  EXPECT_EQ(marc8("a\x1B(Nbcd\x1B(Be", lost), "a???e");
  EXPECT_TRUE(lost);
  lost = false;
  // Three bytes for each East Asian character.
  EXPECT_EQ(marc8("\x1B$1!0!\"#$\x1B(Bx", lost), "??x");
  EXPECT_TRUE(lost);
  lost = false;
  EXPECT_EQ(marc8("H\x1B"
                  "b2\x1BsO",
                  lost),
            "H2O");
  EXPECT_FALSE(lost);
  EXPECT_EQ(marc8("\x1B", lost), "");
  EXPECT_EQ(marc8("\x1B$", lost), "");
  EXPECT_EQ(marc8("\xFF", lost), "?");
}

TEST(Marc, CharactersThatAreLostAreWarnedAbout) {
  CollectingSink sink;
  read_text("marc", with_text("a\x1B(Nbcd\x1B(B", ' '), sink);
  EXPECT_EQ(sink.pieces.at(0).metadata.field("text"), "a???");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marc-characters-lost"));
}

TEST(Marc, TextIsNotTakenForIt) {
  EXPECT_EQ(find_format("marc")->recognise("01234 is a number\n"), 0);
  EXPECT_EQ(find_format("marc")->recognise(""), 0);
}

}  // namespace rondo::marc_binary_test
