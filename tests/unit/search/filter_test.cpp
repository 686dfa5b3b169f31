#include "search/filter.h"

#include <gmock/gmock.h>

#include "../store/store_support.h"
#include "search/select.h"
#include "search/sql_similarity.h"
#include "support/lines.h"

namespace rondo {
namespace {

using test::must;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FilterFile, NamesStepsAndGoesOnOverLines) {
  const Filter filter =
      must(parse_filter("# a comment\nlike: tune-1\n\nstep: the range\nkeep: range BETWEEN 12\n  AND 15\n"
                        "drop: notes < 5\r\norder: contour_distance(contour)\n",
                        "x.steps"));
  EXPECT_EQ(filter.like, "tune-1");
  EXPECT_EQ(filter.order, "contour_distance(contour)");
  ASSERT_EQ(filter.steps.size(), 2U);
  EXPECT_EQ(filter.steps[0].name, "the range");
  EXPECT_EQ(filter.steps[0].expression, "range BETWEEN 12\nAND 15");
  EXPECT_FALSE(filter.steps[0].drop);
  EXPECT_EQ(filter.steps[1].name, "notes < 5") << "without a name it goes by its condition";
  EXPECT_TRUE(filter.steps[1].drop);
  EXPECT_EQ(filter.steps[1].line, 7U);
}

Error problem(const std::string& text) {
  auto filter = parse_filter(text, "x.steps");
  EXPECT_FALSE(filter) << text;
  return filter ? Error{} : filter.error();
}

TEST(FilterFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem("").code, "filter-empty");
  EXPECT_EQ(problem("# nothing\n").code, "filter-empty");
  EXPECT_EQ(problem("step: x\n\nkeeep: 1\n").place.line, 3U);
  EXPECT_THAT(problem("keeep: 1\n").message, HasSubstr("'keeep'"));
  EXPECT_EQ(problem("range > 3\n").code, "filter-line");
  EXPECT_EQ(problem("  AND 15\n").code, "filter-line");
  EXPECT_EQ(problem("like: a\nlike: b\nkeep: 1\n").code, "filter-line");
  EXPECT_EQ(problem("step: no condition\n").code, "sql-malformed");
  EXPECT_EQ(problem("keep: (1\n").place.line, 1U);
}

class FunnelTest : public testing::Test {
 protected:
  FunnelTest() : music_(test::open_collection(scratch_ / "music.db")) {
    add("a", "C4 1/4 D4 1/4 E4 1/4 F4 1/4");   // UUU, range 5
    add("b", "C4 1/4 C5 1/4 C4 1/4 C5 1/2");   // UDU, range 12
    add("c", "C4 1/4 G4 1/4 G4 1/4 C5 1/8");   // URU, range 12
    add("d", "C4 1/4 C4 1/4");                 // R, range 0
    add("e", "A4 1/4 B4 1/4 C#5 1/4 D5 1/4");  // UUU, range 5
  }
  void add(const std::string& id, const std::string& notes) {
    Piece piece;
    piece.id = id;
    piece.voices = {voice_of(notes)};
    must(music_.put(piece));
  }
  std::vector<std::string> ids(const Funnel& funnel) {
    std::vector<std::string> out;
    for (const NamedMelody& one : must(name_melodies(music_, funnel.survivors))) out.push_back(one.id);
    return out;
  }
  Scratch scratch_;
  Collection music_;
};

TEST_F(FunnelTest, CountsWhatEachStepExcludes) {
  UserSql sql = must(UserSql::open(music_.path()));
  const Filter filter = must(parse_filter("step: wide\nkeep: range > 1\nstep: uneven\ndrop: duration_ratio = 1\n", ""));
  const Funnel funnel = must(run_filter(sql, filter));
  EXPECT_EQ(funnel.total, 5U);
  ASSERT_EQ(funnel.steps.size(), 2U);
  EXPECT_EQ(funnel.steps[0].name, "wide");
  EXPECT_EQ(funnel.steps[0].excluded(), 1U);
  EXPECT_EQ(funnel.steps[0].percent(), 20);
  EXPECT_EQ(funnel.steps[1].before, 4U);
  EXPECT_EQ(funnel.steps[1].percent(), 50) << "of what was left";
  EXPECT_EQ(funnel.steps[1].left, 2U);
  EXPECT_THAT(ids(funnel), ElementsAre("b", "c"));
}

TEST_F(FunnelTest, DroppingKeepsWhatIsNotKnown) {
  UserSql sql = must(UserSql::open(music_.path()));
  EXPECT_EQ(must(run_filter(sql, must(parse_filter("drop: nullif(range, 5) > 1\n", "")))).survivors.size(), 3U);
  EXPECT_EQ(must(run_filter(sql, must(parse_filter("keep: 1\ndrop: nullif(range, 5) > 1\n", "")))).survivors.size(),
            3U);
  EXPECT_EQ(must(run_filter(sql, must(parse_filter("keep: nullif(range, 5) > 1\n", "")))).survivors.size(), 2U);
}

TEST_F(FunnelTest, OrdersByADistanceToTheQuery) {
  UserSql sql = must(UserSql::open(music_.path()));
  must(compare_with(sql, music_, voice_of("C4 1/4 G4 1/4 G4 1/4 A4 1/4")));  // URU
  // URU: 0 to c, 1 to a and e (R for U), 1 to b (R for D), 2 to d (two less).
  const Funnel funnel = must(run_filter(sql, must(parse_filter("keep: 1\norder: contour_distance(contour)\n", ""))));
  EXPECT_THAT(ids(funnel), ElementsAre("c", "a", "b", "e", "d"));
}

TEST_F(FunnelTest, SimilarityIsTheScoreOfTheSystem) {
  UserSql sql = must(UserSql::open(music_.path()));
  const Voice query = voice_of("D4 1/4 E4 1/4 F#4 1/4 G4 1/4");
  must(compare_with(sql, music_, query));
  const auto all = must(sql.where("1"));
  const auto scores = must(sql.values("similarity('P3', key)", all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Piece piece = must(music_.get(all[i].piece));
    EXPECT_EQ(scores[i], score_of("P3", make_line(query), make_line(piece.voices[0])).value) << piece.id;
  }
  EXPECT_THAT(sql.where("similarity('nothing', key) > 1").error().message, HasSubstr("'nothing'"));
}

TEST_F(FunnelTest, AnErrorNamesItsStep) {
  UserSql sql = must(UserSql::open(music_.path()));
  auto done = run_filter(sql, must(parse_filter("keep: range > 1\n\nstep: colourful\nkeep: colour = 1\n", "")));
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("step 'colourful'"));
  EXPECT_THAT(done.error().message, HasSubstr("colour"));
  EXPECT_EQ(done.error().place.line, 4U);
}

TEST_F(FunnelTest, WhereGivesEveryPieceOnce) {
  Piece duet;
  duet.id = "duet";
  duet.voices = {voice_of("C4 1/4 C5 1/4"), voice_of("C4 1/4 C5 1/4")};
  must(music_.put(duet));
  EXPECT_THAT(must(ids_where(music_, "range = 12")), ElementsAre("b", "c", "duet"));
  EXPECT_EQ(must(pieces_where(music_, "range = 12")).size(), 3U);
  EXPECT_EQ(ids_where(music_, "1; DROP TABLE piece").error().code, "sql-malformed");
}

}  // namespace
}  // namespace rondo
