#include "study/votes.h"

#include <gmock/gmock.h>

#include "base/csv.h"
#include "study/analysis.h"
#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using test::must;
using testing::ElementsAre;
using testing::SizeIs;

TEST(Votes, ComeBackFromTheTableAsTheyWere) {
  Study study = test::small_study();
  study.settings.ties = true;
  study.participants = {test::voter(1, study, {2, 0, 1}), test::voter(2, study, {}), test::voter(3, study, {1})};
  study.participants[2].answers[0].ranking = {{"c01", "c03"}, {"c00"}};
  const auto voters = must(voters_of(must(read_votes(votes_csv(study))), study));
  ASSERT_THAT(voters, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(voters[i].label, study.participants[i].label);
    EXPECT_EQ(voters[i].answers[0].ranking, study.participants[i].answers[0].ranking);
    EXPECT_TRUE(voters[i].answers[0].given());
  }
}

TEST(Votes, TellTiedRanksAsTheirMean) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {})};
  study.participants[0].answers[0].ranking = {{"c00"}, {"c01", "c02"}};
  EXPECT_EQ(votes_csv(study), "participant,query,candidate,rank\np1,id0,id1,1\np1,id0,id2,2.5\np1,id0,id3,2.5\n");
}

TEST(Votes, NameParticipantsByNumberWhereLabelsDoNotTell) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {0}), test::voter(2, study, {0}), test::voter(7, study, {0})};
  study.participants[0].label = "same";
  study.participants[1].label = "same";
  study.participants[2].label = "";
  std::vector<std::string> names;
  for (const Vote& vote : votes_of(study)) names.push_back(vote.participant);
  EXPECT_THAT(names, ElementsAre("1", "2", "7"));
}

TEST(Votes, AreReadInAnyOrderOfColumnsAndOnlyTheOrderOfRanksCounts) {
  const auto votes = must(read_votes("rank,note,query,participant,candidate\r\n7,x,q,ann,b\r\n1,\"a, b\",q,ann,a\r\n"));
  const Study study = must(study_of(votes));
  ASSERT_THAT(study.queries, SizeIs(1));
  EXPECT_THAT(study.participants[0].answers[0].ranking, ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST(Votes, AreRefusedWithTheLineThatIsWrong) {
  EXPECT_EQ(read_votes("").error().code, "votes-columns");
  EXPECT_EQ(read_votes("participant,query,candidate\n").error().code, "votes-columns");
  const std::string head = "participant,query,candidate,rank\n";
  for (const char* line : {"a,q,c,0", "a,q,c,-1", "a,q,c,x", "a,q,c,", "a,q,,1", "a,q,c,nan", "a,q,c,1e9"}) {
    const auto votes = read_votes(head + "a,q,d,1\n" + line + "\n");
    ASSERT_FALSE(votes.has_value()) << line;
    EXPECT_EQ(votes.error().code, "votes-rank") << line;
    EXPECT_EQ(votes.error().place.line, 3U);
  }
  EXPECT_EQ(read_votes(head + "a,q\n").error().code, "votes-columns");
  EXPECT_EQ(read_votes(head + ",q,c,1\n").error().code, "votes-columns");
  EXPECT_EQ(read_votes(head + "\"a,q,c,1\n").error().code, "csv-quote");
}

TEST(Votes, MustBeAboutTheStudy) {
  const Study study = test::small_study();
  const auto voters = [&](const std::string& lines) {
    return voters_of(must(read_votes("participant,query,candidate,rank\n" + lines)), study);
  };
  EXPECT_EQ(voters("a,none,id1,1\n").error().code, "votes-query");
  EXPECT_EQ(voters("a,id0,none,1\n").error().code, "votes-candidate");
  EXPECT_EQ(voters("a,id0,id1,1\na,id0,id1,2\n").error().code, "votes-twice");
  EXPECT_EQ(voters("a,id0,id1,1\na,id0,id2,1\n").error().code, "ranking-ties");
}

TEST(Votes, OnOneThatWasFoldedCountForTheOneThatStandsForIt) {
  Study study = test::small_study();
  study.queries[0].candidates[2].folded = {{"twin", "identical"}};
  const auto voters = must(voters_of({{"a", "id0", "twin", 1}}, study));
  EXPECT_THAT(voters[0].answers[0].ranking, ElementsAre(ElementsAre("c02")));
}

TEST(Csv, ReadsQuotesAndLinesWithin) {
  const auto records = must(parse_csv("a,\"b \"\"x\"\"\nc\",d\n\n\"\",e"));
  ASSERT_THAT(records, SizeIs(2));
  EXPECT_THAT(records[0].cells, ElementsAre("a", "b \"x\"\nc", "d"));
  EXPECT_THAT(records[1].cells, ElementsAre("", "e"));
  EXPECT_EQ(records[1].line, 4U);
  EXPECT_EQ(parse_csv("\"a\"b").error().code, "csv-quote");
  EXPECT_TRUE(must(parse_csv("")).empty());
}

}  // namespace
}  // namespace rondo::study
