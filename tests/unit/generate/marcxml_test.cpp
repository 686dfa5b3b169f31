#include "generate/marcxml.h"

#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "generate/generate.h"

namespace rondo {
namespace {

std::string subfield(const pugi::xml_node& record, const char* tag, const char* code) {
  return record.find_child_by_attribute("datafield", "tag", tag)
      .find_child_by_attribute("subfield", "code", code)
      .text()
      .get();
}

TEST(GenerateMarcxml, AFileOfRecordsIsWellFormedAndHoldsThePieces) {
  const Generator generator(1);
  std::string text(marcxml_header());
  for (std::uint64_t i = 0; i < 200; ++i) append_marcxml_record(text, generator.piece(i));
  text += marcxml_footer();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  std::uint64_t number = 0;
  for (const pugi::xml_node record : document.child("collection").children("record")) {
    const Piece piece = generator.piece(number++);
    const std::string id = record.find_child_by_attribute("controlfield", "tag", "001").text().get() +
                           std::string(":") + subfield(record, "031", "a") + "." + subfield(record, "031", "b") + "." +
                           subfield(record, "031", "c");
    EXPECT_EQ(id, piece.id);
    EXPECT_EQ(subfield(record, "100", "a"), piece.metadata.composer);
    EXPECT_EQ(subfield(record, "240", "a"), piece.metadata.title);
    EXPECT_EQ(subfield(record, "260", "c"), piece.metadata.year);
    EXPECT_EQ(subfield(record, "852", "a"), piece.metadata.library);
    EXPECT_EQ(subfield(record, "852", "c"), piece.metadata.shelfmark);
    EXPECT_EQ(subfield(record, "031", "2"), "pe");
    EXPECT_THAT(piece.source_text, testing::HasSubstr("@data:" + subfield(record, "031", "p") + "\n"));
    EXPECT_THAT(piece.source_text, testing::HasSubstr("@timesig:" + subfield(record, "031", "o") + "\n"));
  }
  EXPECT_EQ(number, 200U);
}

TEST(GenerateMarcxml, MarkupInMetadataIsEscaped) {
  Piece piece;
  piece.id = "1";
  piece.metadata.title = "Sturm & <Drang>";
  EXPECT_THAT(marcxml_record(piece), testing::HasSubstr("Sturm &amp; &lt;Drang&gt;"));
}

TEST(GenerateMarcxml, APieceWithoutNotationHasNoIncipit) {
  Piece piece;
  piece.id = "1";
  EXPECT_THAT(marcxml_record(piece), testing::Not(testing::HasSubstr("031")));
}

}  // namespace
}  // namespace rondo
