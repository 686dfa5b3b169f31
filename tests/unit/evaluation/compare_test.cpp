#include "evaluation/compare.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evaluation/render.h"
#include "evaluation/text_table.h"
#include "support.h"
#include "support/data.h"

namespace rondo::evaluation {
namespace {

ScoreTable small_table() {
  return {"ADR", true, {"q1", "q2", "q3"}, {"one", "two"}, {{0.9, 0.5, 0.7}, {0.9, 0.6, 0.1}}};
}

TEST(Compare, MarksTheBestOfQueriesAndOfSystems) {
  const auto comparison = compare(small_table());
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->best_of_query[0], (std::vector<bool>{true, false, true}));
  EXPECT_EQ(comparison->best_of_query[1], (std::vector<bool>{true, true, false}));
  EXPECT_EQ(comparison->best_of_system[0], (std::vector<bool>{true, false, false}));
  EXPECT_NEAR(comparison->mean_of_best, (0.9 + 0.6 + 0.7) / 3, 1e-12);
  EXPECT_EQ(comparison->baseline, 0U);
  ASSERT_EQ(comparison->tests.size(), 1U);
  EXPECT_NEAR(comparison->tests[0].difference, 0.5 / 3, 1e-12);
}

TEST(Compare, LowerIsBetterTurnsEverythingRound) {
  ScoreTable table = small_table();
  table.higher_is_better = false;
  const auto comparison = compare(table);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->baseline, 1U);
  EXPECT_EQ(comparison->best_of_query[0], (std::vector<bool>{true, true, false}));
  EXPECT_EQ(comparison->best_of_system[1], (std::vector<bool>{false, false, true}));
  EXPECT_EQ(comparison->tests[0].mann_whitney.alternative, statistics::Alternative::kLess);
}

TEST(Compare, AllPairsPutTheBetterFirst) {
  ScoreTable table = small_table();
  table.systems.push_back("three");
  table.values.push_back({1, 1, 1});
  CompareOptions options;
  options.all_pairs = true;
  const auto comparison = compare(table, options);
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->tests.size(), 3U);
  for (const SystemTest& test : comparison->tests) EXPECT_GE(test.difference, 0);
}

TEST(Compare, HolmCoversTheTestsOfTheComparison) {
  ScoreTable table{"m", true, {}, {"base", "a", "b"}, {{}, {}, {}}};
  for (std::size_t q = 0; q < 10; ++q) {
    table.queries.push_back(numbered("q", q));
    table.values[0].push_back(0.5 + 0.01 * static_cast<double>(q));
    table.values[1].push_back(0.4 + 0.001 * static_cast<double>(q));
    table.values[2].push_back(q % 2 == 0 ? 0.9 : 0.1);
  }
  CompareOptions options;
  options.baseline = 0;
  const auto comparison = compare(table, options);
  ASSERT_TRUE(comparison);
  const SystemTest* a = comparison->test_of(1);
  const SystemTest* b = comparison->test_of(2);
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_DOUBLE_EQ(a->signed_rank.p, 2.0 / 1024);  // all ten differences positive
  EXPECT_DOUBLE_EQ(a->signed_rank_holm, 4.0 / 1024);
  EXPECT_DOUBLE_EQ(a->randomization.p, 2.0 / 1024);
  EXPECT_GE(b->signed_rank_holm, b->signed_rank.p);
  EXPECT_EQ(comparison->test_of(0), nullptr);
}

TEST(Compare, MarksStandForThePairedTestWithCorrection) {
  // Six queries, all differences positive: p = 2/64; two tests: 4/64 = .0625 with Holm's correction, one star.
  ScoreTable table{"m", true, {}, {"base", "a", "b"}, {{}, {}, {}}};
  for (std::size_t q = 0; q < 6; ++q) {
    table.queries.push_back(numbered("q", q));
    for (std::size_t s = 0; s < 3; ++s) {
      table.values[s].push_back(0.9 - 0.1 * static_cast<double>(s) * static_cast<double>(q + 1));
    }
  }
  CompareOptions options;
  options.baseline = 0;
  const auto comparison = compare(table, options);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->test_of(1)->mark, "*");
  EXPECT_DOUBLE_EQ(comparison->test_of(1)->signed_rank_holm, 0.0625);
  // Friedman: ranks 3 2 1 six times over; chi square 12 with 2 degrees of freedom, p = exp(-6).
  EXPECT_NEAR(comparison->friedman.statistic, 12, 1e-12);
  EXPECT_NEAR(comparison->friedman.p, std::exp(-6.0), 1e-15);
  EXPECT_LT(comparison->test_of(2)->nemenyi, comparison->test_of(1)->nemenyi);
}

