#include "cli/measured.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "base/output_file.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "evaluation/curves.h"
#include "report/page.h"

namespace rondo::cli {

namespace ev = rondo::evaluation;

Result<void> Measured::add(ev::Run run, std::span<const ev::MeasureSpec> measures) {
  auto judged = ev::judge(truth, run);
  if (!judged) return fail(std::move(judged.error()));
  print_remarks(judged->warnings);
  report::SystemResult& system = systems.emplace_back();
  system.run = std::move(run);
  system.judged = std::move(*judged);
  system.evaluation = ev::evaluate(system.judged, measures);
  return {};
}

std::vector<ev::Evaluation> Measured::evaluations() const {
  std::vector<ev::Evaluation> out;
  out.reserve(systems.size());
  for (const report::SystemResult& system : systems) out.push_back(system.evaluation);
  return out;
}

ev::TableOptions table_options() {
  ev::TableOptions table;
  const std::size_t terminal = terminal_width(stdout);
  table.width = terminal == 0 ? 100'000 : terminal;
  table.emphasis = terminal == 0 ? ev::Emphasis::kMarks : ev::Emphasis::kAnsi;
  return table;
}

int print_measures(const Measured& measured, const std::string& format, bool per_query) {
  const std::vector<ev::Evaluation> results = measured.evaluations();
  if (format == "json") {
    print_to(stdout, "{}\n", ev::dump(ev::render_json(results, per_query)));
  } else if (format == "csv") {
    print_to(stdout, "{}", ev::render_csv(results, per_query));
  } else if (format == "latex") {
    print_to(stdout, "{}", ev::render_latex(results, table_options()));
  } else {
    ev::TableOptions table = table_options();
    table.per_query = per_query;
    print_to(stdout, "{}", ev::render_table(results, table));
  }
  return kSuccess;
}

int print_comparisons(const Measured& measured, const std::string& format) {
  const std::vector<ev::Evaluation> results = measured.evaluations();
  std::vector<ev::Comparison> comparisons;
  for (std::size_t m = 0; m < results.front().measures.size(); ++m) {
    auto scores = ev::score_table(results, m);
    if (!scores) return report(scores.error());
    auto comparison = ev::compare(std::move(*scores), measured.compare);
    if (!comparison) return report(comparison.error());
    comparisons.push_back(std::move(*comparison));
  }
  return print_comparisons(comparisons, format, measured.compare.all_pairs);
}

int print_comparisons(const std::vector<ev::Comparison>& comparisons, const std::string& format, bool tests_as_csv) {
  nlohmann::json all = nlohmann::json::array();
  if (format == "csv" && tests_as_csv) print_to(stdout, "{}", ev::tests_csv_header());
  for (const ev::Comparison& comparison : comparisons) {
    if (format == "json") {
      all.push_back(ev::render_json(comparison));
      continue;
    }
    if (format == "csv" && tests_as_csv) {
      print_to(stdout, "{}", ev::render_tests_csv(comparison));
      continue;
    }
    const char* const gap = &comparison == &comparisons.front() ? "" : "\n";
    print_to(stdout, "{}{}", gap,
             format == "csv"     ? ev::render_csv(comparison)
             : format == "latex" ? ev::render_latex(comparison, table_options())
                                 : ev::render_table(comparison, table_options()));
  }
  if (format == "json") print_to(stdout, "{}\n", ev::dump(all));
  return kSuccess;
}

int print_curve(const Measured& measured, const std::string& curve, const std::string& format) {
  const ev::CurveKind* kind = ev::find_curve(curve);
  if (kind == nullptr) {
    std::string names;
    for (const ev::CurveKind& one : ev::all_curves()) names += (names.empty() ? "" : ", ") + std::string(one.name);
    return report(Error{"curve-unknown", fmt::format("there is no curve '{}'", curve), {}, "there are: " + names});
  }
  nlohmann::json all = nlohmann::json::array();
  Table table({{"run"}, {"query"}, {"x", Table::Align::right}, {"y", Table::Align::right}});
  std::string csv = csv_line({"run", "query", "x", "y"});
  for (const report::SystemResult& system : measured.systems) {
    auto set = ev::draw(*kind, system.judged);
    if (!set) return report(set.error());
    nlohmann::json entry = ev::render_json(*set);
    entry["run"] = system.evaluation.run;
    all.push_back(std::move(entry));
    const auto add = [&](const std::string& query, const ev::Points& points) {
      for (const ev::Point& point : points) {
        table.row({system.evaluation.run, query, fmt::format("{:.4f}", point.x), fmt::format("{:.4f}", point.y)});
        csv += csv_line({system.evaluation.run, query, fmt::format("{}", point.x), fmt::format("{}", point.y)});
      }
    };
    for (const ev::Curve& one : set->queries) add(one.name, one.points);
    add("all", set->mean);
  }
  if (format == "table" || format == "latex") {
    print_to(stdout, "{}: {} (y) over {} (x)\n", kind->title, kind->y_label, kind->x_label);
    table.print(stdout);
  } else {
    print_to(stdout, "{}", format == "json" ? ev::dump(all) : csv);
  }
  return kSuccess;
}

Result<void> check_report(const std::string& path) {
  if (path.empty()) return {};
  auto fine = report::page_available();
  return fine ? check_output(path) : fine;
}

Result<void> write_report(const std::string& path, const std::string& title, const Measured& measured) {
  report::EvaluationReport page;
  page.title = title;
  page.provenance = {.command = command_line(),
                     .version = RONDO_VERSION,
                     .created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                     .truth_file = measured.truth_file};
  page.truth = &measured.truth;
  page.systems = measured.systems;
  page.warnings = measured.warnings;
  page.compare = measured.compare;
  auto data = report::evaluation_data(page);
  if (!data) return fail(std::move(data.error()));
  auto html = report::make_page(title, *data);
  if (!html) return fail(std::move(html.error()));
  if (auto done = write_output(path, *html); !done) return done;
  print_to(stderr, "report: {}\n", path);
  return {};
}

}  // namespace rondo::cli
