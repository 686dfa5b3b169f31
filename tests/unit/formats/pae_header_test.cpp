#include <gmock/gmock.h>

#include "unit/formats/pae_support.h"

namespace pae_header_test {

using pae_test::Header;
using pae_test::read;
using pae_test::show_changes;
using testing::ElementsAre;
using testing::IsEmpty;

std::string clef(const std::string& text) { return show_changes(read("4C", Header{.clef = text}).voice.clefs); }
std::string keysig(const std::string& text) {
  return show_changes(read("4C", Header{.keysig = text}).voice.key_signatures);
}
/// "0:c 4/4": the sign and what it means.
std::string time(const std::string& text) {
  const auto voice = read("4C", Header{.timesig = text}).voice;
  if (voice.times.empty()) return "";
  const auto& value = voice.times.front().value;
  return show_changes(voice.times) + " " + std::to_string(value.beats) + "/" + std::to_string(value.unit);
}

TEST(PaeHeader, ReadsClefsOfEveryKind) {
  for (const char* text : {"G-2", "g-2", "C-1", "C-5", "F-4", "C+1", "C:3"}) {
    EXPECT_EQ(clef(text), std::string("0:") + text);
  }
  EXPECT_EQ(clef("C*1"), "0:C+1") << "version 2's mensural clef is the same clef";
  EXPECT_EQ(clef(""), "");
}

TEST(PaeHeader, ReadsKeySignatures) {
  EXPECT_EQ(keysig("xFC"), "0:xFC");
  EXPECT_EQ(keysig("bBEA"), "0:bBEA");
  EXPECT_EQ(keysig("bB[EA]"), "0:bBEA") << "supplied accidentals count";
  EXPECT_EQ(keysig("xF[C]G[D]"), "0:xFCGD");
  EXPECT_EQ(keysig("[bBE]"), "0:bBE");
  EXPECT_EQ(keysig("xCbB"), "0:xCbB") << "signatures that are no major key";
  EXPECT_EQ(keysig("n"), "0:") << "known to have no accidentals";
  EXPECT_EQ(keysig(""), "") << "unknown";
}

TEST(PaeHeader, AppliesTheKeySignatureToEveryOctave) {
  EXPECT_EQ(pae_test::sound("'B''B,E", Header{.keysig = "bB[E]"}), "Bb4 1/4 Bb5 1/4 Eb3 1/4");
}

TEST(PaeHeader, ReadsTimeSignatures) {
  EXPECT_EQ(time("3/4"), "0:3/4 3/4");
  EXPECT_EQ(time("12/16"), "0:12/16 12/16");
  EXPECT_EQ(time("3"), "0:3 3/4");
  EXPECT_EQ(time("2"), "0:2 2/2");
  EXPECT_EQ(time("c"), "0:c 4/4");
  EXPECT_EQ(time("c/"), "0:c/ 2/2");
  EXPECT_EQ(time(""), "");
}

TEST(PaeHeader, ReadsMensurations) {
  EXPECT_EQ(time("o"), "0:o 3/1");
  EXPECT_EQ(time("o."), "0:o. 9/2");
  EXPECT_EQ(time("c."), "0:c. 6/2");
  EXPECT_EQ(time("o/"), "0:o/ 3/2");
  EXPECT_EQ(time("c3"), "0:c3 3/1");
  EXPECT_EQ(time("c2"), "0:c2 2/1");
  EXPECT_EQ(time("c3/2"), "0:c3/2 3/2");
  EXPECT_EQ(time("c/3"), "0:c/3 3/2");
}

TEST(PaeHeader, ReadsAlternatingTimesOfBothVersionsAlike) {
  for (const char* text : {"3/4 4/4", "3/4|4/4", "3/4; 4/4", "3/4;4/4"}) {
    EXPECT_EQ(time(text), "0:3/4 4/4 3/4") << text;
  }
}

TEST(PaeHeader, ReadsTheNamedKey) {
  const auto key = [](const std::string& text) { return show_changes(read("4C", Header{.key = text}).voice.keys); };
  EXPECT_EQ(key("G"), "0:G major");
  EXPECT_EQ(key("g"), "0:G minor");
  EXPECT_EQ(key("B|b"), "0:Bb major");
  EXPECT_EQ(key(" "), "");
}

TEST(PaeHeader, WarnsOfMarksAroundTheValue) {
  for (const Header& header : {Header{.clef = "%G-2"}, Header{.clef = "G-2?"}, Header{.clef = "[G-2]"},
                               Header{.keysig = "$bB"}, Header{.keysig = "bB;"}, Header{.timesig = "@3/4"},
                               Header{.timesig = "3/4;"}, Header{.timesig = "3/4?"}, Header{.timesig = "3/4\\n\\"}}) {
    const auto reading = read("4B", header);
    EXPECT_THAT(reading.codes(), ElementsAre("pae-header-mark")) << header.clef << header.keysig << header.timesig;
    EXPECT_EQ(show_changes(reading.voice.clefs), "0:G-2");
    EXPECT_EQ(show_changes(reading.voice.key_signatures), header.keysig.empty() ? "" : "0:bB");
    EXPECT_EQ(show_changes(reading.voice.times), header.timesig.empty() ? "" : "0:3/4");
  }
}

TEST(PaeHeader, WarnsOfWhatItDoesNotKnow) {
  const auto field_of = [](const Header& header) {
    const auto reading = read("4B", header);
    return reading.warnings.size() == 1 ? reading.warnings[0].code + " " + reading.warnings[0].place.field : "";
  };
  EXPECT_EQ(field_of({.clef = "X-2"}), "pae-clef-unknown clef");
  EXPECT_EQ(field_of({.clef = "P-2"}), "pae-clef-unknown clef");
  EXPECT_EQ(field_of({.clef = ""}), "pae-clef-missing clef");
  EXPECT_EQ(field_of({.keysig = "Bes"}), "pae-key-signature-unknown keysig");
  EXPECT_EQ(field_of({.timesig = "waltz"}), "pae-time-unknown timesig");
  EXPECT_EQ(field_of({.timesig = "3/0"}), "pae-time-unknown timesig");
  EXPECT_EQ(field_of({.timesig = "99999/4"}), "pae-time-unknown timesig");
  EXPECT_EQ(field_of({.key = "hypomixolydian"}), "pae-key-unknown key");
}

TEST(PaeHeader, IsReplacedByWhatHeadsTheNotation) {
  const auto reading = read("%C-1$bBEA@c '2A", Header{.clef = "G-2", .timesig = "3/4"});
  EXPECT_EQ(pae_test::show(reading.voice), "Ab4 1/2");
  EXPECT_EQ(show_changes(reading.voice.clefs), "0:C-1");
  EXPECT_EQ(show_changes(reading.voice.times), "0:c");
  EXPECT_THAT(reading.codes(), ElementsAre("pae-header-in-data", "pae-header-in-data", "pae-header-in-data"));
}

TEST(PaeHeader, KeepsNothingFromTheNotationBefore) {
  rondo::PaeParser parser;
  rondo::Voice voice;
  rondo::Diagnostics warnings;
  const rondo::PaeFields first{"F-4", "bBEA", "3/8", "c", ",,8.6xC+^E4(8C", "2"};
  ASSERT_TRUE(parser.parse(first, {}, voice, warnings));
  warnings.clear();
  ASSERT_TRUE(parser.parse({"G-2", "", "", "", "BC", ""}, {}, voice, warnings));
  EXPECT_EQ(pae_test::show(voice), "B4 1/4 C4 1/4");
  EXPECT_EQ(show_changes(voice.clefs), "0:G-2");
  EXPECT_THAT(voice.key_signatures, IsEmpty());
  EXPECT_THAT(voice.times, IsEmpty());
  EXPECT_THAT(voice.keys, IsEmpty());
  EXPECT_THAT(voice.bars, IsEmpty());
  EXPECT_THAT(warnings, IsEmpty());
}

}  // namespace pae_header_test
