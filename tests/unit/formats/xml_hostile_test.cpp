// Broken and malicious files, for both XML score formats: an error with a code, or a piece with a warning; never worse.
#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::xml_hostile_test {

using testing::ElementsAre;

std::string code_of(std::string_view format, const std::string& text) {
  CollectingSink sink;
  read_text(format, text, sink);
  if (!sink.skipped.empty()) return sink.skipped.back().code;
  return sink.pieces.empty() ? "nothing" : "read";
}

const std::string kNote = "<note><pitch><step>C</step><octave>4</octave></pitch><duration>1</duration></note>";
const std::string kMeiNote = "<note pname='c' oct='4' dur='4'/>";

std::string partwise(const std::string& measures, const std::string& header = {}) {
  return "<score-partwise>" + header + "<part>" + measures + "</part></score-partwise>";
}

std::string mei(const std::string& inside) {
  return "<mei><music><body><mdiv><score><scoreDef><staffGrp><staffDef n='1'/></staffGrp></scoreDef><section>" +
         inside + "</section></score></mdiv></body></music></mei>";
}

std::string mei_layer(const std::string& inside) {
  return mei("<measure><staff n='1'><layer>" + inside + "</layer></staff></measure>");
}

TEST(XmlScores, AreRecognisedByTheirRootElement) {
  EXPECT_EQ(recognise("<?xml version='1.0'?>\n<!-- <mei> --><!DOCTYPE x [<!ELEMENT a (b)>]>\n<score-partwise>")->name,
            "musicxml");
  EXPECT_EQ(recognise("\xEF\xBB\xBF<score-timewise version='3.0'>")->name, "musicxml");
  EXPECT_EQ(recognise("<mei:mei xmlns:mei='http://www.music-encoding.org/ns/mei'/>")->name, "mei");
  EXPECT_EQ(recognise("<meiCorpus>")->name, "mei");
  std::string utf16 = "\xFF\xFE";
  for (const char c : std::string("<?xml version='1.0'?><mei>")) utf16 += {c, '\0'};
  EXPECT_EQ(recognise(utf16)->name, "mei");
  EXPECT_EQ(find_format("mei")->recognise("<html>"), 0);
  EXPECT_EQ(find_format("mei")->recognise(""), 0);
  EXPECT_EQ(find_format("musicxml")->recognise("<!-- no end"), 0);
}

TEST(XmlScores, FilesThatAreSomethingElseAreErrors) {
  for (const std::string format : {"musicxml", "mei"}) {
    EXPECT_EQ(code_of(format, ""), format + "-no-xml");
    EXPECT_EQ(code_of(format, std::string(100, '\0')), format + "-no-xml");
    EXPECT_EQ(code_of(format, "X:1\nK:C\nCDEF"), format + "-no-xml");
  }
  EXPECT_EQ(code_of("musicxml", "<html/>"), "musicxml-no-score");
  EXPECT_EQ(code_of("mei", "<html/>"), "mei-no-music");
}

TEST(XmlScores, ATruncatedFileGivesWhatItHas) {
  CollectingSink sink;
  read_text("musicxml", "<score-partwise><part><measure>" + kNote + "</measure><measure>" + kNote + "<note><pi", sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].voices[0].notes.size(), 2U);
  ASSERT_FALSE(sink.warnings.empty());
  EXPECT_EQ(sink.warnings[0].code, "musicxml-malformed");
}

TEST(XmlScores, DeepNestingIsAnError) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<beam>";
  EXPECT_EQ(code_of("mei", mei_layer(deep)), "mei-nesting");
  EXPECT_EQ(code_of("musicxml", "<score-partwise>" + deep), "musicxml-nesting");
}

TEST(XmlScores, TooManyTagsAreAnErrorBeforeTheyTakeMemory) {
  std::string many = "<score-partwise>";
  for (int i = 0; i < 6'000'001; ++i) many += "<a/>";
  EXPECT_EQ(code_of("musicxml", many), "musicxml-too-large");
}

TEST(XmlScores, EntitiesAreNotExpanded) {
  CollectingSink sink;
  read_text("musicxml",
            "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" +
                partwise("<measure/>", "<work><work-title>&b;</work-title></work>"),
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "&b;");
}

