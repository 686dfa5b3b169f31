#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marc_support.h"
#include "support/data.h"

// What records mean, whatever form they come in: every test here reads the record in both.

namespace rondo::marc_record_test {

using marc_test::Rows;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class MarcRecord : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::string file(const std::vector<Rows>& records) const {
    std::string out;
    const bool xml = std::string_view(GetParam()) == "marcxml";
    for (const Rows& rows : records) out += xml ? marc_test::xml_record(rows) : marc_test::binary_record(rows);
    return xml ? marc_test::xml_file(out) : out;
  }
  void read(const std::vector<Rows>& records) {
    ReadOptions options;
    options.file = "catalogue";
    read_text(GetParam(), file(records), sink, options);
  }
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const Piece& piece : sink.pieces) out.push_back(piece.id);
    return out;
  }
  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const Diagnostic& warning : sink.warnings) out.push_back(warning.code);
    return out;
  }

  CollectingSink sink;
};

INSTANTIATE_TEST_SUITE_P(Forms, MarcRecord, testing::Values("marcxml", "marc"),
                         [](const auto& form) { return std::string(form.param); });

TEST_P(MarcRecord, TheExampleOfTheLibraryOfCongressSoundsAsWritten) {
  read({{{"001", "1001", {}}, marc_test::loc_example()}});
  ASSERT_EQ(sink.pieces.size(), 1U) << (sink.skipped.empty() ? "" : sink.skipped.front().to_string());
  const Piece& piece = sink.pieces.front();
  EXPECT_EQ(piece.id, "1001:a.01.02");
  EXPECT_EQ(piece.metadata.field("heading"), "Scena. Largo");
  EXPECT_EQ(piece.metadata.field("role"), "Sara");
  EXPECT_EQ(piece.metadata.field("instrument"), "S");
  EXPECT_EQ(piece.format, GetParam());
  EXPECT_EQ(piece.source_text,
            "031 $aa$b01$c02$mS$eSara$dScena. Largo$gC-1$nbBEA$oc$p=5/4-''6C3CC6DEgF6CC8-6ED/q8D4C8C'nB''4D-/2-/$2pe");
  ASSERT_EQ(piece.voices.size(), 1U);
  const Voice& voice = piece.voices.front();
  EXPECT_EQ(voice.name, "S");
  std::string melody;
  for (const Note& note : voice.notes) {
    melody += note.onset.to_string() + (note.grace ? " (" : " ") + note.pitch.to_string() +
              (note.grace ? ")" : " " + note.duration.to_string()) + ", ";
  }
  EXPECT_EQ(melody,
            "21/4 C5 1/16, 85/16 C5 1/32, 171/32 C5 1/32, 43/8 D5 1/16, 87/16 Eb5 1/16, 11/2 (F5), 11/2 C5 1/16, "
            "89/16 C5 1/16, 23/4 Eb5 1/16, 93/16 D5 1/16, 47/8 (D5), 47/8 C5 1/4, 49/8 C5 1/8, 25/4 B4 1/8, "
            "51/8 D5 1/4, ");
  EXPECT_EQ(voice.length, Fraction(59, 8));
}

