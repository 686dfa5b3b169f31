#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/bundle.h"
#include "report/curves.h"
#include "report/evaluation.h"
#include "report/page.h"
#include "unit/evaluation/support.h"

namespace rondo::report {
namespace {

using evaluation::example;
using nlohmann::ordered_json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// Runs measured on a truth, as the command line hands them over.
struct Case {
  evaluation::Truth truth;
  std::vector<SystemResult> systems;

  Case(evaluation::Truth expected, const std::vector<evaluation::Run>& runs, std::string_view measures)
      : truth(std::move(expected)) {
    for (const evaluation::Run& run : runs) {
      SystemResult& system = systems.emplace_back();
      system.run = run;
      system.judged = evaluation::judged(truth, run);
      system.evaluation = evaluation::evaluate(system.judged, evaluation::parse_measures(measures).value());
    }
  }

  [[nodiscard]] EvaluationReport report() const {
    EvaluationReport out;
    out.provenance = {"rondo evaluate", "1.2.3", "2026-01-01T00:00:00Z", "truth.txt"};
    out.truth = &truth;
    out.systems = systems;
    return out;
  }
};

Case adr_case(std::string_view measures = "ADR,accuracy") {
  return {evaluation::truth_of(example("adr/truth.txt")),
          {evaluation::run_of(example("adr/a.run")), evaluation::run_of(example("adr/b.run"))},
          measures};
}

TEST(ReportData, HoldsValuesAnswersAndComparisons) {
  const Case adr = adr_case();
  const auto data = evaluation_data(adr.report());
  ASSERT_TRUE(data) << data.error().to_string();
  EXPECT_EQ((*data)["queries"], (ordered_json{"groups", "single"}));
  EXPECT_NEAR((*data)["systems"][0]["values"][0][0].get<double>(), 0.86, 1e-12);
  // The answer d2 d3 d1 d5 d7 d8 d9 d4 against <(d1, d2), (d3, d4, d5)>; what the truth does not name is unjudged.
  const ordered_json& answer = (*data)["systems"][0]["answers"][0];
  EXPECT_EQ(answer["documents"][1], "d3");
  EXPECT_EQ(answer["groups"], (ordered_json{1, 2, 1, 2, -1, -1, -1, 2}));
  EXPECT_EQ(answer["found"], 5);
  EXPECT_EQ((*data)["truth"]["groups"][0][1]["documents"], (ordered_json{"d3", "d4", "d5"}));
  // a is better on "groups" and equal on "single"; each system is at its best on "groups".
  const ordered_json& comparison = (*data)["comparisons"][0];
  EXPECT_EQ(comparison["systems"][0]["best_of_query"], "11");
  EXPECT_EQ(comparison["systems"][1]["best_of_query"], "01");
  EXPECT_EQ(comparison["systems"][1]["best_of_system"], "10");
  EXPECT_FALSE(comparison["systems"][0].contains("values")) << "they are already with the systems";
  EXPECT_EQ((*data)["provenance"]["command"], "rondo evaluate");
}

TEST(ReportData, SaysWhatIsNotDefinedInsteadOfFailing) {
  const Case adr = adr_case();  // the size of its collection is not known
  const auto data = evaluation_data(adr.report());
  ASSERT_TRUE(data);
  EXPECT_EQ((*data)["comparisons"][1], (ordered_json{{"measure", "accuracy"}, {"undefined", true}}));
  EXPECT_TRUE((*data)["systems"][0]["means"][1].is_null());
  int undefined = 0;
  for (const ordered_json& curve : (*data)["curves"]) undefined += curve.contains("undefined") ? 1 : 0;
  EXPECT_EQ(undefined, 2) << "ROC and lift";
}

TEST(ReportData, KeepsMissingQueriesAndWarnings) {
  evaluation::Run run = evaluation::run_of(example("adr/a.run"));
  run.lists.pop_back();
  const Case adr(evaluation::truth_of(example("adr/truth.txt")), {run}, "ADR");
  const auto data = evaluation_data(adr.report());
  ASSERT_TRUE(data);
  EXPECT_EQ((*data)["systems"][0]["missing"], (ordered_json{"single"}));
  EXPECT_EQ((*data)["systems"][0]["answers"][1]["missing"], true);
  EXPECT_EQ((*data)["warnings"][0]["code"], "evaluation-missing-query");
}

TEST(ReportData, LeavesOutTheQueryWhereTheTruthDoes) {
  evaluation::Truth truth = evaluation::expected({{"a"}});
  truth.query_excluded = true;
  const Case one(truth, {evaluation::answer({"x", "q", "a"})}, "ADR");
  const auto data = evaluation_data(one.report());
  ASSERT_TRUE(data);
  EXPECT_EQ((*data)["systems"][0]["answers"][0]["documents"], (ordered_json{"x", "a"}));
  EXPECT_EQ((*data)["systems"][0]["answers"][0]["groups"], (ordered_json{-1, 1}));
}

TEST(ReportData, StaysWithinItsLimits) {
  const Case adr = adr_case("ADR");
  EvaluationReport report = adr.report();
  report.documents_per_answer = 3;
  report.most_documents = 6;  // two systems, so one query
  report.most_points = 1;     // which not even one query keeps to
  const auto data = evaluation_data(report);
  ASSERT_TRUE(data);
  EXPECT_EQ((*data)["systems"][0]["answers"].size(), 1U);
  EXPECT_EQ((*data)["systems"][0]["answers"][0]["documents"].size(), 3U);
  EXPECT_EQ((*data)["systems"][0]["answers"][0]["retrieved"], 8);
  EXPECT_EQ((*data)["systems"][0]["values"][0].size(), 2U) << "measures always cover everything";
  EXPECT_EQ((*data)["curves"][0]["systems"][0]["queries"].size(), 1U);
  EXPECT_EQ((*data)["details"], (ordered_json{{"queries", 1}, {"documents", 3}, {"lines", 1}}));
  // Three documents in all: both of the first group, one of the second.
  EXPECT_EQ((*data)["truth"]["groups"][0][1]["documents"].size(), 1U);
  EXPECT_EQ((*data)["truth"]["groups"][0][1]["size"], 3);
}

TEST(ReportData, NothingToReportIsAnError) { EXPECT_EQ(evaluation_data({}).error().code, "report-empty"); }

TEST(ReportData, RunsOfOneNameAreToldApart) {
  const evaluation::Run run = evaluation::run_of(example("adr/a.run"));
  const Case twins(evaluation::truth_of(example("adr/truth.txt")), {run, run}, "ADR");
  const auto data = evaluation_data(twins.report());
  ASSERT_TRUE(data);
  EXPECT_EQ((*data)["systems"][1]["name"], "a (2)");
  EXPECT_EQ((*data)["comparisons"][0]["tests"][0]["other"], "a (2)");
}

TEST(ReportCurves, PointsOnAStraightLineAreLeftOut) {
  using evaluation::Point;
  const evaluation::Points steps{{0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 2}, {4, 3}, {4, 5}};
  EXPECT_EQ(without_straight_points(steps), (evaluation::Points{{0, 0}, {2, 0}, {4, 2}, {4, 5}}));
  const evaluation::Points back{{0, 0}, {2, 0}, {1, 0}};
  EXPECT_EQ(without_straight_points(back), back) << "a line that turns back keeps its turning point";
  EXPECT_EQ(without_straight_points({}), evaluation::Points{});
  EXPECT_EQ(without_straight_points({{1, 1}}), (evaluation::Points{{1, 1}}));
}

TEST(ReportPage, DataCannotEndItsElement) {
  const ordered_json hostile = {{"</script><img src=x onerror=alert(1)>", "<!-- \xFF"}};
  const std::string json = script_json(hostile);
  EXPECT_THAT(json, Not(HasSubstr("<")));
  const ordered_json back = ordered_json::parse(json);
  EXPECT_EQ(back.begin().key(), "</script><img src=x onerror=alert(1)>") << "and means the same";
}

TEST(ReportPage, IsOneFileThatAsksForNothing) {
  if (!page_available()) GTEST_SKIP() << "web/dist was not built: npm install --no-save && npm run build in web/";
  const auto page = make_page("a < b & \"c\"", {{"n", 1}});
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("<title>a &lt; b &amp; &quot;c&quot;</title>"));
  EXPECT_THAT(*page, HasSubstr("default-src 'none'"));
  for (const char* outside : {"<link", "src=\"http", "href=\"http", "@import", "url(http"}) {
    EXPECT_THAT(*page, Not(HasSubstr(outside)));
  }
  EXPECT_LT(page->size(), 500'000U) << "the page without data";
}

TEST(ReportPage, ScriptAndStyleCannotEndTheirElements) {
  for (const Bundle& bundle : {report_bundle(), tables_bundle()}) {
    EXPECT_THAT(std::string(bundle.script), Not(HasSubstr("</script")));
    // A comment's beginning does harm only together with the other: behind both, </script> no longer ends the element.
    EXPECT_THAT(std::string(bundle.script), AnyOf(Not(HasSubstr("<!--")), Not(HasSubstr("<script"))));
    EXPECT_THAT(std::string(bundle.style), Not(HasSubstr("</style")));
  }
}

}  // namespace
}  // namespace rondo::report
