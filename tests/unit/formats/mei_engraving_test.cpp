#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "formats/pae.h"
#include "formats/readers.h"
#include "support/any_voice.h"
#include "support/rounds.h"

namespace mei_engraving_test {

rondo::Voice voice_of(std::string_view pae) {
  rondo::Diagnostics warnings;
  return rondo::parse_pae_query(pae, warnings).value();
}

/// The notes of each layer by their ids, those under one beam in brackets.
std::string beams(const rondo::Voice& voice) {
  const std::string text = rondo::write_engraving(voice).value();
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(text.c_str()));
  std::string out;
  const auto note = [&](pugi::xml_node node) {
    for (const auto& found : node.select_nodes("descendant-or-self::note")) {
      out += std::string(found.node().attribute("xml:id").value()) + " ";
    }
  };
  for (const auto& layer : document.select_nodes("//layer")) {
    for (const pugi::xml_node node : layer.node().children()) {
      const bool beamed = node.name() == std::string_view("beam");
      if (beamed) out += "[ ";
      note(node);
      if (beamed) out += "] ";
    }
    out += "| ";
  }
  return out;
}

TEST(MeiEngraving, NumbersNotesAndWhatIsTiedToThem) {
  // A half note over a bar line is written as two quarters that are tied.
  rondo::Voice voice = voice_of("%G-2@2/4 '4CD+/DE/");
  EXPECT_EQ(beams(voice), "n0 n1 | n1-2 n2 | ");
}

TEST(MeiEngraving, BeamsByTheBeat) {
  EXPECT_EQ(beams(voice_of("%G-2@2/4 '8CDEF/8C6DE4F/")), "[ n0 n1 ] [ n2 n3 ] | [ n4 n5 n6 ] n7 | ");
  EXPECT_EQ(beams(voice_of("%G-2@6/8 '8CDEFGA/4C8DEFG/")), "[ n0 n1 n2 ] [ n3 n4 n5 ] | n6 n7 [ n8 n9 n10 ] | ");
  EXPECT_EQ(beams(voice_of("%G-2@2/4 '8C-DE/")), "n0 [ n1 n2 ] | ") << "no beam over a rest";
}

TEST(MeiEngraving, HasAClefThatFitsWhereNoneIsWritten) {
  EXPECT_THAT(rondo::write_engraving(voice_of("'CDE")).value(), testing::HasSubstr(R"(<clef shape="G" line="2"/>)"));
  EXPECT_THAT(rondo::write_engraving(voice_of(",CDE")).value(), testing::HasSubstr(R"(<clef shape="F" line="4"/>)"));
  EXPECT_THAT(rondo::write_engraving(voice_of("%C-1 ,CDE")).value(),
              testing::HasSubstr(R"(<clef shape="C" line="1"/>)"));
}

TEST(MeiEngraving, LeavesTheNotesAsTheyAre) {
  std::mt19937 random(11);
  int written = 0;
  for (int i = 0; i < rondo::test::rounds(300); ++i) {
    const rondo::Voice voice = rondo::test::any_voice(random);
    const auto text = rondo::write_engraving(voice);
    if (!text) continue;
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(text->c_str())) << i;
    std::set<std::string> ids;
    std::size_t first_parts = 0;
    for (const auto& note : document.select_nodes("//note")) {
      const std::string id = note.node().attribute("xml:id").value();
      EXPECT_TRUE(ids.insert(id).second) << id << " twice";
      if (id.find('-') == std::string::npos) ++first_parts;
    }
    EXPECT_EQ(first_parts, voice.notes.size()) << i;
    ++written;
  }
  EXPECT_GT(written, rondo::test::rounds(200));
}

}  // namespace mei_engraving_test