TEST_P(MarcRecord, EachIncipitIsAPieceWithTheRecordsMetadata) {
  read({{{"001", "400006537", {}},
         marc_test::incipit("1", "1", "1", "4CDEF"),
         marc_test::incipit("1", "2", "1", "4GABG"),
         {"100", "", {{'a', "Lucchini, Ada,"}, {'d', "1700-1750"}}},
         {"240", "", {{'a', "Sonatas"}, {'m', "vl (2)"}, {'r', "E|b"}}},
         {"245", "", {{'a', "Duetto | del: Sig: Lucchini /"}}},
         {"260", "", {{'a', "Basel :"}, {'b', "Imhof,"}, {'c', "1780-1799"}}},
         {"650", "", {{'a', "Sonatas"}, {'x', "18th century"}}},
         {"650", "", {{'a', "Duets"}}},
         {"690", "", {{'a', "LucW"}, {'n', "12"}}},
         {"691", "", {{'a', "Refardt"}, {'n', "p.29"}}},
         {"700", "", {{'a', "Sarasin, Lukas"}, {'4', "fmo"}}},
         {"852", "", {{'a', "CH-Bu"}, {'c', "kr IV 177"}}},
         {"852", "", {{'a', "CH-E"}, {'c', "Th 2"}}},
         {"856", "", {{'u', "https://example.org/1"}}},
         {"856", "", {{'u', "https://example.org/2"}}}}});
  EXPECT_THAT(ids(), ElementsAre("400006537:1.1.1", "400006537:1.2.1"));
  EXPECT_THAT(sink.skipped, IsEmpty());
  for (const Piece& piece : sink.pieces) {
    const Metadata& data = piece.metadata;
    EXPECT_EQ(data.title, "Sonatas");
    EXPECT_EQ(data.composer, "Lucchini, Ada");
    EXPECT_EQ(data.source, "Basel Imhof");
    EXPECT_EQ(data.year, "1780-1799");
    EXPECT_EQ(data.library, "CH-Bu");
    EXPECT_EQ(data.shelfmark, "kr IV 177");
    EXPECT_EQ(data.uri, "https://example.org/1");
    EXPECT_THAT(data.catalogue, ElementsAre("LucW 12", "Refardt p.29"));
    EXPECT_THAT(
        data.fields,
        ElementsAre(Pair("scoring", "vl (2)"), Pair("work_key", "E|b"), Pair("subject", "Sonatas -- 18th century"),
                    Pair("subject", "Duets"), Pair("contributor", "Sarasin, Lukas (fmo)"), Pair("holding", "CH-E Th 2"),
                    Pair("link", "https://example.org/2"), Pair("title_on_source", "Duetto | del: Sig: Lucchini"),
                    Pair("record", "400006537")));
  }
}

