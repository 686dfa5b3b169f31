#include "query/fit.h"

#include <gmock/gmock.h>

#include "rondo/similarity/system.h"
#include "support/lines.h"

namespace query_fit_test {

using namespace rondo;

Result<QueryFit> fit(std::string_view text, std::optional<std::string> named = {}, std::optional<bool> anchored = {}) {
  auto reading = read_query_text(text);
  if (!reading) return fail(reading.error());
  return fit_system(*reading, named, anchored);
}

std::string code_of(const Result<QueryFit>& result) {
  if (!result) return result.error().code;
  return result->warnings.empty() ? "" : result->warnings.front().code;
}

TEST(QueryFit, NotesAreLookedForByTheStandardSystem) {
  const auto notes = fit("C4 D4 E4");
  ASSERT_TRUE(notes);
  EXPECT_EQ(notes->system, kDefaultSystem);
  EXPECT_FALSE(notes->anchored);
  EXPECT_EQ(code_of(notes), "") << "it compares without rhythm where there is none";
}

TEST(QueryFit, AContourIsComparedByContourWithBeginnings) {
  const auto contour = fit("*UDDR");
  ASSERT_TRUE(contour);
  EXPECT_EQ(contour->system, "contour");
  EXPECT_TRUE(contour->anchored);
  EXPECT_EQ(code_of(contour), "query-system");
  EXPECT_FALSE(fit("*UDDR", {}, false)->anchored) << "what was asked for counts";
  EXPECT_EQ(code_of(fit("*UDDR", "contour")), "");
  EXPECT_EQ(code_of(fit("*UDDR", "rondo")), "query-contour-system");
}

TEST(QueryFit, UnknownNotesAreLookedForByPatterns) {
  EXPECT_EQ(fit("C4 ? E4")->system, "pattern");
  EXPECT_EQ(code_of(fit("C4 ? E4")), "query-system") << "it is said";
  EXPECT_EQ(code_of(fit("C4 ? E4", "pattern")), "");
  EXPECT_EQ(fit("*UD?U")->system, "pattern-contour");
  EXPECT_FALSE(fit("*UD?U")->anchored);
  EXPECT_TRUE(fit("*UD?U", {}, true)->anchored);
  EXPECT_EQ(fit("*UDU", "pattern-contour")->system, "pattern-contour");
}

TEST(QueryFit, SystemsThatCompareOneThingHaveAPatternForUnknownNotes) {
  EXPECT_EQ(fit("*UD?U", "contour")->system, "pattern-contour");
  EXPECT_EQ(fit("C4 ? E4", "contour")->system, "pattern-contour");
  EXPECT_EQ(fit("'4C?8DE", "rhythm")->system, "pattern-rhythm");
  EXPECT_EQ(fit("C4 ? E4", "2010-domain")->system, "pattern");
  EXPECT_EQ(code_of(fit("C4 ? E4", "contour")), "query-system");
  EXPECT_EQ(code_of(fit("C4 ? E4", "rhythm")), "query-rhythm-missing");
}

TEST(QueryFit, OtherSystemsRefuseUnknownNotes) {
  EXPECT_EQ(code_of(fit("C4 ? E4", "rondo")), "query-wildcards");
  EXPECT_EQ(code_of(fit("C4 ? E4", "P1")), "query-wildcards");
  EXPECT_EQ(code_of(fit("C4 ? E4", "rrf:pattern+P3")), "query-wildcards") << "nor does a mixture take them";
  EXPECT_EQ(code_of(fit("*UD?U", "pattern")), "query-contour-system");
  EXPECT_EQ(code_of(fit("C4 ... E4", {}, true)), "query-wildcards") << "beginnings have so many notes";
}

TEST(QueryFit, ASystemThatNeedsRhythmIsNotAskedWithout) {
  EXPECT_EQ(code_of(fit("C4 D4 E4", "rhythm")), "query-rhythm-missing");
  EXPECT_FALSE(fit("C4 D4 E4", "rhythm"));
  EXPECT_FALSE(fit("C4 D4 E4", "rrf:shapeh+rhythm")) << "nor is one of its parts";
  EXPECT_TRUE(fit("C4 D4 E4", "P3"));
  EXPECT_EQ(code_of(fit("C4 D4 E4", "P3")), "query-rhythm-missing") << "a warning";
  EXPECT_EQ(code_of(fit("'4C8DE", "rhythm")), "");
  EXPECT_EQ(code_of(fit("C4 D4 E4", "contour")), "");
}

/// Held against the scores of melodies with the same pitches and other lengths.
TEST(QueryFit, SystemsThatIgnoreRhythmAreKnown) {
  const Line query = make_line(voice_of("C4 1/4 D4 1/8 E4 1/8 C4 1/2 G4 1/4 E4 1/8 F4 1/8 D4 1/4 C4 1/2"));
  const std::vector<std::pair<Line, Line>> pairs = {
      {query, make_line(voice_of("C4 1/2 D4 1/4 E4 1/16 C4 1/8 G4 1/2 E4 1/2 F4 1/16 D4 1/8 C4 1/4"))},
      {make_line(voice_of("C4 1/4 D4 1/8 E4 1/8 C4 1/2 A4 1/4 E4 1/8 F4 1/8 D4 1/4 C4 1/2")),
       make_line(voice_of("C4 1/2 D4 1/4 E4 1/16 C4 1/8 A4 1/2 E4 1/2 F4 1/16 D4 1/8 C4 1/4"))}};
  for (const SystemRow* row : systems()) {
    const auto chosen = resolve_system(row->name);
    ASSERT_TRUE(chosen);
    if (chosen->system->mixture() != nullptr) continue;
    bool same = true;
    for (const auto& [one, other] : pairs) {
      chosen->system->learn(one);
      chosen->system->learn(other);
    }
    const auto prepared = chosen->system->prepare(query);
    for (const auto& [one, other] : pairs) {
      same = same && prepared->explain(one).score == prepared->explain(other).score;
    }
    EXPECT_EQ(same, ignores_rhythm(*row)) << row->name;
  }
}

}  // namespace query_fit_test
