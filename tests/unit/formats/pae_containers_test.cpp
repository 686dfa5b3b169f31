// Files in the text containers: records, ids, metadata, places of warnings, recognition by content.

#include <gmock/gmock.h>

#include <sstream>

#include "formats/readers.h"
#include "support/data.h"
#include "unit/formats/pae_support.h"

namespace pae_containers_test {

using pae_test::show;
using pae_test::show_changes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

rondo::CollectingSink& read(rondo::CollectingSink& sink, std::string_view text) {
  read_text("pae", text, sink);
  return sink;
}

/// Ids and melodies of all records.
std::vector<std::string> melodies(std::string_view text) {
  rondo::CollectingSink sink;
  read(sink, text);
  std::vector<std::string> out;
  for (const auto& piece : sink.pieces) {
    out.push_back(piece.id + ": " + (piece.voices.empty() ? "nothing" : show(piece.voices.front())));
  }
  for (const auto& skipped : sink.skipped) out.push_back("skipped " + skipped.code);
  return out;
}

TEST(PaeLines, HoldOneRecord) {
  rondo::CollectingSink sink;
  read(sink, "@clef:G-2\n@keysig:bB\n@key: F\n@timesig:3/4\n@data:'4B2A/\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  const auto& piece = sink.pieces.front();
  EXPECT_EQ(piece.id, "test") << "a file with one record is its own id";
  EXPECT_EQ(piece.format, "pae");
  EXPECT_EQ(piece.source_text, "@clef:G-2\n@keysig:bB\n@key: F\n@timesig:3/4\n@data:'4B2A/");
  ASSERT_EQ(piece.voices.size(), 1U);
  EXPECT_EQ(show(piece.voices[0]), "Bb4 1/4 A4 1/2");
  EXPECT_EQ(show_changes(piece.voices[0].keys), "0:F major");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST(PaeLines, TakeMetadataWithTheRecord) {
  rondo::CollectingSink sink;
  read(sink,
       "@id:rism-7\n@title:Roslin Castle\n@composer:Anon\n@source:Songs, book 2\n@year:ca. 1750\n@library:D-Dl\n"
       "@shelfmark:Mus. 1\n@catalogue:RISM A/I M 1\n@catalogue:X 2\n@uri:urn:x\n@voice:Violino I\n@Tempo:Slow\n"
       "@family:roslin\n@clef:G-2\n@data:4C\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  const auto& piece = sink.pieces.front();
  EXPECT_EQ(piece.id, "rism-7");
  EXPECT_EQ(piece.metadata.title, "Roslin Castle");
  EXPECT_EQ(piece.metadata.composer, "Anon");
  EXPECT_EQ(piece.metadata.source, "Songs, book 2");
  EXPECT_EQ(piece.metadata.year, "ca. 1750");
  EXPECT_EQ(piece.metadata.library, "D-Dl");
  EXPECT_EQ(piece.metadata.shelfmark, "Mus. 1");
  EXPECT_THAT(piece.metadata.catalogue, ElementsAre("RISM A/I M 1", "X 2"));
  EXPECT_EQ(piece.metadata.uri, "urn:x");
  EXPECT_THAT(piece.metadata.fields, ElementsAre(Pair("Tempo", "Slow"), Pair("family", "roslin")));
  EXPECT_EQ(piece.voices.at(0).name, "Violino I");
}

TEST(PaeLines, PartRecordsByBlankLinesStartEndOrRepetition) {
  const std::vector<std::string> two = {"test#1: C4 1/4", "test#2: D4 1/4"};
  EXPECT_EQ(melodies("@clef:G-2\n@data:4C\n\n@clef:G-2\n@data:4D\n"), two);
  EXPECT_EQ(melodies("@clef:G-2\n@data:4C\n@clef:G-2\n@data:4D"), two);
  EXPECT_EQ(melodies("@data:4C\n@data:4D\n"), two);
  EXPECT_EQ(melodies("@start:x\n@clef:G-2\n@data:4C\n@end:x\n@start:x\n@clef:G-2\n@data:4D\n@end:x\n"), two);
  EXPECT_EQ(melodies("@start\n@clef:G-2\n@data:4C\n@start\n@clef:G-2\n@data:4D\n"), two);
  EXPECT_THAT(melodies("@id:a\n@clef:G-2\n@data:4C\n@id:b\n@clef:G-2\n@data:4D\n"),
              ElementsAre("a: C4 1/4", "b: D4 1/4"));
}

TEST(PaeLines, MayEndInAnyWayAndBeginWithAByteOrderMark) {
  EXPECT_THAT(melodies("\xEF\xBB\xBF@clef:G-2\r\n@data:4C\r\n"), ElementsAre("test: C4 1/4"));
  EXPECT_THAT(melodies("@clef:G-2\r@data:4C"), ElementsAre("test: C4 1/4"));
}

TEST(PaeLines, ContinueLongNotationAndIgnoreComments) {
  EXPECT_THAT(melodies("# songs\n@clef:G-2\n@data:4CD/\nEF\n"), ElementsAre("test: C4 1/4 D4 1/4 E4 1/4 F4 1/4"));
}

TEST(PaeLines, TellTheVersion) {
  EXPECT_THAT(melodies("@clef:G-2\n@data:7.C\n@version:pe2\n"), ElementsAre("test: C4 3/256"));
  EXPECT_THAT(melodies("@clef:G-2\n@data:7.C\n"), ElementsAre("test: C4 1/4"));
}

TEST(PaeLines, PlaceWarningsInTheFile) {
  rondo::CollectingSink sink;
  read(sink, "@id:x\n@clef:G-2\n@timesig:3/4;\n@data: 4C?D\n");
  ASSERT_EQ(sink.warnings.size(), 2U);
  EXPECT_EQ(sink.warnings[0].to_string().substr(0, 43), "test: record x: timesig: line 3, column 10:");
  EXPECT_EQ(sink.warnings[1].place, (rondo::Place{"test", "x", "data", 4, 10}));
}

TEST(PaeRecords, WithoutNotationAreKept) {
  rondo::CollectingSink sink;
  read(sink, "@id:a\n@title:Lost\n@clef:G-2\n@data:\n\n@id:b\n@clef:G-2\n@data:4C\n");
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_THAT(sink.pieces[0].voices, IsEmpty());
  EXPECT_EQ(sink.pieces[0].metadata.title, "Lost");
  ASSERT_EQ(sink.warnings.size(), 1U);
  EXPECT_EQ(sink.warnings[0].code, "pae-no-notation");
  EXPECT_EQ(sink.warnings[0].place.record, "a");
}

TEST(PaeRecords, ThatCannotBeReadCostOnlyThemselves) {
  rondo::CollectingSink sink;
  read(sink, "@id:a\n@clef:G-2\n@data:not music at all\n\n@id:b\n@clef:G-2\n@data:4C\n");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].id, "b");
  ASSERT_EQ(sink.skipped.size(), 1U);
  EXPECT_EQ(sink.skipped[0].code, "pae-not-notation");
  EXPECT_EQ(sink.skipped[0].place.record, "a");
  EXPECT_EQ(sink.skipped[0].place.line, 3U);
}

TEST(PaeSingleLines, HoldOneIncipitEach) {
  EXPECT_THAT(melodies("%G-2@3/2$bB 4B\n;pe2%G-2$bB@3/2 4B_\n%F-4 ,4C\n"),
              ElementsAre("test#1: Bb4 1/4", "test#2: Bb4 1/2", "test#3: C3 1/4"));
}

TEST(PaeSingleLines, TakeSpacesAndAnyOrder) {
  for (const char* text : {"%G-2@3/2$bB =1/4B", "%G-2$bB@3/2 =1/4B", "$bB@3/2%G-2 =1/4B", " %G-2 $bB @3/2  =1/4B",
                           "@3/2$bB =1/4B", ";pe2%G-2@3/2$bB =1/4B"}) {
    EXPECT_THAT(melodies(text), ElementsAre("test: - 3/2 Bb4 1/4")) << text;
  }
}

TEST(PaeSingleLines, TakeAlternatingTimes) {
  rondo::CollectingSink sink;
  read(sink, "%G-2@3/4 4/4$bB 4B\n%G-2$bB@3/4 4/4 4B\n%G-2@3/4|4/4$bB 4B\n");
  ASSERT_EQ(sink.pieces.size(), 3U);
  for (const auto& piece : sink.pieces) {
    EXPECT_EQ(show_changes(piece.voices.at(0).times), "0:3/4 4/4");
    EXPECT_EQ(show(piece.voices.at(0)), "Bb4 1/4");
  }
}

TEST(PaeSingleLines, WarnOfMarksBehindTheHeader) {
  rondo::CollectingSink sink;
  read(sink, "%G-2?$bB;@3/4 4B");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(show(sink.pieces[0].voices.at(0)), "Bb4 1/4");
  ASSERT_EQ(sink.warnings.size(), 2U);
  EXPECT_EQ(sink.warnings[0].code, "pae-header-mark");
}

TEST(PaeSingleLines, StandAmongOtherRecords) {
  EXPECT_THAT(melodies("@clef:G-2\n@data:4C\n%G-2 4D\nwhat?\n%G-2 4E\n"),
              ElementsAre("test#1: C4 1/4", "test#2: D4 1/4", "test#4: E4 1/4", "skipped pae-line-unknown"));
}

TEST(PaeJson, HoldsAnObjectAnArrayOrOneObjectPerLine) {
  const std::string c = R"({"clef": "G-2", "data": "4C"})";
  const std::string d = R"({"clef": "G-2", "keysig": "xF", "timesig": "3/4", "data": "=1/''4F", "id": "d"})";
  EXPECT_THAT(melodies(c), ElementsAre("test: C4 1/4"));
  EXPECT_THAT(melodies("[" + c + "," + d + "]"), ElementsAre("test#1: C4 1/4", "d: - 3/4 F#5 1/4"));
  EXPECT_THAT(melodies(c + "\n" + d + "\n"), ElementsAre("test#1: C4 1/4", "d: - 3/4 F#5 1/4"));
  EXPECT_THAT(melodies("[\n  {\n \"clef\": \"G-2\",\n \"data\": \"4C\"\n }\n]\n"), ElementsAre("test: C4 1/4"));
}

TEST(PaeJson, KeepsMetadata) {
  rondo::CollectingSink sink;
  read(sink,
       R"({"id": 17, "title": "A \"song\" {", "catalogue": ["A 1", "B 2"], "tempo": "slow", "rank": 3, "data": "4C"})");
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].id, "17");
  EXPECT_EQ(sink.pieces[0].metadata.title, "A \"song\" {");
  EXPECT_THAT(sink.pieces[0].metadata.catalogue, ElementsAre("A 1", "B 2"));
  EXPECT_EQ(sink.pieces[0].metadata.field("tempo"), "slow");
  EXPECT_EQ(sink.pieces[0].metadata.field("rank"), "3");
}

