#include "search/matched_notes.h"

#include <gmock/gmock.h>

#include "support/any_voice.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using testing::ElementsAre;

TEST(Sources, AreTheNotesThatALineIsMadeFrom) {
  std::mt19937 random(7);
  std::size_t notes = 0;
  for (int i = 0; i < test::rounds(2000); ++i) {
    const Voice voice = test::any_voice(random);
    LineOptions options;
    options.graces = i % 2 != 0;
    options.ignore_repeated = i % 4 >= 2;
    options.opening = i % 8 >= 4 ? 5 : 0;
    const Line line = make_line(voice, options);
    const auto sources = line_sources(voice, options);
    ASSERT_EQ(sources.size(), line.size()) << i;
    for (std::size_t n = 0; n < line.size(); ++n) {
      ASSERT_EQ(voice.notes[sources[n].front()].pitch.midi(), line.pitch[n]) << i;
      ASSERT_EQ(to_ticks(voice.notes[sources[n].front()].onset, line.ticks_per_whole), line.onset[n]) << i;
    }
    notes += line.size();
  }
  EXPECT_GT(notes, test::rounds(10'000U));
}

TEST(Sources, OfRepeatedNotesAreAllOfThem) {
  const Voice voice = voice_of("C4 1/4 C4 1/4 D4 1/4 C4 1/4");
  LineOptions options;
  options.ignore_repeated = true;
  EXPECT_THAT(line_sources(voice, options), ElementsAre(ElementsAre(0U, 1U), ElementsAre(2U), ElementsAre(3U)));
}

TEST(Matches, AreNotesOfTheVoicesAndOnlyThoseAlike) {
  const Voice query = voice_of("C4 1/4 C4 1/4 D4 1/4");
  const Voice document = voice_of("E4 1/4 C4 1/4 D4 1/4");
  LineOptions merged;
  merged.ignore_repeated = true;
  Explanation why;
  why.steps = {{Step::Kind::mismatch, {0, 0}, {0, 1}, 0},
               {Step::Kind::match, {0, 1}, {1, 2}, 1},
               {Step::Kind::match, {0, 2}, {1, 3}, 1},
               {Step::Kind::match, {5, 900}, {7, 800}, 1}};
  const MatchedNotes matched = matched_notes(why, query, merged, document, {});
  EXPECT_THAT(matched.query, ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(matched.document, ElementsAre(1U, 2U));
}

}  // namespace
}  // namespace rondo