TEST(Compare, TestsGoIntoCsvAndLatex) {
  ScoreTable table{"m_1", true, {"50%", "b"}, {"a&b", "c"}, {{1, 0.5}, {0.25, 0.5}}};
  CompareOptions options;
  options.all_pairs = true;
  const auto comparison = compare(table, options);
  ASSERT_TRUE(comparison);
  const std::string csv = tests_csv_header() + render_tests_csv(*comparison);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  EXPECT_NE(csv.find("\nm_1,a&b,c,0.375,"), std::string::npos) << csv;
  const std::string latex = render_latex(*comparison);
  EXPECT_NE(latex.find("  50\\% & \\textbf{\\textit{1.0000}} & 0.2500 \\\\\n"), std::string::npos) << latex;
  EXPECT_NE(latex.find("a\\&b"), std::string::npos);
  EXPECT_THAT(latex, testing::HasSubstr("  mean & 0.7500 & 0.3750 "));
  EXPECT_NE(latex.find("\\toprule"), std::string::npos);
}

TEST(Compare, MeansGoIntoLatexMeasureByMeasure) {
  const Truth truth = truth_of("q 0 a 1\n");
  const auto measures = parse_measures("ADR,P@5").value();
  const Evaluation runs[] = {evaluate(judged(truth, run_of("q Q0 a 1 2 one_\n")), measures),
                             evaluate(judged(truth, run_of("q Q0 x 1 2 two\n")), measures)};
  EXPECT_THAT(render_latex(runs), testing::HasSubstr("  \\midrule\n"
                                                     "  ADR & 1.0000 & 0.0000 \\\\\n"
                                                     "  P@5 & 0.2000 & 0.0000 \\\\\n"
                                                     "  \\bottomrule\n"));
}

TEST(Render, LongNamesAreCutAfterWholeCharacters) {
  EXPECT_EQ(cut("Sch\u00fctz", 6), "Sch\u00fctz");
  EXPECT_EQ(cut("Sch\u00fctz", 5), "Sch\u00fc~");
  EXPECT_EQ(cut("Sch\u00fctz", 4), "Sch~");
}

TEST(Compare, RoundingNoiseDoesNotDecideWhoIsBest) {
  ScoreTable table{"m", true, {"q"}, {"a", "b"}, {{0.1 + 0.2}, {0.3}}};
  const auto comparison = compare(table);
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->best_of_query[0][0] && comparison->best_of_query[1][0]);
  EXPECT_EQ(comparison->tests[0].signed_rank.p, 1);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(compare({}).error().code, "compare-empty");
  ScoreTable table = small_table();
  table.values[1].pop_back();
  EXPECT_EQ(compare(table).error().code, "compare-shape");
  table = small_table();
  table.values.pop_back();
  EXPECT_EQ(compare(table).error().code, "compare-shape");
  table = small_table();
  table.values[0][0] = NAN;
  EXPECT_EQ(compare(table).error().code, "compare-undefined");
  CompareOptions options;
  options.baseline = 2;
  EXPECT_EQ(compare(small_table(), options).error().code, "compare-baseline");
  EXPECT_EQ(score_table({}, 0).error().code, "compare-empty");
}

TEST(Compare, TakesItsColumnsFromEvaluations) {
  const Truth truth = truth_of(example("adr/truth.txt"));
  std::vector<Evaluation> runs;
  for (const char* name : {"adr/a.run", "adr/b.run"}) {
    runs.push_back(evaluate(judged(truth, run_of(example(name))), {{measure("ADR")}}));
  }
  const auto table = score_table(runs, 0);
  ASSERT_TRUE(table);
  EXPECT_THAT(table->systems, testing::ElementsAre("a", "b"));
  EXPECT_NEAR(table->values[0][0], 0.86, 1e-12);
  runs[1].queries.pop_back();
  EXPECT_EQ(score_table(runs, 0).error().code, "compare-queries");
  EXPECT_EQ(score_table(runs, 7).error().code, "compare-queries");
}

TEST(ScoreTable, ReadsWhatComparisonsWrite) {
  const auto comparison = compare(small_table());
  ASSERT_TRUE(comparison);
  const std::string csv = render_csv(*comparison);
  MemorySource source(csv);
  const auto back = read_score_table(source, "t.csv", "ADR");
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(back->systems, small_table().systems);
  EXPECT_EQ(back->queries, small_table().queries) << "the line of means is not one of them";
  EXPECT_EQ(back->values, small_table().values);
}

