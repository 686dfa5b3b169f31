#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marc_support.h"
#include "melody/limits.h"
#include "support/collected.h"
#include "support/data.h"

namespace rondo::marc_xml_test {

using marc_test::incipit;
using marc_test::xml_file;
using marc_test::xml_record;
using test::codes;
using test::ids;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string record(const std::string& id) { return xml_record({{"001", id, {}}, incipit("1", "1", "1", "4CDE")}); }

/// Gives its bytes in small portions, as a pipe does.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t step) : inner_(bytes), step_(step) {}
  Result<std::size_t> read(std::span<char> into) override {
    return inner_.read(into.first(std::min(step_, into.size())));
  }

 private:
  MemorySource inner_;
  std::size_t step_;
};

TEST(Marcxml, AnyNamespacePrefixAndEitherQuoteWillDo) {
  CollectingSink sink;
  read_text("marcxml",
            "<?xml version='1.0'?><marc:collection xmlns:marc='http://www.loc.gov/MARC21/slim'>"
            "<marc:record\n type = 'Bibliographic' ><marc:leader/>"
            "<marc:controlfield tag='001'>12</marc:controlfield >"
            "<marc:datafield tag = \"031\" ind1='>' ind2=\"'\"><marc:subfield code='p'>4C</marc:subfield>"
            "<marc:subfield code=\"t\">a \"b\" 'c'</marc:subfield></marc:datafield></marc:record></marc:collection>",
            sink);
  EXPECT_THAT(sink.skipped, IsEmpty());
  ASSERT_THAT(ids(sink), ElementsAre("12:1"));
  EXPECT_EQ(sink.pieces[0].metadata.field("text"), "a \"b\" 'c'");
}

TEST(Marcxml, EntitiesCdataCommentsAndForeignElementsAreText) {
  CollectingSink sink;
  read_text("marcxml",
            "<!DOCTYPE collection><collection><!-- <record> is not one --><record>"
            "<controlfield tag=\"&#48;01\">1&#50;<!-- no -->3</controlfield>"
            "<datafield tag=\"031\"><subfield code=\"&#112;\"><![CDATA[4C<D>]]></subfield>"
            "<subfield code=\"t\">Gr&#xFC;&#223;e &lt;an&gt; <i class='>'>M</i>&#x1D11E; &amp; &unknown; A<?x y?>B"
            "</subfield></datafield><extra><deeper>031</deeper></extra></record></collection>",
            sink);
  EXPECT_THAT(sink.skipped, IsEmpty());
  ASSERT_THAT(ids(sink), ElementsAre("123:1"));
  EXPECT_EQ(sink.pieces[0].metadata.field("text"), "Grüße <an> M𝄞 & &unknown; AB");
  EXPECT_THAT(sink.pieces[0].source_text, HasSubstr("$p4C<D>"));
}