TEST_P(MarcRecord, TheTitleOfTheSourceStandsInWhereThereIsNoUniformOne) {
  read({{marc_test::incipit("1", "1", "1", "4C"), {"245", "", {{'a', "Airs :"}, {'b', "for the flute /"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "Airs for the flute");
}

TEST_P(MarcRecord, AComposerAmongTheFurtherNamesIsFoundByItsRelator) {
  read({{marc_test::incipit("1", "1", "1", "4C"),
         {"700", "", {{'a', "Nobody, Said"}}},
         {"700", "", {{'a', "Hasse, Johann Adolf"}, {'4', "cmp"}}},
         {"700", "", {{'a', "Metastasio"}, {'4', "lyr"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.composer, "Hasse, Johann Adolf");
  EXPECT_THAT(sink.pieces[0].metadata.fields,
              ElementsAre(Pair("contributor", "Nobody, Said"), Pair("contributor", "Metastasio (lyr)")));
}

TEST_P(MarcRecord, AllOtherSubfieldsOfTheIncipitBecomeFields) {
  read({{{"001", "7", {}},
         {"031",
          "",
          {{'a', "1"},
           {'b', "1"},
           {'c', "1"},
           {'d', "Aria"},
           {'d', "Allegro"},
           {'q', "hard to read"},
           {'r', "g"},
           {'s', "?"},
           {'t', "Rei d'impuniti eccessi"},
           {'u', "30488705"},
           {'y', "image"},
           {'z', "for all"},
           {'p', "4CDE"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_THAT(sink.pieces[0].metadata.fields,
              ElementsAre(Pair("record", "7"), Pair("heading", "Aria"), Pair("heading", "Allegro"),
                          Pair("note", "hard to read"), Pair("key", "g"), Pair("validity", "?"),
                          Pair("text", "Rei d'impuniti eccessi"), Pair("incipit_link", "30488705"),
                          Pair("link_text", "image"), Pair("public_note", "for all")));
}

TEST_P(MarcRecord, UnimarcHasItsOwnTagsAndCodes) {
  read({{{"001", "IT0001", {}},
         {"036",
          "",
          {{'a', "01"},
           {'b', "01"},
           {'c', "01"},
           {'d', "vl 1"},
           {'e', "Enea"},
           {'f', "Allegro assai"},
           {'g', "d"},
           {'m', "G-2"},
           {'n', "bB"},
           {'o', "3/4"},
           {'p', "4DEF"},
           {'q', "first violin"},
           {'r', "t"},
           {'t', "Ah crudel"},
           {'u', "https://example.org/i"},
           {'z', "ita"},
           {'2', "pe"}}},
         {"100", "", {{'a', "20050719d1780    |||y0itay50      ba"}}},
         {"200", "", {{'a', "Sinfonia"}, {'e', "a quattro"}}},
         {"210", "", {{'a', "Napoli"}, {'c', "Marescalchi"}, {'d', "1780"}}},
         {"700", "", {{'a', "Paisiello"}, {'b', "Giovanni"}, {'4', "230"}}},
         {"702", "", {{'a', "Metastasio"}, {'b', "Pietro"}, {'4', "480"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U) << (sink.skipped.empty() ? "" : sink.skipped.front().to_string());
  const Piece& piece = sink.pieces.front();
  EXPECT_EQ(piece.id, "IT0001:01.01.01");
  EXPECT_EQ(piece.metadata.title, "Sinfonia : a quattro");
  EXPECT_EQ(piece.metadata.composer, "Paisiello, Giovanni");
  EXPECT_EQ(piece.metadata.year, "1780");
  EXPECT_EQ(piece.metadata.source, "Napoli : Marescalchi");
  EXPECT_THAT(
      piece.metadata.fields,
      ElementsAre(Pair("contributor", "Metastasio, Pietro (480)"), Pair("record", "IT0001"), Pair("instrument", "vl 1"),
                  Pair("role", "Enea"), Pair("heading", "Allegro assai"), Pair("key", "d"),
                  Pair("note", "first violin"), Pair("validity", "t"), Pair("text", "Ah crudel"),
                  Pair("incipit_link", "https://example.org/i"), Pair("text_language", "ita")));
  ASSERT_EQ(piece.voices.size(), 1U);
  const Voice& voice = piece.voices.front();
  ASSERT_EQ(voice.clefs.size(), 1U);
  EXPECT_EQ(voice.clefs[0].value.to_string(), "G-2");
  ASSERT_EQ(voice.key_signatures.size(), 1U);
  EXPECT_EQ(voice.key_signatures[0].value.to_string(), "bB");
  ASSERT_EQ(voice.times.size(), 1U);
  EXPECT_EQ(voice.times[0].value.to_string(), "3/4");
}

TEST_P(MarcRecord, AStudyNumberOfMarc21IsNoIncipit) {
  read({{{"001", "1", {}}, {"036", "", {{'a', "CPS 495441"}}}, {"245", "", {{'a', "Census"}}}}});
  EXPECT_THAT(sink.pieces, IsEmpty());
  EXPECT_THAT(warnings(), ElementsAre("marc-records-without-incipit"));
}

TEST_P(MarcRecord, AnIncipitWithoutNotationIsKept) {
  read({{{"001", "5", {}}, {"031", "", {{'a', "1"}, {'b', "2"}, {'c', "1"}, {'d', "Largo"}, {'o', "c"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_THAT(sink.pieces[0].voices, IsEmpty());
  EXPECT_EQ(sink.pieces[0].metadata.field("heading"), "Largo");
  ASSERT_THAT(warnings(), ElementsAre("marc-no-notation"));
  EXPECT_EQ(sink.warnings[0].place.to_string(), "catalogue: record 5:1.2.1: 031 $p");
}

TEST_P(MarcRecord, AnotherNotationThanPlaineAndEasieIsKeptWithoutAMelody) {
  read({{{"001", "6", {}},
         {"031", "", {{'a', "01"}, {'b', "01"}, {'c', "01"}, {'p', "RE 9S(( 8)) 9(("}, {'2', "da"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_THAT(sink.pieces[0].voices, IsEmpty());
  EXPECT_EQ(sink.pieces[0].metadata.field("system"), "da");
  EXPECT_THAT(warnings(), ElementsAre("marc-notation-unknown"));
  EXPECT_THAT(sink.pieces[0].source_text, HasSubstr("$pRE 9S(( 8))"));
}

TEST_P(MarcRecord, RepeatedIncipitNumbersGetASuffix) {
  read({{{"001", "8", {}},
         marc_test::incipit("1", "1", "1", "4C"),
         marc_test::incipit("1", "1", "1", "4D"),
         marc_test::incipit("1", "1", "1", "4E")},
        {{"001", "9", {}}, marc_test::incipit("1", "1", "1", "4C")}});
  EXPECT_THAT(ids(), ElementsAre("8:1.1.1", "8:1.1.1:2", "8:1.1.1:3", "9:1.1.1"));
  EXPECT_THAT(warnings(), ElementsAre("marc-number-repeated", "marc-number-repeated"));
}

TEST_P(MarcRecord, IdsAreMadeWhereTheRecordHasNone) {
  const marc_test::Row unnumbered{"031", "", {{'g', "G-2"}, {'p', "4C"}}};
  const marc_test::Row half{"031", "", {{'b', "2"}, {'g', "G-2"}, {'p', "4C"}}};
  read({{marc_test::incipit("1", "1", "1", "4C")}, {{"001", " ocm 12 ", {}}, unnumbered, unnumbered, half}});
  EXPECT_THAT(ids(), ElementsAre("catalogue#1:1.1.1", "ocm_12:1", "ocm_12:2", "ocm_12:0.2.0"));
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_P(MarcRecord, RecordsWithoutIncipitsAreCountedOnce) {
  read({{{"001", "1", {}}}, {{"001", "2", {}}, marc_test::incipit("1", "1", "1", "4C")}, {{"001", "3", {}}}});
  EXPECT_EQ(sink.pieces.size(), 1U);
  ASSERT_THAT(warnings(), ElementsAre("marc-records-without-incipit"));
  EXPECT_THAT(sink.warnings[0].message, HasSubstr("2 of 3 records"));
}

TEST_P(MarcRecord, WhatWasEscapedTwiceIsUndoneWithAWarning) {
  read({{{"001", "1", {}},
         marc_test::incipit("1", "1", "1", "&apos;&apos;4C&amp;#39;D"),
         {"245", "", {{'a', "Trip &amp; Goodwin"}}}}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "Trip & Goodwin");
  ASSERT_EQ(sink.pieces[0].voices.size(), 1U);
  ASSERT_EQ(sink.pieces[0].voices[0].notes.size(), 2U);
  EXPECT_EQ(sink.pieces[0].voices[0].notes[0].pitch.to_string(), "C5");
  EXPECT_EQ(sink.pieces[0].voices[0].notes[1].pitch.to_string(), "D4");
  EXPECT_THAT(warnings(), ElementsAre("marc-escaped-twice", "marc-escaped-twice"));
}

TEST_P(MarcRecord, WarningsOfTheNotationNameRecordSubfieldAndColumn) {
  // An unbalanced beam is worth a warning and nothing more.
  read({{{"001", "1", {}}, marc_test::incipit("1", "1", "1", "8{CD4E")}});
  ASSERT_EQ(sink.pieces.size(), 1U);
  ASSERT_FALSE(sink.warnings.empty());
  EXPECT_EQ(sink.warnings[0].place.file, "catalogue");
  EXPECT_EQ(sink.warnings[0].place.record, "1:1.1.1");
  EXPECT_EQ(sink.warnings[0].place.field, "031 $p");
  EXPECT_GT(sink.warnings[0].place.column, 0U);
}

TEST_P(MarcRecord, TheMetadataOfOneRecordCannotGrowWithoutEnd) {
  Rows rows = {{"001", "1", {}}, marc_test::incipit("1", "1", "1", "4C")};
  for (int i = 0; i < 40; ++i) rows.push_back({"650", "", {{'a', std::string(2000, 'x')}}});
  read({rows});
  ASSERT_EQ(sink.pieces.size(), 1U);
  std::size_t bytes = 0;
  for (const auto& [name, value] : sink.pieces[0].metadata.fields) bytes += value.size();
  EXPECT_LE(bytes, 16384U);
  EXPECT_THAT(warnings(), ElementsAre("marc-metadata-cut"));
}

TEST_P(MarcRecord, TheSinkMayStop) {
  class OneOnly final : public PieceSink {
   public:
    bool piece(Piece&& /*piece*/) override { return ++pieces < 1; }
    void warn(Diagnostic /*warning*/) override {}
    bool skip(Diagnostic /*why*/) override { return true; }
    int pieces = 0;
  };
  OneOnly one;
  const std::string text = file({{marc_test::incipit("1", "1", "1", "4C"), marc_test::incipit("1", "1", "2", "4C")},
                                 {marc_test::incipit("1", "1", "1", "4C")}});
  MemorySource source(text);
  EXPECT_TRUE(find_format(GetParam())->read(source, {}, one));
  EXPECT_EQ(one.pieces, 1);
}

TEST_P(MarcRecord, IsRecognisedByContent) {
  const std::string text = file({{{"001", "1", {}}, marc_test::incipit("1", "1", "1", "4C")}});
  ASSERT_NE(recognise(text), nullptr);
  EXPECT_EQ(recognise(text)->name, GetParam());
}

}  // namespace rondo::marc_record_test
