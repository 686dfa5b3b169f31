#include "search/candidates.h"

#include <gmock/gmock.h>

#include "../store/store_support.h"
#include "search/fold.h"
#include "support/lines.h"

namespace rondo {
namespace {

using test::must;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Status = Candidate::Status;

TEST(Containment, TellsIdenticalTransposedAndPart) {
  const Line whole = line_of("C4 1/4 D4 1/8 E4 1/8 F4 1/4 G4 1/2 C4 1/4");
  EXPECT_EQ(containment(whole, whole), Containment::identical);
  EXPECT_EQ(containment(line_of("D4 1/4 E4 1/8 F#4 1/8 G4 1/4 A4 1/2 D4 1/4"), whole), Containment::transposition);
  EXPECT_EQ(containment(line_of("C4 1/4 D4 1/8 E4 1/8 F4 1/4"), whole), Containment::part) << "the beginning";
  EXPECT_EQ(containment(line_of("A4 1/8 Bb4 1/4 C5 1/2 F4 1/4"), line_of("C4 1/4 D4 1/8 E4 1/8 F4 1/4 G4 1/2 C4 1/4")),
            Containment::part)
      << "the end, a fourth higher";
  EXPECT_EQ(containment(whole, line_of("C4 1/4 D4 1/8 E4 1/8 F4 1/4")), Containment::none) << "the other way round";
}

TEST(Containment, RhythmMustAgree) {
  const Line whole = line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
  EXPECT_EQ(containment(line_of("C4 1/8 D4 1/8 E4 1/8 F4 1/8 G4 1/8"), whole), Containment::none);
  EXPECT_EQ(containment(line_of("C4 1/4 D4 1/4 r 1/4 E4 1/4 F4 1/4 G4 1/4"), whole), Containment::none) << "a rest";
  EXPECT_EQ(containment(line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/3"), whole), Containment::none);
}

TEST(Containment, AFewNotesArePartOfNothing) {
  const Line whole = line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
  EXPECT_EQ(containment(line_of("C4 1/4 D4 1/4 E4 1/4"), whole), Containment::none);
  EXPECT_EQ(containment(Line{}, whole), Containment::none);
  EXPECT_EQ(containment(line_of("C4 1/4"), line_of("C4 1/4")), Containment::identical);
}

TEST(Containment, AgreesAcrossGridsOfTime) {
  // A triplet elsewhere makes the grid of one finer.
  const Line whole = line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/12 A4 1/12 B4 1/12");
  EXPECT_EQ(containment(line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4"), whole), Containment::part);
}

class CandidatesTest : public testing::Test {
 protected:
  CandidatesTest() : music_(test::open_collection(scratch_ / "music.db")) {
    add("query", "The Tune", "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
    add("twin", "", "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
    add("higher", "", "D4 1/4 E4 1/4 F#4 1/4 G4 1/4 A4 1/4");
    add("longer", "", "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C4 1/4");
    add("beginning", "", "C4 1/4 D4 1/4 E4 1/4 F4 1/4");
    add("slow", "A tune, slowly", "C4 1/2 E4 1/2 D4 1/2 F4 1/2 G4 1/4");
    add("far", "Far away", "C4 1/4 C5 1/8 C3 1/8 C5 1/4 C3 1/4 F#4 1/4");
  }
  void add(const std::string& id, const std::string& title, const std::string& notes) {
    Piece piece;
    piece.id = id;
    piece.metadata.title = title;
    piece.voices = {voice_of(notes)};
    must(music_.put(piece));
  }
  static std::vector<std::string> with(const CandidateSet& set, Status status) {
    std::vector<std::string> out;
    for (const Candidate& one : set.candidates) {
      if (one.status != status) continue;
      out.push_back(one.id + (status == Status::folded ? " " + one.relation + " " + one.folded_into : ""));
    }
    return out;
  }
  Scratch scratch_;
  Collection music_;
};

TEST_F(CandidatesTest, AreWhatTheFilterLeftFoldedIntoRepresentatives) {
  const CandidateRecipe recipe{.query = "query", .filter = "keep: max_interval <= 11 AND duration_ratio = 1\n"};
  const CandidateSet set = must(make_candidates(music_, "tunes", recipe));
  // The query stays although the longer one contains it, and keeps its equals; the beginning goes into the longest.
  EXPECT_THAT(with(set, Status::chosen), ElementsAre("query", "longer"));
  EXPECT_THAT(with(set, Status::folded),
              ElementsAre("twin identical query", "higher transposition query", "beginning part longer"));
  ASSERT_EQ(set.funnel.size(), 1U);
  EXPECT_EQ(set.funnel[0].left, 5U);
  EXPECT_EQ(set.total, 7U);
}

TEST_F(CandidatesTest, OfEqualsTheQueryStays) {
  const CandidateRecipe recipe{.query = "query", .filter = "keep: notes = 5 AND duration_ratio = 1\n"};
  const CandidateSet set = must(make_candidates(music_, "tunes", recipe));
  EXPECT_THAT(with(set, Status::chosen), ElementsAre("query"));
  EXPECT_THAT(with(set, Status::folded), ElementsAre("twin identical query", "higher transposition query"));
}

TEST_F(CandidatesTest, ComeFromSystemsTitlesAndHandsToo) {
  const CandidateRecipe recipe{.query = "query",
                               .filter = "keep: id = 'longer'\n",
                               .systems = {{"P3", 1}},
                               .titles = {"tune"},
                               .include = {"far", "beginning"},
                               .exclude = {"slow"}};
  const CandidateSet set = must(make_candidates(music_, "tunes", recipe));
  EXPECT_THAT(with(set, Status::chosen), testing::Contains("far"));
  EXPECT_THAT(with(set, Status::chosen), testing::Contains("beginning")) << "by hand: never folded";
  EXPECT_THAT(with(set, Status::excluded), ElementsAre("slow"));
  EXPECT_EQ(set.candidates[0].origin, "query title");
  std::size_t from_system = 0;
  for (const Candidate& one : set.candidates) from_system += one.origin.find("P3") != std::string::npos ? 1U : 0U;
  EXPECT_EQ(from_system, 1U) << "not counting the query itself";
}

TEST_F(CandidatesTest, AreKeptWithTheirRecipeAndMadeAgain) {
  const CandidateRecipe recipe{.query = "query",
                               .filter = "step: \"five\"\nkeep: notes = 5\n",
                               .systems = {{"shapeh", 2}},
                               .titles = {"tune"},
                               .include = {"far"},
                               .exclude = {"slow"}};
  const CandidateSet made = must(make_candidates(music_, "tunes", recipe));
  must(save_candidates(music_, made));
  const CandidateSet kept = must(load_candidates(music_, "tunes"));
  EXPECT_EQ(kept.recipe, recipe);
  EXPECT_EQ(kept.candidates, made.candidates);
  EXPECT_EQ(kept.funnel.at(0).left, made.funnel.at(0).left);
  EXPECT_THAT(to_json(kept), HasSubstr("\"folded_into\": \"query\""));

  add("new", "", "G4 1/4 A4 1/4 G4 1/8 A4 1/8 C4 1/4");
  must(save_candidates(music_, must(make_candidates(music_, "tunes", kept.recipe))));
  EXPECT_THAT(with(must(load_candidates(music_, "tunes")), Status::chosen), testing::Contains("new"));
  EXPECT_THAT(must(candidate_sets(music_)), ElementsAre("tunes")) << "in place of the one before";

  EXPECT_TRUE(must(remove_candidates(music_, "tunes")));
  EXPECT_FALSE(must(remove_candidates(music_, "tunes")));
  EXPECT_THAT(must(candidate_sets(music_)), IsEmpty());
  EXPECT_EQ(test::sql(music_.path(), "SELECT count(*) FROM candidate"), "0");
}

TEST_F(CandidatesTest, MistakesAreSaid) {
  const auto code = [&](const CandidateRecipe& recipe) { return make_candidates(music_, "x", recipe).error().code; };
  EXPECT_EQ(code({.query = "nobody"}), "piece-missing");
  EXPECT_EQ(code({.filter = "keep: colour\n"}), "sql-error");
  EXPECT_EQ(code({.systems = {{"P3", 1}}}), "query-missing");
  EXPECT_EQ(code({.query = "query", .systems = {{"P99", 1}}}), "system-unknown");
  EXPECT_EQ(code({.include = {"nobody"}}), "piece-missing");
  must(save_candidates(music_, must(make_candidates(music_, "tunes", {.include = {"far"}}))));
  const Error missing = load_candidates(music_, "tuns").error();
  EXPECT_EQ(missing.code, "candidates-missing");
  EXPECT_THAT(missing.hint, HasSubstr("tunes"));
  test::sql(music_.path(), "UPDATE candidate_set SET recipe = '{\"query\": 3}'");
  EXPECT_EQ(load_candidates(music_, "tunes").error().code, "store-corrupt");
}

}  // namespace
}  // namespace rondo
