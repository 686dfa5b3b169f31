// Candidates kept and dropped by hand, before a study is made of them.

#include "study/picks.h"

#include <gmock/gmock.h>

#include "store/sqlite.h"
#include "support/scratch.h"

namespace {

using rondo::CandidateSet;
using rondo::OpenMode;
using rondo::study::apply_picks;
using rondo::study::count_picks;
using rondo::study::load_picks;
using rondo::study::Pick;
using rondo::study::save_picks;
using rondo::study::Studies;
using Status = rondo::Candidate::Status;
using testing::ElementsAre;
using testing::Pair;

/// A query, three candidates, one folded into the second, one excluded by the recipe.
CandidateSet small_set(const std::string& query = "q") {
  CandidateSet set;
  set.name = "castle";
  set.recipe.query = query;
  set.candidates = {
      {query, 0, "query", Status::chosen, "", ""}, {"a", 0, "filter P3#1", Status::chosen, "", ""},
      {"b", 0, "P3#2", Status::chosen, "", ""},    {"b-higher", 0, "P3#3", Status::folded, "b", "transposition"},
      {"c", 0, "title", Status::chosen, "", ""},   {"x", 0, "filter", Status::excluded, "", ""}};
  return set;
}

class PicksTest : public testing::Test {
 protected:
  Studies open(OpenMode mode = OpenMode::create) {
    auto opened = Studies::open(folder_.path() / "music.db", mode);
    EXPECT_TRUE(opened.has_value());
    return std::move(*opened);
  }

 private:
  Scratch folder_;
};

TEST_F(PicksTest, DecisionsAreKeptAndCanBeTakenBack) {
  const CandidateSet set = small_set();
  {
    Studies studies = open();
    ASSERT_TRUE(save_picks(studies, set, {"a"}, Pick::keep).has_value());
    ASSERT_TRUE(save_picks(studies, set, {"b", "c"}, Pick::drop).has_value());
    ASSERT_TRUE(save_picks(studies, set, {"c"}, Pick::undecided).has_value());
  }
  Studies studies = open(OpenMode::write);
  const auto picks = load_picks(studies, set).value();
  EXPECT_THAT(picks, ElementsAre(Pair("a", Pick::keep), Pair("b", Pick::drop)));
  const auto counts = count_picks(set, picks);
  EXPECT_EQ(counts.keep, 1U);
  EXPECT_EQ(counts.drop, 1U);
  EXPECT_EQ(counts.undecided, 1U);
  EXPECT_EQ(counts.shown(), 2U);
  EXPECT_TRUE(load_picks(studies, small_set("other")).value().empty()) << "a set of that name about another query";
}

TEST_F(PicksTest, OnlyWhatIsProposedCanBeDecidedOn) {
  Studies studies = open();
  const CandidateSet set = small_set();
  for (const std::string id : {"q", "b-higher", "x", "nobody"}) {
    const auto done = save_picks(studies, set, {"a", id}, Pick::drop);
    ASSERT_FALSE(done.has_value()) << id;
    EXPECT_EQ(done.error().code, "pick-candidate") << id;
  }
  EXPECT_TRUE(load_picks(studies, set).value().empty()) << "all or none";
}

TEST_F(PicksTest, WhatIsDroppedTakesAlongWhatWasFoldedIntoIt) {
  CandidateSet set = small_set();
  apply_picks(set, {{"a", Pick::keep}, {"b", Pick::drop}, {"q", Pick::drop}});
  std::vector<Status> statuses;
  for (const rondo::Candidate& one : set.candidates) statuses.push_back(one.status);
  EXPECT_THAT(statuses, ElementsAre(Status::chosen, Status::chosen, Status::excluded, Status::excluded, Status::chosen,
                                    Status::excluded))
      << "and the query stays";
}

TEST_F(PicksTest, ADecisionThatWasAlteredInTheFileIsAnError) {
  const CandidateSet set = small_set();
  Studies studies = open();
  ASSERT_TRUE(save_picks(studies, set, {"a"}, Pick::keep).has_value());
  ASSERT_TRUE(studies.database().execute("UPDATE pick SET pick = 'drop'").has_value());
  const auto picks = load_picks(studies, set);
  ASSERT_FALSE(picks.has_value());
  EXPECT_EQ(picks.error().code, "store-corrupt");
}

}  // namespace
