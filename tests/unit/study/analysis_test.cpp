#include "study/analysis.h"

#include <gmock/gmock.h>

#include <numeric>

#include "study/care.h"
#include "study/results.h"
#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

std::vector<std::size_t> order_of(const QueryAnalysis& analysis) {
  std::vector<std::size_t> order;
  for (const Judged& judged : analysis.judged) order.push_back(judged.candidate);
  return order;
}

/// Eight people. Candidate 3 is always first, 1 and 2 share the places behind it between them, then comes 0, then 4;
/// 5 and 6 share the end.
std::vector<Tiers> castle() {
  std::vector<Tiers> ballots;
  for (int i = 0; i < 8; ++i) {
    Tiers ballot = i % 2 == 0 ? Tiers{{3}, {1}, {2}, {0}, {4}, {5}, {6}} : Tiers{{3}, {2}, {1}, {0}, {4}, {6}, {5}};
    ballots.push_back(std::move(ballot));
  }
  return ballots;
}

TEST(Analysis, OfVotesLikeThoseOnRoslinCastleGivesFiveGroups) {
  const QueryAnalysis analysis = analyse(castle(), 7);
  EXPECT_THAT(order_of(analysis), ElementsAre(3, 1, 2, 0, 4, 5, 6));
  // 1 was ranked 2 four times and 3 four times, 3 always 1. Of the C(16, 8) = 12870 ways to divide these 16 ranks only
  // the two that keep the ones together are as extreme.
  EXPECT_DOUBLE_EQ(analysis.p[1][0].value(), 2.0 / 12870);
  EXPECT_DOUBLE_EQ(analysis.p[2][0].value(), 2.0 / 12870);
  EXPECT_DOUBLE_EQ(analysis.p[2][1].value(), 1) << "the same ranks";
  EXPECT_DOUBLE_EQ(analysis.p[3][2].value(), 2.0 / 12870);
  EXPECT_THAT(group(analysis.p, {}), ElementsAre(0, 1, 1, 2, 3, 4, 4));
}

