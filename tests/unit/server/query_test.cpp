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

TEST(Typed, MelodiesAreReadInEveryNotation) {
  const auto names = [](std::string_view text) {
    auto query = read_typed(text);
    if (!query) return query.error().code;
    std::string out = query->format + ":";
    for (const Note& note : query->piece.voices.front().notes) out += " " + note.pitch.to_string();
    return out;
  };
  EXPECT_EQ(names("'4CDE"), "pae: C4 D4 E4");
  EXPECT_EQ(names("  X:1\nK:G\nGAB\n"), "abc: G4 A4 B4");
  EXPECT_EQ(names("**kern\n4c\n4d\n4e\n*-\n"), "kern: C4 D4 E4");
  EXPECT_EQ(names(""), "pae-no-notation");
  EXPECT_EQ(names("4-/8--"), "query-empty");
}

TEST(Typed, RemarksPointIntoTheWholeText) {
  const auto query = read_typed("\n ä\n");
  ASSERT_FALSE(query);
  const auto odd = read_typed("  CDE*FG");
  ASSERT_TRUE(odd);
  ASSERT_EQ(odd->remarks.size(), 1U);
  EXPECT_EQ(odd->remarks[0].place.column, 6U);
}

TEST(Uploads, AreReadWhateverTheyAre) {
  EXPECT_TRUE(read_upload("X:1\nK:C\nCDE\n"));
  EXPECT_TRUE(read_upload("CDEFG")) << "notes alone";
  EXPECT_EQ(read_upload("").error().code, "query-empty");
  EXPECT_EQ(read_upload(std::string_view("\0\1\2", 3)).error().code, "format-unknown");
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
}

}  // namespace
}  // namespace rondo::server