TEST(ScoreTable, UnderstandsQuotes) {
  MemorySource source("\xEF\xBB\xBFquery,\"L, \"\"P3\"\"\"\r\n\"q,1\",0.5\r\n");
  const auto table = read_score_table(source, "t.csv", "ADR");
  ASSERT_TRUE(table) << table.error().to_string();
  EXPECT_THAT(table->systems, testing::ElementsAre("L, \"P3\""));
  EXPECT_THAT(table->queries, testing::ElementsAre("q,1"));
}

TEST(ScoreTable, NamesTheLineOfEveryMistake) {
  const auto problem = [](std::string_view text) {
    MemorySource source(text);
    const auto table = read_score_table(source, "t.csv", "ADR");
    return table ? std::string("none") : fmt::format("{} {}", table.error().code, table.error().place.line);
  };
  EXPECT_EQ(problem("query\n"), "table-columns 1");
  EXPECT_EQ(problem("query,a\nq,1,2\n"), "table-columns 2");
  EXPECT_EQ(problem("query,a\nq,1\n\nr,one\n"), "table-number 4");
  EXPECT_EQ(problem("query,a\nq,nan\n"), "table-number 2");
  EXPECT_EQ(problem("query,a\nq,1\nq,2\n"), "table-duplicate 3");
  EXPECT_THAT(problem(""), testing::StartsWith("table-empty"));
  EXPECT_THAT(problem("query,a\n"), testing::StartsWith("table-empty"));
}

ScoreTable read_table2() {
  const std::string text = slurp(rondo_data("mirex2005/table2.csv"));
  MemorySource source(text);
  auto table = read_score_table(source, "table2.csv", "ADR");
  EXPECT_TRUE(table) << table.error().to_string();
  return table.value_or(ScoreTable{});
}

TEST(Mirex2005, Table2ComesOutAgain) {
  RONDO_NEEDS_DATA("mirex2005/table2.csv");
  CompareOptions options;
  options.baseline = 0;
  const auto comparison = compare(read_table2(), options);
  ASSERT_TRUE(comparison) << comparison.error().to_string();
  ASSERT_EQ(comparison->scores.systems.size(), 8U);
  ASSERT_EQ(comparison->scores.queries.size(), 11U);

  const std::vector<double> means{.7098, .6596, .6495, .6419, .5709, .5583, .5428, .5182};
  for (std::size_t s = 0; s < means.size(); ++s) {
    EXPECT_NEAR(comparison->means[s].estimate, means[s], 5.01e-5) << comparison->scores.systems[s];
    EXPECT_LT(comparison->means[s].low, means[s]);
    EXPECT_GT(comparison->means[s].high, means[s]);
  }
  EXPECT_NEAR(comparison->mean_of_best, .788, 5e-4);

  // One-tailed p from R (exactRankTests::wilcox.exact) on the published table. The paper prints *** for L(P3), whose p
  // on its rounded figures is a hair above .01.
  const std::vector<std::pair<double, std::string>> tests{{0.265212, ""},      {0.1866176, ""},    {0.1956432, ""},
                                                          {0.06410115, "*"},   {0.01004349, "**"}, {0.01594767, "**"},
                                                          {0.004397305, "***"}};
  for (std::size_t s = 1; s < means.size(); ++s) {
    const SystemTest* test = comparison->test_of(s);
    ASSERT_NE(test, nullptr);
    EXPECT_EQ(test->mann_whitney.method, statistics::Method::kExact);
    EXPECT_NEAR(test->mann_whitney.p, tests[s - 1].first, 5e-7) << comparison->scores.systems[s];
    EXPECT_EQ(test->mann_whitney_mark, tests[s - 1].second) << comparison->scores.systems[s];
  }
  // The paper says its own system is best on 5 of 11 queries; counting shared firsts, it is.
  EXPECT_EQ(std::count(comparison->best_of_query[0].begin(), comparison->best_of_query[0].end(), true), 5);
}

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) {
    widest = std::max(widest, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
                        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
                      })));
  }
  return widest;
}

std::vector<Evaluation> many_runs() {
  const Truth truth = truth_of(example("cover-songs/truth.json"));
  std::vector<Evaluation> runs;
  for (int i = 0; i < 12; ++i) {
    Run run = run_of(example("cover-songs/answers.run"));
    run.tag = i == 3 ? "a-system-with-quite-a-long-name, \"quoted\"" : "answers";
    runs.push_back(evaluate(judged(truth, run), parse_measures("all").value()));
  }
  return runs;
}