TEST(PaeJson, LosesOnlyTheBrokenObject) {
  EXPECT_THAT(melodies("{\"clef\": \"G-2\", \"data\": }\n{\"clef\": \"G-2\", \"data\": \"4C\"}\n"),
              ElementsAre("test#2: C4 1/4", "skipped pae-json"));
  EXPECT_THAT(melodies("{\"clef\": \"G-2\", \"data\": \"4C\"}\n{\"clef\": \"G-2\", \"da"),
              ElementsAre("test#1: C4 1/4", "skipped pae-json"));
}

TEST(PaeReader, StopsWhenTheSinkWantsNoMore) {
  class OnePiece final : public rondo::PieceSink {
   public:
    bool piece(rondo::Piece&& /*piece*/) override {
      ++count;
      return false;
    }
    void warn(rondo::Diagnostic /*warning*/) override {}
    bool skip(rondo::Diagnostic /*why*/) override { return true; }
    int count = 0;
  };
  for (const char* text : {"%G-2 4C\n%G-2 4D\n%G-2 4E\n", R"([{"data":"4C"},{"data":"4D"},{"data":"4E"}])"}) {
    OnePiece sink;
    rondo::MemorySource source(text);
    EXPECT_TRUE(rondo::read_pae(source, {}, sink));
    EXPECT_EQ(sink.count, 1);
  }
}

