#include "similarity/pattern.h"

#include <gmock/gmock.h>

#include <random>

#include "support/lines.h"
#include "support/rounds.h"

namespace pattern_test {

using namespace rondo;
using testing::ElementsAre;
using testing::IsEmpty;
using Compared = PatternPlan::Compared;

Line with_unknown(Line line, std::vector<UnknownNotes> unknown) {
  line.unknown = std::move(unknown);
  return line;
}

std::vector<std::uint32_t> places(const Line& query, const Line& document, Compared compared = Compared::intervals) {
  std::vector<std::int64_t> values;
  Pattern::values_of(document, compared, values);
  return Pattern(query, compared).find(values);
}

TEST(Pattern, OccursAnywhereInAnyTranspositionAndRhythm) {
  const Line query = quarters("C4 D4 E4 C4");  // +2 +2 -4
  EXPECT_EQ(score_of("pattern", query, query).value, 1);
  // A4 then G A B G: the same intervals from the second note on.
  const Line later = line_of("A4 1/2 G4 1/8 A4 1/8 B4 1/4 G4 1/1");
  EXPECT_EQ(score_of("pattern", query, later).value, 1);
  EXPECT_THAT(places(query, later), ElementsAre(1, 2, 3, 4));
  // +2 +1 -3: a minor third.
  EXPECT_EQ(score_of("pattern", query, quarters("A4 B4 C5 A4")).value, 0);
  // A note between.
  EXPECT_EQ(score_of("pattern", query, quarters("C4 D4 D4 E4 C4")).value, 0);
  EXPECT_FALSE(score_of("pattern", query, quarters("C4")).comparable);
}

TEST(Pattern, OneUnknownNoteIsAnyNoteAndExactlyOne) {
  const Line query = with_unknown(quarters("C4 E4 C4"), {{1, 1, false}});  // C ? E C
  EXPECT_THAT(places(query, quarters("C4 D4 E4 C4")), ElementsAre(0, 2, 3));
  EXPECT_THAT(places(query, quarters("C4 B5 E4 C4")), ElementsAre(0, 2, 3));
  EXPECT_THAT(places(query, quarters("C4 E4 C4")), IsEmpty()) << "none is missing";
  EXPECT_THAT(places(query, quarters("C4 D4 D4 E4 C4")), IsEmpty()) << "two are too many";
  EXPECT_THAT(places(query, quarters("C4 D4 F4 C4")), IsEmpty()) << "behind it, a fourth is no third";
}

TEST(Pattern, SomeUnknownNotesAreAnyNumberAlsoNone) {
  const Line query = with_unknown(quarters("C4 D4 G4 A4"), {{2, 0, true}});  // C D ... G A
  EXPECT_THAT(places(query, quarters("C4 D4 G4 A4")), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(places(query, quarters("C4 D4 E4 F4 G4 A4")), ElementsAre(0, 1, 4, 5));
  // F G and C5 D5 are seconds too, but a fifth above the first two are only G A.
  EXPECT_THAT(places(query, quarters("C4 D4 F4 G4 C5 D5")), ElementsAre(2, 3, 4, 5)) << "F G ... C D, transposed";
  EXPECT_THAT(places(query, quarters("C4 D4 E4 F#4 C5 D5")), IsEmpty());
  const Line two_or_more = with_unknown(query, {{2, 2, true}});
  EXPECT_THAT(places(two_or_more, quarters("C4 D4 E4 G4 A4")), IsEmpty());
  EXPECT_THAT(places(two_or_more, quarters("C4 D4 E4 F4 G4 A4")), ElementsAre(0, 1, 4, 5));
}

TEST(Pattern, UnknownNotesAtTheEndsMustBeThere) {
  const Line query = with_unknown(quarters("C4 E4"), {{0, 1, false}, {2, 2, false}});  // ? C E ? ?
  EXPECT_THAT(places(query, quarters("C4 E4 C4 C4")), IsEmpty()) << "nothing before it";
  EXPECT_THAT(places(query, quarters("A4 C4 E4 C4")), IsEmpty()) << "one behind it";
  EXPECT_THAT(places(query, quarters("A4 C4 E4 C4 C4")), ElementsAre(1, 2));
}

TEST(PatternContour, ComparesDirectionsAlsoAcrossUnknownNotes) {
  const Line query = quarters("C4 D4 D4 C4");  // U R D
  EXPECT_EQ(score_of("pattern-contour", query, quarters("C4 B5 B5 C3")).value, 1);
  EXPECT_EQ(score_of("pattern-contour", query, quarters("C4 B5 B5 B5")).value, 0);
  const Line joined = with_unknown(quarters("C4 D4 C4"), {{1, 1, false}});  // C ? D C: D above C
  EXPECT_THAT(places(joined, quarters("C4 A3 E4 C4"), Compared::contour), ElementsAre(0, 2, 3));
  EXPECT_THAT(places(joined, quarters("C4 E4 B3 A3"), Compared::contour), IsEmpty());
  const Line steps = with_unknown(quarters("C4 D4 D4 C4"), {{2, 0, false, false}});  // U ? D, as a Parsons code has it
  EXPECT_THAT(places(steps, quarters("C4 E4 B3 A3"), Compared::contour), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(places(steps, quarters("C4 E4 E4 F4"), Compared::contour), IsEmpty());
}

TEST(PatternRhythm, ComparesRatiosOfLengths) {
  const Line query = line_of("C4 1/4 C4 1/8 C4 1/8 C4 1/2");  // 2 : 1 : 1 : 4
  EXPECT_EQ(score_of("pattern-rhythm", query, line_of("A4 1/2 B4 1/4 G4 1/4 A4 1/1")).value, 1) << "twice as slow";
  EXPECT_EQ(score_of("pattern-rhythm", query, line_of("A4 1/4 B4 1/8 G4 1/8 A4 3/8")).value, 0);
  // 3/8 1/8 after an unknown note: the ratio of the notes on both sides counts.
  const Line open = with_unknown(line_of("C4 3/8 C4 1/8"), {{1, 1, false}});
  EXPECT_THAT(places(open, line_of("C4 3/4 C4 1/16 C4 1/4"), Compared::rhythm), ElementsAre(0, 2));
  EXPECT_THAT(places(open, line_of("C4 3/4 C4 1/4 C4 1/2"), Compared::rhythm), IsEmpty());
}

TEST(Pattern, ExplainsWhichNotesAreWhere) {
  const Line query = with_unknown(quarters("C4 E4 C4"), {{1, 0, true}});  // C ... E C
  const Line document = quarters("B4 C4 D4 D4 E4 C4");
  const Explanation why = system_named("pattern")->prepare(query)->explain(document);
  EXPECT_EQ(why.score, (Score{1, true}));
  EXPECT_EQ(why.total, 3);
  const Step::Kind match = Step::Kind::match;
  EXPECT_THAT(why.steps, ElementsAre(Step{match, {0, 1}, {1, 2}, 1}, Step{Step::Kind::gap_in_query, {1, 1}, {2, 4}, 0},
                                     Step{match, {1, 2}, {4, 5}, 1}, Step{match, {2, 3}, {5, 6}, 1}));
  EXPECT_THAT(why.summary, testing::HasSubstr("from note 2 to note 6"));
}

TEST(Pattern, ComesFirstWhereItBeginsEarlier) {
  const auto prepared = system_named("pattern")->prepare(quarters("C4 D4 E4"));
  EXPECT_GT(prepared->tie_break(quarters("C4 D4 E4 A4")), prepared->tie_break(quarters("A4 C4 D4 E4")));
}

/// The definition, tried note by note: the scalar reference.
class EveryWay {
 public:
  EveryWay(const Line& query, Compared compared, const std::vector<std::int64_t>& document)
      : query_(query), compared_(compared), document_(document) {
    Pattern::values_of(query, compared, values_);
  }
  [[nodiscard]] std::vector<std::uint32_t> first() {
    for (std::uint32_t at = open(0).notes; at < document_.size(); ++at) {
      places_ = {at};
      if (rest()) return places_;
    }
    return {};
  }

 private:
  [[nodiscard]] UnknownNotes open(std::size_t before) const {
    for (const UnknownNotes& one : query_.unknown) {
      if (one.before == before) return one;
    }
    return {};
  }
  [[nodiscard]] bool fits(std::size_t i, std::int64_t from, std::int64_t to) const {
    const std::int64_t query_from = values_[i - 1];
    const std::int64_t query_to = values_[i];
    switch (compared_) {
      case Compared::intervals: return to - from == query_to - query_from;
      case Compared::contour: return (to > from) == (query_to > query_from) && (to < from) == (query_to < query_from);
      case Compared::rhythm: return to * query_from == from * query_to;
    }
    return false;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  bool rest() {
    const std::size_t i = places_.size();
    const UnknownNotes between = open(i);
    const std::size_t next = places_.back() + 1 + between.notes;
    if (i == values_.size()) return next <= document_.size();
    for (std::size_t at = next; at < document_.size() && (at == next || between.more); ++at) {
      if (between.joined && !fits(i, document_[places_.back()], document_[at])) continue;
      places_.push_back(static_cast<std::uint32_t>(at));
      if (rest()) return true;
      places_.pop_back();
    }
    return false;
  }

  const Line& query_;
  Compared compared_;
  const std::vector<std::int64_t>& document_;
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> places_;
};

TEST(Pattern, IsFoundWhereTryingEveryWayFindsIt) {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
  const auto few_pitches = [&](std::uint32_t notes) {
    std::string text;
    for (std::uint32_t i = 0; i < notes; ++i) {
      text += std::array{"C4 ", "D4 ", "E4 ", "F4 "}[below(4)];
      text += std::array{"1/4 ", "1/8 "}[below(2)];
    }
    return line_of(text);
  };
  std::size_t found = 0;
  for (int round = 0; round < test::rounds(3000); ++round) {
    const auto compared = static_cast<Compared>(below(3));
    Line query = few_pitches(1 + below(5));
    for (std::uint32_t i = 0; i <= query.size(); ++i) {
      if (below(2) == 0) query.unknown.push_back({i, below(3), below(2) == 0, below(4) != 0});
    }
    const Line document = few_pitches(below(16));
    std::vector<std::int64_t> values;
    Pattern::values_of(document, compared, values);
    const Pattern pattern(query, compared);
    const auto expected = EveryWay(query, compared, values).first();
    EXPECT_EQ(pattern.find(values), expected) << round;
    EXPECT_EQ(pattern.occurs(values), !expected.empty()) << round;
    found += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(found, test::rounds(500U));
  EXPECT_LT(found, test::rounds(2500U));
}

}  // namespace pattern_test