TEST(Render, TablesFitEightyColumns) {
  TableOptions options;
  options.per_query = true;
  const std::string text = render_table(many_runs(), options);
  EXPECT_LE(widest_line(text), 80U);
  EXPECT_EQ(text.find('\t'), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const auto comparison = compare(score_table(many_runs(), 0).value());
  EXPECT_LE(widest_line(render_table(*comparison)), 80U);
  EXPECT_LE(widest_line(render_measures()), 80U);
  for (const std::size_t width : std::initializer_list<std::size_t>{0, 1, 24, 40, 200}) {
    options.width = width;
    EXPECT_LE(widest_line(render_table(many_runs(), options)), std::max<std::size_t>(width, 24));
  }
}

TEST(Render, SummaryIsWhatItShouldBe) {
  const Truth truth = truth_of(example("adr/truth.txt"));
  std::vector<Evaluation> runs;
  for (const char* name : {"adr/a.run", "adr/b.run"}) {
    runs.push_back(evaluate(judged(truth, run_of(example(name))), parse_measures("ADR,P@5,accuracy").value()));
  }
  // ADR of "single" is (0 + 0 + 1/3 + 2/4) / 4 = 0.208333 in both. P@5: a has 4/5 and 2/5, b 4/5 and 2/5.
  EXPECT_EQ(render_table(runs), R"(measure        a       b
ADR       0.5342  0.4758
P@5       0.6000  0.6000
accuracy       -       -
------------------------
queries        2       2
- : not defined without the number of documents in the collection
)");
  EXPECT_THAT(render_csv(runs, true), testing::StartsWith("run,query,ADR,P@5,accuracy\na,groups,0.86,0.8,\n"));
  const nlohmann::json json = render_json(runs, true);
  EXPECT_EQ(json["measures"], (nlohmann::json{"ADR", "P@5", "accuracy"}));
  EXPECT_NEAR(json["runs"][0]["per_query"]["groups"]["ADR"].get<double>(), 0.86, 1e-12);
  EXPECT_TRUE(json["runs"][0]["mean"]["accuracy"].is_null());
}

TEST(Render, ComparisonMarksSurviveAPipe) {
  const auto comparison = compare(small_table());
  const std::string text = render_table(*comparison);
  EXPECT_THAT(text, testing::HasSubstr("q1        0.9000^_   0.9000^_\n"));
  EXPECT_THAT(text, testing::HasSubstr("q2        0.5000     0.6000^\n"));
  TableOptions ansi;
  ansi.emphasis = Emphasis::kAnsi;
  EXPECT_THAT(render_table(*comparison, ansi), testing::HasSubstr("\x1b[1m\x1b[3m0.9000   \x1b[0m"));
  EXPECT_THAT(render_csv(*comparison), testing::StartsWith("query,one,two\nq1,0.9,0.9\n"));
  const nlohmann::json json = render_json(*comparison);
  EXPECT_EQ(json["tests"][0]["mann_whitney"]["alternative"], "greater");
  EXPECT_EQ(json["systems"][1]["best_of_query"], (nlohmann::json{true, true, false}));
}

TEST(Render, RunsOfOneNameAreToldApartAndNamesAreQuoted) {
  const std::string csv = render_csv(many_runs(), false);
  EXPECT_THAT(csv, testing::HasSubstr("\nanswers,all,"));
  EXPECT_THAT(csv, testing::HasSubstr("\nanswers (2),all,"));
  EXPECT_THAT(csv, testing::HasSubstr("\n\"a-system-with-quite-a-long-name, \"\"quoted\"\"\",all,"));
}

TEST(Render, NothingToRenderIsNotAnAccident) {
  EXPECT_EQ(render_table(std::span<const Evaluation>{}), "");
  EXPECT_EQ(render_csv(std::span<const Evaluation>{}, true), "");
  EXPECT_EQ(render_json(std::span<const Evaluation>{}, true)["runs"].size(), 0U);
}

TEST(Render, TextThatIsNotUtf8DoesNotStopJson) { EXPECT_NO_THROW((void)dump(nlohmann::json{{"name", "\xFF"}})); }

TEST(Docs, EvaluationPageHoldsTheRegistry) {
  const std::string page = slurp(std::filesystem::path(RONDO_SOURCE_DIR) / "docs" / "evaluation.md");
  EXPECT_NE(page.find(measures_markdown()), std::string::npos)
      << "docs/evaluation.md is out of date; its table of measures should be\n"
      << measures_markdown();
}

}  // namespace
}  // namespace rondo::evaluation
