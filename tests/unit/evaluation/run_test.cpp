#include "evaluation/falling_scores.h"
#include "support.h"

namespace rondo::evaluation {
namespace run_test {

std::vector<std::string> ids(const RankedList& list) {
  std::vector<std::string> out;
  for (const RankedDocument& document : list.documents) out.push_back(document.id);
  return out;
}

void expect_error(std::string_view text, std::string_view code, std::uint32_t line) {
  const auto run = try_run(text);
  ASSERT_FALSE(run) << code;
  EXPECT_EQ(run.error().code, code);
  EXPECT_EQ(run.error().place.line, line) << run.error().to_string();
  EXPECT_EQ(run.error().place.file, "test.run");
}

TEST(RunReader, ReadsSixColumnsWithBlanksTabsAndAnyLineEnd) {
  const auto run = run_of("\xEF\xBB\xBFq1 Q0 a 1 2.5 tag\r\n\n q1\tQ0  b\t2 -1e3 tag \rq2 0 a 0 +7 tag");
  ASSERT_EQ(run.lists.size(), 2U);
  EXPECT_EQ(run.tag, "tag");
  EXPECT_EQ(run.lists[0].query, "q1");
  EXPECT_EQ(ids(run.lists[0]), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(run.lists[0].documents[1].score, -1000);
  EXPECT_EQ(run.lists[1].documents[0].score, 7);
  EXPECT_EQ(run.lists[1].line, 4U);
}

TEST(RunReader, KeepsQueriesApartThatAreMixed) {
  const auto run = run_of("q1 Q0 a 1 3 t\nq2 Q0 a 1 9 t\nq1 Q0 b 2 2 t\nq2 Q0 b 2 8 t\n");
  EXPECT_EQ(ids(run.lists[0]), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(ids(run.lists[1]), (std::vector<std::string>{"a", "b"}));
}

TEST(RunReader, NamesTheLineOfEveryMistake) {
  expect_error("q Q0 a 1 2 t\nq Q0 b 2 1\n", "run-columns", 2);
  expect_error("q Q0 a 1 2 t extra\n", "run-columns", 1);
  expect_error("q Q0 a 1 high t\n", "run-score", 1);
  expect_error("q Q0 a 1 nan t\n", "run-score", 1);
  expect_error("q Q0 a 1 2 t\np Q0 a 1 2 t\nq Q0 a 2 1 t\n", "run-duplicate", 3);
  expect_error(std::string_view("q Q0 a\0b 1 2 t\n", 15), "run-text", 1);
  expect_error("q Q0 a\xFF 1 2 t\n", "run-text", 1);
  expect_error("q Q0 a\x1b[31m 1 2 t\n", "run-text", 1);
}

TEST(RunReader, EmptyFilesAreErrors) {
  EXPECT_EQ(try_run("").error().code, "run-empty");
  EXPECT_EQ(try_run("\n  \n\t\n").error().code, "run-empty");
}

TEST(RunReader, ReportsTheFirstDuplicateAndWhereItsTwinIs) {
  const auto run = try_run("q Q0 a 1 9 t\nq Q0 b 2 8 t\np Q0 z 1 9 t\np Q0 z 2 8 t\nq Q0 a 3 7 t\n");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().place.line, 4U);
  EXPECT_THAT(run.error().message, testing::HasSubstr("line 3"));
}

TEST(RunReader, LinesWithoutEndAreRefusedNotSwallowed) {
  const auto run = try_run("q Q0 " + std::string(5'000'000, 'x'));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "line-too-long");
}

TEST(RunReader, EqualScoresAreOrderedByRankUnlessAskedOtherwise) {
  const char* text = "q Q0 a 1 5 t\nq Q0 c 3 5 t\nq Q0 b 2 5 t\nq Q0 z 4 1 t\n";
  Diagnostics warnings;
  const auto by_rank = try_run(text, &warnings);
  ASSERT_TRUE(by_rank);
  EXPECT_EQ(ids(by_rank->lists[0]), (std::vector<std::string>{"a", "b", "c", "z"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "run-ties");
  EXPECT_THAT(warnings[0].message, testing::HasSubstr("by rank in 1 of 1 queries"));

  EXPECT_EQ(ids(try_run(text, nullptr, Ties::kTrecEval)->lists[0]), (std::vector<std::string>{"c", "b", "a", "z"}));
  warnings.clear();
  EXPECT_EQ(ids(try_run(text, &warnings, Ties::kAsWritten)->lists[0]), (std::vector<std::string>{"a", "c", "b", "z"}));
  EXPECT_TRUE(warnings.empty());
}

TEST(RunReader, RanksThatAreOfNoUseLeaveTiesToTheIds) {
  // Constant; repeated among equal scores; contradicting the scores; not numbers.
  for (const char* text : {"q Q0 a 1 5 t\nq Q0 b 1 5 t\nq Q0 z 1 1 t\n", "q Q0 a 2 5 t\nq Q0 b 2 5 t\nq Q0 z 3 1 t\n",
                           "q Q0 a 2 5 t\nq Q0 b 3 5 t\nq Q0 z 1 1 t\n", "q Q0 a - 5 t\nq Q0 b - 5 t\nq Q0 z - 1 t\n",
                           "q Q0 a 1 5 t\nq Q0 b 1.5 5 t\nq Q0 z 3 1 t\n"}) {
    Diagnostics warnings;
    const auto run = try_run(text, &warnings);
    ASSERT_TRUE(run) << text;
    EXPECT_EQ(ids(run->lists[0]), (std::vector<std::string>{"b", "a", "z"})) << text;
    ASSERT_FALSE(warnings.empty());
    EXPECT_EQ(warnings.back().code, "run-ties");
    EXPECT_THAT(warnings.back().message, testing::HasSubstr("by id"));
  }
}

TEST(RunReader, ScoresDecideWhereRanksOrLinesSayOtherwise) {
  Diagnostics warnings;
  const auto run = try_run("q Q0 low 1 1 t\nq Q0 high 2 9 t\np Q0 x 1 1 t\np Q0 y 1 2 t\n", &warnings);
  ASSERT_TRUE(run);
  EXPECT_EQ(ids(run->lists[0]), (std::vector<std::string>{"high", "low"}));
  EXPECT_EQ(ids(run->lists[1]), (std::vector<std::string>{"y", "x"}));
  ASSERT_EQ(warnings.size(), 1U) << "equal ranks contradict nothing";
  EXPECT_EQ(warnings[0].code, "run-rank-order");
  EXPECT_THAT(warnings[0].message, testing::HasSubstr("in 1 of 2 queries"));
}

TEST(RunReader, AHundredOddRanksAreOneWarning) {
  std::string text = "q0 Q0 first 99999999999999999999 1000 t\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("q{} Q0 d{} x {} t\n", i % 10, i, 100 - i);
  Diagnostics warnings;
  ASSERT_TRUE(try_run(text, &warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "run-rank");
  EXPECT_EQ(warnings[0].place.line, 1U);
  EXPECT_THAT(warnings[0].message, testing::HasSubstr("101 of the ranks"));
}

TEST(RunReader, ScoresBeyondADoubleAreInfinite) {
  const auto run = run_of("q Q0 a 1 -inf t\nq Q0 b 2 1e999 t\nq Q0 c 3 1e-999 t\n");
  EXPECT_EQ(ids(run.lists[0]), (std::vector<std::string>{"b", "c", "a"}));
}

TEST(RunReader, SecondTagIsRemarkedOn) {
  Diagnostics warnings;
  const auto run = try_run("q Q0 b 1 5 one\nq Q0 a 2 4 two\n", &warnings);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->tag, "one");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "run-tags");
  EXPECT_EQ(warnings[0].place.line, 2U);
}

TEST(RunWriter, WritesWhatItReads) {
  const auto run = run_of("q Q0 b 3 0.1 t\nq Q0 \xC3\xA9 7 -1e-300 t\np Q0 x 0 12345678.9 t\n");
  const std::string text = write_run(run);
  const auto again = run_of(text);
  EXPECT_EQ(write_run(again), text);
  EXPECT_EQ(again.lists[0].documents, run.lists[0].documents);
  EXPECT_EQ(again.lists[1].documents, run.lists[1].documents);
  EXPECT_THAT(text, testing::StartsWith("q Q0 b 1 0.1 t\n"));
}

TEST(RunWriter, TiesAreWrittenSoThatEveryProgramSeesTheirOrder) {
  evaluation::Run run;
  run.lists.push_back({"q", {}, 0});
  // Equal; equal in single precision only; zero and beyond; far beyond single precision.
  for (const double score :
       {1e300, 1e299, 7.0, 7.0, 7.0, 6.9999999999, 0.5, 0.5, 0.0, 0.0, 0.0, -1e-12, -3.0, -1e300, -1e300}) {
    run.lists[0].documents.push_back({numbered("d", 10 + run.lists[0].documents.size()), score});
  }
  const auto again = run_of(write_run(run));
  EXPECT_EQ(ids(again.lists[0]), ids(run.lists[0]));
  Diagnostics warnings;
  const auto as_trec_eval = try_run(write_run(run), &warnings, Ties::kTrecEval);
  ASSERT_TRUE(as_trec_eval);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(ids(as_trec_eval->lists[0]), ids(run.lists[0]));
  for (std::size_t i = 1; i < again.lists[0].documents.size(); ++i) {
    EXPECT_LT(static_cast<float>(again.lists[0].documents[i].score),
              static_cast<float>(again.lists[0].documents[i - 1].score));
  }
  EXPECT_EQ(again.lists[0].documents[2].score, 7.0);
  EXPECT_EQ(again.lists[0].documents[12].score, -3.0);
}

TEST(RunWriter, LongTiesStayCloseToTheirScore) {
  FallingScores scores;
  std::string last;
  for (int i = 0; i < 1000; ++i) last = scores.next(0.25);
  EXPECT_NEAR(std::stod(last), 0.25, 1e-4);
  EXPECT_EQ(scores.next(0.125), "0.125");
}

TEST(Judging, ManyMissingAndUnknownQueriesAreOneWarningEach) {
  Truth truth = expected({{"a"}});
  for (int i = 0; i < 50; ++i)
    truth.queries.push_back({numbered("gone", 100 + static_cast<std::size_t>(i)), {{"b"}}, {}, {}});
  auto run = answer({"a"});
  for (int i = 0; i < 50; ++i)
    run.lists.push_back({numbered("stray", 100 + static_cast<std::size_t>(i)), {{"a", 1}}, 7});
  const JudgedRun result = judged(truth, run);
  EXPECT_EQ(result.missing.size(), 50U);
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_THAT(result.warnings[0].message,
              testing::HasSubstr("50 queries (\"gone100\", \"gone101\", \"gone102\", ...)"));
  EXPECT_THAT(result.warnings[1].message, testing::HasSubstr("50 queries (\"stray100\""));
}

TEST(Judging, MissingQueriesCountAsZeroAndAreNamed) {
  Truth truth = expected({{"a"}});
  truth.queries.push_back({"gone", {{"b"}}, {}, {}});
  truth.collection_size = 10;
  const JudgedRun run = judged(truth, answer({"a"}));
  EXPECT_THAT(run.missing, testing::ElementsAre("gone"));
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(run.warnings[0].code, "evaluation-missing-query");
  const Evaluation evaluation =
      evaluate(run, {{measure("AP"), measure("fallout"), measure("specificity"), measure("FN")}});
  EXPECT_EQ(evaluation.values[0][1], 0);
  EXPECT_EQ(evaluation.means[0], 0.5);
  EXPECT_EQ(evaluation.values[1][1], 1);  // lower is better, so the worst is 1
  EXPECT_EQ(evaluation.values[2][1], 0);
  EXPECT_EQ(evaluation.values[3][1], 1);
}

TEST(Judging, UnknownQueriesAreLeftOutAndNamedWithTheirLine) {
  const auto run = run_of("stray Q0 a 1 5 t\nq Q0 a 1 5 t\n");
  const JudgedRun result = judged(expected({{"a"}}), run);
  EXPECT_THAT(result.unknown, testing::ElementsAre("stray"));
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0].code, "evaluation-unknown-query");
  EXPECT_EQ(result.warnings[0].place.line, 1U);
  EXPECT_EQ(result.lists.size(), 1U);
}

TEST(Judging, RunAndTruthWithoutACommonQueryAreAnError) {
  EXPECT_EQ(judge(expected({{"a"}}), run_of("other Q0 a 1 5 t\n")).error().code, "evaluation-no-common-query");
}

TEST(Judging, TooSmallACollectionIsAnError) {
  Truth truth = expected({{"a", "b"}});
  truth.collection_size = 3;
  EXPECT_TRUE(judge(truth, answer({"a", "x"})));
  EXPECT_EQ(judge(truth, answer({"a", "x", "y"})).error().code, "evaluation-collection-size");
}

TEST(Judging, QueryIsTakenOutWhereTheTruthExcludesIt) {
  Truth truth = expected({{"a"}});
  EXPECT_EQ(value_of("RR", truth, answer({"q", "a"})), 0.5);
  truth.query_excluded = true;
  EXPECT_EQ(value_of("RR", truth, answer({"q", "a"})), 1);
}

}  // namespace run_test
}  // namespace rondo::evaluation