TEST(Marcxml, LinesInsideATextAreSpaces) {
  CollectingSink sink;
  read_text("marcxml",
            "<record><datafield tag=\"031\"><subfield code=\"t\">\n    Ah\r\n    crudel  dolor\n  </subfield>"
            "</datafield></record>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.field("text"), "Ah crudel  dolor");
}

TEST(Marcxml, TheRecordInsideTheWrappingOfAProtocolIsRead) {
  const std::string inner = record("1");
  CollectingSink sink;
  read_text("marcxml",
            "<OAI-PMH><ListRecords><record><header><identifier>x</identifier></header><metadata>" + inner +
                "</metadata></record><record><header status=\"deleted\"/></record><srw:record><srw:recordData>" +
                record("2") + "</srw:recordData></srw:record></ListRecords></OAI-PMH>",
            sink);
  EXPECT_THAT(sink.skipped, IsEmpty());
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
}

TEST(Marcxml, ABrokenRecordCostsItselfOnly) {
  for (const char* broken : {
           "<record><leader></record>",
           "<record><controlfield tag=\"001>9</controlfield></record>",
           "<record><controlfield tag>9</controlfield></record>",
           "<record><controlfield tag=001>9</controlfield></record>",
           "<record><datafield tag=\"031\"><subfield code=\"p\">4C < 4D</subfield></datafield></record>",
           "<record><datafield tag=\"031\"><subfield code=\"p\">4C</datafield></record>",
           "<record><leader>x</leader>",
           "<record><leader>x</leader><!ELEMENT x></record>",
           "<record><leader/ x></record>",
       }) {
    CollectingSink sink;
    read_text("marcxml", xml_file(record("1") + broken + "\n" + record("2")), sink);
    EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1")) << broken;
    ASSERT_THAT(codes(sink.skipped), ElementsAre("marcxml-malformed")) << broken;
    // Two lines before the first record, which has thirteen; one case is noticed only at the next record's tag.
    EXPECT_GE(sink.skipped[0].place.line, 16U) << broken;
    EXPECT_LE(sink.skipped[0].place.line, 17U) << broken;
    EXPECT_EQ(sink.skipped[0].place.record, "test#2");
  }
}

TEST(Marcxml, AFileThatEndsTooEarlyLosesTheLastRecord) {
  const std::string whole = xml_file(record("1") + record("2"));
  const std::size_t second = whole.find("<record>", whole.find("</record>"));
  for (std::size_t cut = second + 8; cut < whole.find("</record>", second) + 8; cut += 3) {
    CollectingSink sink;
    read_text("marcxml", std::string_view(whole).substr(0, cut), sink);
    EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1")) << cut;
    EXPECT_THAT(codes(sink.skipped), ElementsAre("marcxml-truncated")) << cut;
  }
}

TEST(Marcxml, ReadsTheSameHoweverSmallThePortions) {
  std::string records;
  for (int i = 0; i < 50; ++i) records += record(std::to_string(i)) + "<!-- between -->";
  const std::string whole = xml_file(records);
  for (const std::size_t step : {1U, 7U, 1000U}) {
    CollectingSink sink;
    Trickle source(whole, step);
    EXPECT_TRUE(find_format("marcxml")->read(source, {}, sink));
    EXPECT_EQ(sink.pieces.size(), 50U);
    EXPECT_THAT(sink.skipped, IsEmpty());
  }
}

TEST(Marcxml, ARecordBeyondTheLimitIsSkipped) {
  std::string large = "<record><controlfield tag=\"001\">big</controlfield>";
  large += "<datafield tag=\"500\"><subfield code=\"a\">" + std::string(limits::kRecordBytes, 'x');
  large += "</subfield></datafield></record>";
  CollectingSink sink;
  read_text("marcxml", xml_file(record("1") + large + record("2")), sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(codes(sink.skipped), ElementsAre("record-too-large"));
}

TEST(Marcxml, TooManyIncipitsInOneRecordAreCutOff) {
  marc_test::Rows rows = {{"001", "1", {}}};
  for (int i = 0; i < 10001; ++i) rows.push_back({"031", "", {{'d', "x"}}});
  CollectingSink sink;
  read_text("marcxml", xml_file(xml_record(rows) + record("2")), sink);
  EXPECT_EQ(sink.pieces.size(), 10001U);
  EXPECT_THAT(codes(sink.skipped), ElementsAre("marc-too-many-incipits"));
}

TEST(Marcxml, ACommentThatIsNeverClosedDoesNotSwallowTheNextRecords) {
  CollectingSink sink;
  read_text("marcxml", xml_file(record("1") + "<record><!-- <leader/></record>" + record("2")), sink);
  EXPECT_THAT(ids(sink), ElementsAre("1:1.1.1", "2:1.1.1"));
  EXPECT_THAT(codes(sink.skipped), ElementsAre("marcxml-truncated"));
}

TEST(Marcxml, ManyCommentsThatAreNeverClosedTakeLinearTime) {
  std::string hostile;
  for (int i = 0; i < 300000; ++i) hostile += "<record><!-- <leader/></record>";
  CollectingSink sink;
  read_text("marcxml", hostile, sink);
  EXPECT_LE(sink.skipped.size(), 40U);
}

TEST(Marcxml, Latin1AndUtf16BecomeUtf8) {
  const std::string latin1 =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><record><datafield tag=\"031\"><subfield code=\"t\">"
      "M\xFCller \x93zu\x94</subfield></datafield></record>";
  CollectingSink sink;
  read_text("marcxml", latin1, sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.field("text"), "Müller “zu”");

  const std::u16string wide =
      u"\uFEFF<?xml version=\"1.0\" encoding=\"UTF-16\"?><record><datafield tag=\"031\"><subfield code=\"t\">"
      u"Müller 𝄞</subfield></datafield></record>";
  std::string bytes;
  for (const char16_t c : wide) bytes += {static_cast<char>(c & 0xFF), static_cast<char>(c >> 8)};
  EXPECT_EQ(recognise(bytes)->name, "marcxml");
  for (const std::size_t step : {1U, 3U, 4096U}) {
    CollectingSink second;
    Trickle source(bytes, step);
    EXPECT_TRUE(find_format("marcxml")->read(source, {}, second));
    ASSERT_EQ(second.pieces.size(), 1U);
    EXPECT_EQ(second.pieces[0].metadata.field("text"), "Müller 𝄞");
  }
}

TEST(Marcxml, AnEncodingThatIsNotReadIsAnError) {
  CollectingSink sink;
  read_text("marcxml", "<?xml version=\"1.0\" encoding=\"EBCDIC-US\"?><record></record>", sink);
  EXPECT_THAT(codes(sink.skipped), ElementsAre("xml-encoding-unknown"));
}

TEST(Marcxml, BytesThatAreNotUtf8AreReplacedWithAWarning) {
  CollectingSink sink;
  read_text("marcxml",
            "<record><datafield tag=\"031\"><subfield code=\"g\">G-2</subfield><subfield code=\"p\">4C</subfield>"
            "<subfield code=\"t\">M\xFCller Öl</subfield></datafield></record>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.field("text"), "M\xEF\xBF\xBDller Öl");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("marcxml-bad-utf8"));
}

TEST(Marcxml, HostileInputGivesErrorsAndNothingElse) {
  std::string deep = "<record>";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  const std::string nul("<record>\0<\0/record>", 18);
  for (const std::string& text : {std::string(), std::string("<"), std::string("<record"), std::string("<record>"),
                                  std::string("<record><"), std::string("<!--"), std::string("<![CDATA["), nul, deep,
                                  std::string("no xml at all"), std::string("</record>"), std::string("<record/>")}) {
    CollectingSink sink;
    read_text("marcxml", text, sink);
    EXPECT_THAT(sink.pieces, IsEmpty());
    for (const Diagnostic& why : sink.skipped) EXPECT_NE(why.code, "");
  }
  CollectingSink sink;
  read_text("marcxml", "<collection></collection>", sink);
  EXPECT_THAT(codes(sink.skipped), ElementsAre("marcxml-no-records"));
}

TEST(Marcxml, OtherXmlIsNotTakenForIt) {
  EXPECT_EQ(find_format("marcxml")->recognise("<?xml version=\"1.0\"?><score-partwise version=\"4.0\"/>"), 0);
  EXPECT_EQ(find_format("marcxml")->recognise("<?xml version=\"1.0\"?><mei xmlns=\"http://www.music-encoding.org\"/>"),
            0);
  EXPECT_EQ(find_format("marcxml")->recognise(""), 0);
}

}  // namespace rondo::marc_xml_test
