#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evaluation/render.h"
#include "render_parts.h"
#include "text_table.h"

namespace rondo::evaluation {
namespace {

using nlohmann::json;
using Cells = std::vector<TextTable::Cell>;

/// Pads the text for three marks, so that numbers with and without marks are aligned.
std::string marked(std::string_view text, std::string_view marks = {}) { return fmt::format("{}{:<3}", text, marks); }

TextTable::Cell value_cell(const Comparison& comparison, std::size_t s, std::size_t q, const TableOptions& options) {
  const bool bold = comparison.best_of_query[s][q];
  const bool italic = comparison.best_of_system[s][q];
  std::string marks;
  if (options.emphasis == Emphasis::kMarks) marks = std::string(bold ? "^" : "") + (italic ? "_" : "");
  TextTable::Cell cell{marked(number(comparison.scores.values[s][q], options.digits), marks)};
  if (options.emphasis == Emphasis::kAnsi && (bold || italic)) {
    cell.before = std::string(bold ? "\x1b[1m" : "") + (italic ? "\x1b[3m" : "");
    cell.after = "\x1b[0m";
  }
  return cell;
}

std::string scores_table(const Comparison& comparison, const TableOptions& options) {
  const ScoreTable& scores = comparison.scores;
  std::vector<std::string> header{scores.measure};
  for (const std::string& system : distinct(scores.systems)) header.push_back(marked(system));
  TextTable table(std::move(header));
  for (std::size_t q = 0; q < scores.queries.size(); ++q) {
    Cells row{{scores.queries[q]}};
    for (std::size_t s = 0; s < scores.systems.size(); ++s) row.push_back(value_cell(comparison, s, q, options));
    table.add(std::move(row));
  }
  table.add_rule();
  Cells means{{"mean"}};
  Cells low{{fmt::format("{:g}% from", comparison.means.front().level * 100)}};
  Cells high{{fmt::format("{:g}% to", comparison.means.front().level * 100)}};
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    const SystemTest* test = comparison.test_of(s);
    means.push_back({marked(number(comparison.means[s].estimate, options.digits), test != nullptr ? test->mark : "")});
    low.push_back({marked(number(comparison.means[s].low, options.digits))});
    high.push_back({marked(number(comparison.means[s].high, options.digits))});
  }
  table.add(std::move(means));
  table.add(std::move(low));
  table.add(std::move(high));
  return table.render(options.width);
}

std::string tests_table(const Comparison& comparison, const TableOptions& options) {
  const std::vector<std::string> systems = distinct(comparison.scores.systems);
  TextTable table({"compared", "difference", "signed rank", marked("Holm"), "random.", "Holm", "Nemenyi", marked("U")});
  for (const SystemTest& test : comparison.tests) {
    table.add({{systems[test.better] + " : " + systems[test.other]},
               {fmt::format("{:+.{}f}", test.difference, options.digits)},
               {p_text(test.signed_rank.p)},
               {marked(p_text(test.signed_rank_holm), test.mark)},
               {p_text(test.randomization.p)},
               {p_text(test.randomization_holm)},
               {p_text(test.nemenyi)},
               {marked(p_text(test.mann_whitney.p), test.mann_whitney_mark)}});
  }
  return table.render(options.width);
}

std::string methods(const Comparison& comparison) {
  const SystemTest& test = comparison.tests.front();
  const statistics::FriedmanResult& friedman = comparison.friedman;
  return fmt::format(
      "Marks: * p < .10, ** p < .05, *** p < .01; beside the means those of the signed rank test with Holm's "
      "correction. "
      "Paired and two-sided: Wilcoxon signed rank ({}) and randomization ({}), each also with Holm's correction for {} "
      "test{}. All systems at once: Friedman, chi square {:.3f}, {} df, p {}{}; Nemenyi after it, for all pairs. U: "
      "one-tailed Mann-Whitney ({}), unpaired.",
      to_string(test.signed_rank.method), to_string(test.randomization.method), comparison.tests.size(),
      comparison.tests.size() == 1 ? "" : "s", friedman.statistic, friedman.degrees, friedman.p < 0.0001 ? "" : "= ",
      p_text(friedman.p), to_string(test.mann_whitney.method));
}

json test_json(const statistics::TestResult& test) {
  return {{"statistic", json_number(test.statistic)},
          {"p", json_number(test.p)},
          {"alternative", to_string(test.alternative)},
          {"method", to_string(test.method)},
          {"ties", test.ties}};
}

}  // namespace