TEST(PaeReader, LeavesOutTheSourceTextWhenAsked) {
  rondo::CollectingSink sink;
  rondo::ReadOptions options;
  options.keep_source = false;
  read_text("pae", "%G-2 4C", sink, options);
  EXPECT_EQ(sink.pieces.at(0).source_text, "");
}

TEST(PaeReader, DoesNotPlayRepeatsWhenAsked) {
  rondo::CollectingSink sink;
  rondo::ReadOptions options;
  options.expand_repeats = false;
  read_text("pae", "%G-2 4C://", sink, options);
  EXPECT_EQ(show(sink.pieces.at(0).voices.at(0)), "C4 1/4");
}

TEST(PaeReader, RefusesWhatIsNotPae) {
  rondo::CollectingSink sink;
  read(sink, "X:1\nT:Song\nK:C\nCDEF|\n");
  EXPECT_THAT(sink.pieces, IsEmpty());
  EXPECT_EQ(sink.skipped.back().code, "pae-unrecognised");
}

TEST(PaeRecognition, GoesByContent) {
  EXPECT_GE(rondo::recognise_pae("@clef:G-2\n@data:4C"), 90);
  EXPECT_GE(rondo::recognise_pae("\n@start:x\n@id:7\n@title:A\n@clef:G-2\n"), 90);
  EXPECT_GE(rondo::recognise_pae("%G-2@3/4 'C"), 80);
  EXPECT_GE(rondo::recognise_pae(";pe2%C*1 'C"), 80);
  EXPECT_GE(rondo::recognise_pae(R"({"clef": "G-2", "data": "4C"})"), 80);
  EXPECT_GE(rondo::recognise_pae(R"([ {"timesig": "3/4", "data": "4C"}])"), 80);
}

TEST(PaeRecognition, LeavesOthersAlone) {
  for (const char* head :
       {"", "X:1\nK:C\n", "%abc-2.1\nX:1\n", "%%pagewidth 20\n", "**kern\n4c\n", "<?xml version=\"1.0\"?>", "MThd",
        R"({"id": "a", "notes": [[0, "1/4", 60]]})", R"({"id": "a", "clef": "G-2", "data": "x", "notes": []})",
        "@article{x, title={y}}\n", "@title: something\nand text", "Hello", "{''8CD}"}) {
    EXPECT_EQ(rondo::recognise_pae(head), 0) << head;
  }
}

TEST(PaeRecognition, FindsThisFormatAmongAll) {
  const rondo::Format* format = rondo::recognise("@clef:G-2\n@data:4C\n");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "pae");
}

}  // namespace pae_containers_test