TEST(Analysis, OrdersByMedianThenMeanThenVotes) {
  // Ranks: 0 gets 1, 2, 1; 1 gets 2, 1, 2; 2 gets 3, 3; 3 gets 4 (median 4), 3 once: 3.5.
  const std::vector<Tiers> ballots = {{{0}, {1}, {2}, {3}}, {{1}, {0}, {3}}, {{0}, {1}, {2}}};
  const QueryAnalysis analysis = analyse(ballots, 5);
  EXPECT_THAT(order_of(analysis), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(analysis.unranked, ElementsAre(4));
  EXPECT_EQ(analysis.answers, 3U);
  // Medians and means alike: the one with more votes first.
  EXPECT_THAT(order_of(analyse({{{1}}, {{0}}, {{1}}}, 2)), ElementsAre(1, 0));
}

TEST(Agreement, IsCompleteWhereAllSayTheSame) {
  const Agreement agreement = analyse({{{0}, {1}, {2}}, {{0}, {1}, {2}}, {{0}, {1}, {2}}}, 3).agreement;
  EXPECT_THAT(agreement.kendall_w, Optional(DoubleNear(1, 1e-12)));
  EXPECT_THAT(agreement.mean_tau, Optional(DoubleNear(1, 1e-12)));
  EXPECT_EQ(agreement.raters, 3U);
}

TEST(Agreement, TakesTheUnrankedForEqualAtTheEnd) {
  // Two people, four candidates: 0 1 then (2 3), and 1 0 then (2 3). Ranks 1 2 3.5 3.5 and 2 1 3.5 3.5.
  // W: sums 3 3 7 7, mean 5, squares 4 * 4 = 16; 12 * 16 / (4 * (64 - 4) - 2 * (6 + 6)) = 192 / 216.
  // tau-b: of 6 pairs one is tied in both, 4 agree, 1 does not: 3 / sqrt(5 * 5).
  const Agreement agreement = analyse({{{0}, {1}}, {{1}, {0}}}, 4).agreement;
  EXPECT_THAT(agreement.kendall_w, Optional(DoubleNear(192.0 / 216, 1e-12)));
  EXPECT_THAT(agreement.mean_tau, Optional(DoubleNear(0.6, 1e-12)));
}

TEST(Agreement, OfOneOrOfThoseWhoOrderedNothingIsNotKnown) {
  EXPECT_EQ(analyse({{{0}, {1}}}, 2).agreement.kendall_w, std::nullopt);
  const Agreement nothing = analyse({{}, {}}, 2).agreement;
  EXPECT_EQ(nothing.kendall_w, std::nullopt);
  EXPECT_EQ(nothing.mean_tau, std::nullopt);
  EXPECT_EQ(nothing.raters, 2U);
  EXPECT_EQ(analyse({}, 0).agreement.raters, 0U);
}

TEST(Experience, SortsYearsAndCountsInstrumentsWhateverTheirCapitals) {
  Study study = test::small_study();
  study.participants = {test::participant(1), test::participant(2), test::participant(3)};
  study.participants[0].background = Background{20, {"Violin", "voice"}, ""};
  study.participants[1].background = Background{5.5, {"violin"}, ""};
  study.participants[2].background = Background{std::nullopt, {}, ""};
  const Experience experience = analyse(study).experience;
  EXPECT_THAT(experience.years, ElementsAre(5.5, 20));
  EXPECT_THAT(experience.instruments, ElementsAre(testing::Pair("Violin", 2U), testing::Pair("voice", 1U)));
}

TEST(VotesThatCount, AreFinishedRankingsUnlessAskedOtherwise) {
  Study study = test::small_study(3);
  for (int i = 1; i <= 3; ++i) study.participants.push_back(test::voter(i, study, {0, 1}));
  study.participants[2].answers[0].done = false;
  const QueryAnalysis finished = analyse(study).queries[0];
  EXPECT_EQ(finished.answers, 2U);
  EXPECT_EQ(finished.unfinished, 1U);
  EXPECT_THAT(finished.judged[0].figures.ranks, ElementsAre(1, 1));
  const QueryAnalysis all = analyse(study, {.unfinished = true}).queries[0];
  EXPECT_EQ(all.answers, 3U);
  EXPECT_EQ(all.unfinished, 0U);
  // A participant who finished one query and not the other keeps the one.
  study.participants[0].answers.push_back({1, 1, {{study.queries[1].candidates[0].code}}, false, ""});
  EXPECT_EQ(analyse(study).queries[0].answers, 2U);
  EXPECT_EQ(analyse(study).queries[1].answers, 0U);
}

TEST(VotesThatCount, AreNotThoseOfParticipantsWhoWereLeftOut) {
  Study study = test::small_study(3);
  for (int i = 1; i <= 3; ++i) study.participants.push_back(test::voter(i, study, {0, 1}));
  study.participants[1].excluded = "did it twice";
  study.participants[1].background = Background{9, {"tuba"}, ""};
  const Analysis analysis = analyse(study, {.unfinished = true});
  EXPECT_EQ(analysis.queries[0].answers, 2U);
  EXPECT_EQ(analysis.queries[0].excluded, 1U);
  EXPECT_TRUE(analysis.experience.years.empty());
  const auto json = test::must(results_json(study, analysis, {}));
  EXPECT_EQ(json["votes"]["left_out"][0]["number"], 2);
  EXPECT_EQ(json["votes"]["left_out"][0]["reason"], "did it twice");
}

TEST(VotesThatCount, CandidatesWithFewerThanTheMinimumAreUnjudged) {
  Study study = test::small_study(4);
  study.participants = {test::voter(1, study, {0, 1}), test::voter(2, study, {0, 1}), test::voter(3, study, {0, 2})};
  const Analysis analysis = analyse(study, {.minimum_votes = 2});
  EXPECT_THAT(analysis.queries[0].too_few, ElementsAre(2U));
  EXPECT_THAT(analysis.queries[0].unranked, ElementsAre(3U));
  const evaluation::Truth truth = truth_of(study, analysis, {});
  for (const auto& group : truth.queries[0].groups) {
    EXPECT_THAT(group, testing::Not(testing::Contains(study.queries[0].candidates[2].melody.id)));
  }
  EXPECT_THAT(truth.queries[0].not_relevant, ElementsAre(study.queries[0].candidates[3].melody.id));
}

TEST(Care, CountsMisplacedQueriesEmptyRankingsAndSeconds) {
  Study study = test::small_study(3);
  study.queries[0].candidates[2].planted = true;
  const Participant careful = test::voter(1, study, {2, 0});
  EXPECT_EQ(care_of(study, careful).planted, 1U);
  EXPECT_EQ(care_of(study, careful).misplaced, 0U);
  EXPECT_EQ(care_of(study, careful).seconds, std::nullopt);
  Participant careless = test::voter(2, study, {0, 2});
  careless.answers.push_back({1, 1, {}, true, ""});
  careless.moves = {{0, "a", 1, {}, false, "2026-02-28T23:59:50.000Z"},
                    {0, "b", 2, {}, true, "2026-03-01T00:00:20.500Z"}};
  const Care care = care_of(study, careless);
  EXPECT_EQ(care.finished, 2U);
  EXPECT_EQ(care.misplaced, 1U);
  EXPECT_EQ(care.unchanged, 1U);
  EXPECT_EQ(care.saves, 2U);
  EXPECT_NEAR(*care.seconds, 30.5, 1e-6);
}

TEST(Groups, APValueOfExactlyAQuarterIsNoBorder) {
  // Ranks whose exact p is 1/4 (7 of 28): sums of doubles came out below.
  const PValues exact = {{}, {statistics::PValue(statistics::ExactP{{7}, {28}})}};
  EXPECT_THAT(group(exact, {}), ElementsAre(0U, 0U));
  EXPECT_EQ(consistency(exact, {0, 0}, 0.25).contradicting, 0U);
}

TEST(Truth, HoldsTheFoldedInTheirGroupAndThePlantedQueryNowhere) {
  Study study = test::small_study(3);
  study.queries[0].candidates[0].planted = true;
  study.queries[0].candidates[1].folded = {{"twin", "transposition"}};
  // Eight people: the query, then candidate 1; nobody ranks 2.
  for (int i = 1; i <= 8; ++i) study.participants.push_back(test::voter(i, study, {0, 1}));
  const evaluation::Truth truth = truth_of(study, analyse(study), {});
  ASSERT_EQ(truth.queries.size(), 1U) << "the other query was not answered";
  EXPECT_EQ(truth.queries[0].query, study.queries[0].melody.id);
  EXPECT_THAT(truth.queries[0].groups, ElementsAre(ElementsAre(study.queries[0].candidates[1].melody.id, "twin")));
  EXPECT_THAT(truth.queries[0].not_relevant, ElementsAre(study.queries[0].candidates[2].melody.id));
  EXPECT_TRUE(truth.query_excluded);
}

TEST(Results, TellEverythingTheTablesShow) {
  Study study = test::small_study(3);
  study.settings.simulated = true;
  for (int i = 1; i <= 8; ++i) study.participants.push_back(test::voter(i, study, {1, 0}));
  const auto json = test::must(results_json(study, analyse(study), {}));
  EXPECT_EQ(json["simulated"], true);
  EXPECT_EQ(json["rule"], "paper");
  const auto& query = json["queries"][0];
  EXPECT_EQ(query["votes"], 8);
  EXPECT_EQ(query["groups"], 2);
  const auto& second = query["candidates"][1];
  EXPECT_EQ(second["id"], study.queries[0].candidates[0].melody.id);
  EXPECT_EQ(second["group"], 2);
  EXPECT_EQ(second["border_above"], true);
  EXPECT_EQ(second["median"], 2);
  EXPECT_EQ(second["p"].size(), 1U);
  EXPECT_FALSE(second["mei"].get<std::string>().empty());
  EXPECT_EQ(query["candidates"][2]["group"], 0);
  EXPECT_EQ(query["candidates"][2]["median"], nullptr);
  EXPECT_EQ(json["queries"][1]["votes"], 0);
  EXPECT_THAT(json["queries"][1]["candidates"][0]["ranks"], IsEmpty());
}

}  // namespace
}  // namespace rondo::study