std::string render_table(const Comparison& comparison, const TableOptions& options) {
  std::string out = scores_table(comparison, options);
  if (options.emphasis == Emphasis::kMarks) out += "^ best of the query, _ best of the system\n";
  out += fmt::format("mean of the best of each query: {}\n", number(comparison.mean_of_best, options.digits));
  if (comparison.tests.empty()) return out;
  return out + "\n" + tests_table(comparison, options) + wrap(methods(comparison), options.width);
}

std::string tests_csv_header() {
  return csv_line({"measure", "better", "other", "difference", "signed_rank", "signed_rank_holm", "mark",
                   "randomization", "randomization_holm", "friedman", "nemenyi", "mann_whitney", "mann_whitney_mark"});
}

std::string render_tests_csv(const Comparison& comparison) {
  const std::vector<std::string> systems = distinct(comparison.scores.systems);
  std::string out;
  for (const SystemTest& test : comparison.tests) {
    out += csv_line({comparison.scores.measure, systems[test.better], systems[test.other], full_number(test.difference),
                     full_number(test.signed_rank.p), full_number(test.signed_rank_holm), test.mark,
                     full_number(test.randomization.p), full_number(test.randomization_holm),
                     full_number(comparison.friedman.p), full_number(test.nemenyi), full_number(test.mann_whitney.p),
                     test.mann_whitney_mark});
  }
  return out;
}

std::string render_csv(const Comparison& comparison) {
  std::vector<std::string> line{"query"};
  for (std::string& system : distinct(comparison.scores.systems)) line.push_back(std::move(system));
  std::string out = csv_line(line);
  for (std::size_t q = 0; q < comparison.scores.queries.size(); ++q) {
    line = {comparison.scores.queries[q]};
    for (const auto& values : comparison.scores.values) line.push_back(full_number(values[q]));
    out += csv_line(line);
  }
  line = {"all"};
  for (const statistics::Interval& mean : comparison.means) line.push_back(full_number(mean.estimate));
  return out + csv_line(line);
}

json render_json(const Comparison& comparison) {
  const ScoreTable& scores = comparison.scores;
  const std::vector<std::string> names = distinct(scores.systems);
  json out = {{"measure", scores.measure},
              {"higher_is_better", scores.higher_is_better},
              {"queries", scores.queries},
              {"mean_of_best", json_number(comparison.mean_of_best)},
              {"baseline", names[comparison.baseline]},
              {"systems", json::array()},
              {"tests", json::array()}};
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    const statistics::Interval& mean = comparison.means[s];
    out["systems"].push_back({{"name", names[s]},
                              {"values", scores.values[s]},
                              {"best_of_query", comparison.best_of_query[s]},
                              {"best_of_system", comparison.best_of_system[s]},
                              {"mean", json_number(mean.estimate)},
                              {"interval", {json_number(mean.low), json_number(mean.high)}},
                              {"level", mean.level}});
  }
  if (!comparison.tests.empty()) {
    out["friedman"] = {{"statistic", json_number(comparison.friedman.statistic)},
                       {"degrees", comparison.friedman.degrees},
                       {"p", json_number(comparison.friedman.p)},
                       {"mean_ranks", comparison.friedman.mean_ranks}};
  }
  for (const SystemTest& test : comparison.tests) {
    out["tests"].push_back({{"better", names[test.better]},
                            {"other", names[test.other]},
                            {"difference", json_number(test.difference)},
                            {"mark", test.mark},
                            {"mann_whitney", test_json(test.mann_whitney)},
                            {"mann_whitney_mark", test.mann_whitney_mark},
                            {"nemenyi", json_number(test.nemenyi)},
                            {"signed_rank", test_json(test.signed_rank)},
                            {"signed_rank_holm", json_number(test.signed_rank_holm)},
                            {"randomization", test_json(test.randomization)},
                            {"randomization_holm", json_number(test.randomization_holm)}});
  }
  return out;
}

}  // namespace rondo::evaluation