TEST(XmlScores, Utf16AndLatin1BecomeUtf8) {
  CollectingSink sink;
  std::string utf16 = "\xFE\xFF";
  for (const char c : partwise("<measure>" + kNote + "</measure>", "<work><work-title>Lied</work-title></work>")) {
    utf16 += {'\0', c};
  }
  read_text("musicxml", utf16, sink);
  read_text("musicxml", partwise("<measure/>", "<work><work-title>Fl\xF6te</work-title></work>"), sink);
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "Lied");
  EXPECT_EQ(sink.pieces[0].voices[0].notes.size(), 1U);
  EXPECT_THAT(sink.pieces[0].source_text, testing::HasSubstr("<work-title>Lied</work-title>"));
  EXPECT_EQ(sink.pieces[1].metadata.title, "Fl\xC3\xB6te");
}

TEST(XmlScores, HalfASurrogatePairDoesNotGetThrough) {
  CollectingSink sink;
  read_text("musicxml", partwise("<measure/>", "<work><work-title>a&#xD800;b</work-title></work>"), sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title.find('\xED'), std::string::npos);
}

TEST(XmlScores, HugeNumbersCostTheRecordNotTheProgram) {
  const auto with = [](const std::string& divisions, const std::string& duration) {
    return partwise("<measure><attributes><divisions>" + divisions +
                    "</divisions></attributes><note><pitch><step>C</step><octave>4</octave></pitch><duration>" +
                    duration + "</duration></note></measure>");
  };
  EXPECT_EQ(code_of("musicxml", with("1", "9000000000000000000")), "time-out-of-range");
  EXPECT_EQ(code_of("musicxml", with("9000000000000000000", "1")), "time-out-of-range");
  EXPECT_EQ(code_of("musicxml", with("1", "99999999999999999999999")), "read");  // no number, so a quarter
  EXPECT_EQ(code_of("musicxml", with("0", "1")), "read");
  EXPECT_EQ(code_of("musicxml", with("-4", "1")), "read");
  EXPECT_EQ(code_of("mei", mei_layer("<tuplet num='9000000000000000000' numbase='1'>" + kMeiNote + "</tuplet>")),
            "time-out-of-range");
  EXPECT_EQ(code_of("mei", mei_layer("<tuplet num='0' numbase='-1'>" + kMeiNote + "</tuplet>")), "read");
}

TEST(XmlScores, RepeatsThatNeverEndAreAnError) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "<measure><barline location='left'><repeat direction='forward'/></barline>" + kNote +
            "<barline><repeat direction='backward' times='255'/></barline></measure>";
  }
  EXPECT_EQ(code_of("musicxml", partwise(text)), "repeats-too-long");
}

TEST(XmlScores, TooManyVoicesAreAnError) {
  std::string parts;
  std::string staves = "<measure>";
  for (int i = 0; i < 600; ++i) {
    parts += "<part><measure>" + kNote + "</measure></part>";
    staves += "<staff n='" + std::to_string(i) + "'><layer>" + kMeiNote + "</layer></staff>";
  }
  EXPECT_EQ(code_of("musicxml", "<score-partwise>" + parts + "</score-partwise>"), "too-many-voices");
  EXPECT_EQ(code_of("mei", mei(staves + "</measure>")), "too-many-voices");
}

TEST(XmlScores, CopiesThatContainEachOtherEnd) {
  EXPECT_EQ(code_of("mei", mei_layer("<beam xml:id='a'><beam copyof='#a'/>" + kMeiNote + "</beam>")), "read");
  // Each doubles the one before: 2^39 notes if followed to the end.
  std::string bomb = "<beam xml:id='b0'>" + kMeiNote + "</beam>";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "<beam copyof='#b" + std::to_string(i - 1) + "'/>";
    bomb += "<beam xml:id='b" + std::to_string(i) + "'>" + before + before + "</beam>";
  }
  EXPECT_EQ(code_of("mei", mei_layer(bomb)), "mei-too-large");
}

TEST(XmlScores, AnExpansionThatNamesItselfIsAnError) {
  EXPECT_EQ(code_of("mei", mei("<section xml:id='s'><expansion plist='#s'/><measure/></section>")),
            "mei-expansion-too-long");
}

TEST(XmlScores, AReaderStopsWhenAskedTo) {
  struct Stopping final : PieceSink {
    int pieces = 0;
    bool piece(Piece&& /*piece*/) override {
      ++pieces;
      return false;
    }
    void warn(Diagnostic /*warning*/) override {}
    bool skip(Diagnostic /*why*/) override { return false; }
  } sink;
  const std::string text = "<mei><music><body><mdiv><score/></mdiv><mdiv><score/></mdiv></body></music></mei>";
  MemorySource source(text);
  ASSERT_TRUE(find_format("mei")->read(source, ReadOptions{"x", true, true}, sink).has_value());
  EXPECT_EQ(sink.pieces, 1);
}

}  // namespace rondo::xml_hostile_test
