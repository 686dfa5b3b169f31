#include "server/query.h"

#include <gmock/gmock.h>

#include "server/facets.h"
#include "server/hit_view.h"
#include "support/lines.h"

namespace rondo::server {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Centuries, AreReadFromYears) {
  EXPECT_EQ(century_of("1782"), "18");
  EXPECT_EQ(century_of("ca. 1750-1760"), "18");
  EXPECT_EQ(century_of("1800"), "19") << "as one counts by the first digits";
  EXPECT_EQ(century_of("17.."), "18");
  EXPECT_EQ(century_of("18th century"), "18");
  EXPECT_EQ(century_of("12. 3. 1799"), "18");
  EXPECT_EQ(century_of(""), "");
  EXPECT_EQ(century_of("n.d."), "");
  EXPECT_EQ(century_of("99999999999999999999"), "");
}

TEST(Typed, MelodiesAreShownWithWhatTheyWereReadAs) {
  const auto shown = [](std::string_view text) {
    auto query = read_query_text(text);
    if (!query) return query.error().code;
    const Json json = query_json(*query);
    return json["format"].get<std::string>() + " " + json["read"]["kind"].get<std::string>() + ": " +
           json["pae"].get<std::string>();
  };
  EXPECT_THAT(shown("'4CDE"), testing::StartsWith("pae pae: "));
  EXPECT_THAT(shown("  X:1\nK:G\nGAB\n"), testing::StartsWith("abc document: "));
  EXPECT_THAT(shown("**kern\n4c\n4d\n4e\n*-\n"), testing::StartsWith("kern document: "));
  EXPECT_THAT(shown("C4 D4 Eb4"), testing::StartsWith("note-names note-names: "));
  EXPECT_EQ(shown(""), "query-empty");
  EXPECT_EQ(shown("4-/8--"), "query-empty");
}

TEST(Uploads, AreReadWhateverTheyAre) {
  EXPECT_TRUE(read_query_bytes("X:1\nK:C\nCDE\n"));
  EXPECT_TRUE(read_query_bytes("CDEFG")) << "notes alone";
  EXPECT_EQ(read_query_bytes("").error().code, "query-empty");
  EXPECT_EQ(read_query_bytes(std::string_view("\0\1\2", 3)).error().code, "format-unknown");
}

TEST(HitViewCache, ShowTheBeginningOfLongVoices) {
  std::string text;
  for (int i = 0; i < 600; ++i) text += i % 2 == 0 ? "C4 1/4 " : "D4 1/4 ";
  const Voice whole = voice_of(text);
  const Voice voice = beginning_of(whole, kShownNotes);
  EXPECT_EQ(voice.notes.size(), kShownNotes);
  EXPECT_EQ(voice.length, Fraction(static_cast<std::int64_t>(kShownNotes), 4));
  EXPECT_EQ(beginning_of(voice_of("C4 1/4"), kShownNotes).notes.size(), 1U);
  EXPECT_THAT(engraving_json(voice_of("C4 1/4 D4 1/4")).get<std::string>(), HasSubstr("xml:id=\"n1\""));
  EXPECT_THAT(notes_json(Voice{}), IsEmpty());
  Voice third = voice_of("C4 1/3 D#4 1/12 D4 1/4");
  third.notes[1].grace = true;
  EXPECT_EQ(notes_text(third), json_text(notes_json(third)));
  EXPECT_THAT(notes_text(third), testing::StartsWith(R"([{"onset":0.0,"duration":0.3333333333333333,"midi":60,)"));
}

}  // namespace
}  // namespace rondo::server
