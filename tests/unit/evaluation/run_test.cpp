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
  expect_error("q Q0 a one 2 t\n", "run-rank", 1);
  expect_error("q Q0 a -1 2 t\n", "run-rank", 1);
  expect_error("q Q0 a 1.5 2 t\n", "run-rank", 1);
  expect_error("q Q0 a 99999999999999999999 2 t\n", "run-rank", 1);
  expect_error("q Q0 a 1 high t\n", "run-score", 1);
  expect_error("q Q0 a 1 nan t\n", "run-score", 1);
  expect_error("q Q0 a 1 inf t\n", "run-score", 1);
  expect_error("q Q0 a 1 1e999 t\n", "run-score", 1);
  expect_error("q Q0 a 2 2 t\nq Q0 b 1 1 t\n", "run-rank-order", 2);
  expect_error("q Q0 a 1 2 t\nq Q0 b 1 1 t\n", "run-rank-order", 2);
  expect_error("q Q0 a 1 2 t\n\nq Q0 b 2 3 t\n", "run-score-order", 3);
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

TEST(RunReader, EqualScoresAreOrderedAsTrecEvalDoes) {
  const char* text = "q Q0 a 1 5 t\nq Q0 c 2 5 t\nq Q0 b 3 5 t\nq Q0 z 4 1 t\n";
  Diagnostics warnings;
  const auto run = try_run(text, &warnings);
  ASSERT_TRUE(run);
  EXPECT_EQ(ids(run->lists[0]), (std::vector<std::string>{"c", "b", "a", "z"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "run-ties");

  warnings.clear();
  const auto written = try_run(text, &warnings, Ties::kAsWritten);
  ASSERT_TRUE(written);
  EXPECT_EQ(ids(written->lists[0]), (std::vector<std::string>{"a", "c", "b", "z"}));
  EXPECT_TRUE(warnings.empty());
}

TEST(RunReader, OrderThatAlreadyAgreesIsNotRemarkedOn) {
  Diagnostics warnings;
  ASSERT_TRUE(try_run("q Q0 b 1 5 t\nq Q0 a 2 5 t\n", &warnings));
  EXPECT_TRUE(warnings.empty());
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
