#include "report/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "evaluation/render.h"
#include "report/curves.h"

namespace rondo::report {
namespace {

using nlohmann::ordered_json;
namespace ev = rondo::evaluation;

/// null if the value is undefined; the page then shows a dash.
ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json numbers(std::span<const double> values) {
  ordered_json out = ordered_json::array();
  for (const double value : values) out.push_back(number(value));
  return out;
}

/// "0110": much shorter than a list of true and false.
std::string flags(const std::vector<bool>& values) {
  std::string out;
  for (const bool value : values) out += value ? '1' : '0';
  return out;
}

ordered_json measures_json(std::span<const ev::MeasureSpec> measures) {
  ordered_json out = ordered_json::array();
  for (const ev::MeasureSpec& spec : measures) {
    out.push_back({{"name", spec.name()},
                   {"definition", spec.measure->definition},
                   {"reference", spec.measure->reference},
                   {"low", number(spec.measure->low)},
                   {"high", number(spec.measure->high)},
                   {"higher_is_better", spec.measure->higher_is_better}});
  }
  return out;
}

ordered_json answer_json(const ev::Truth& truth, const ev::RankedList* answer, const ev::JudgedList& judged,
                         std::size_t most) {
  ordered_json out = {{"retrieved", judged.retrieved()}, {"relevant", judged.relevant}, {"found", judged.hits.size()}};
  if (judged.missing || answer == nullptr) {
    out["missing"] = true;
    return out;
  }
  ordered_json documents = ordered_json::array();
  ordered_json scores = ordered_json::array();
  ordered_json groups = ordered_json::array();
  for (const ev::RankedDocument& document : answer->documents) {
    if (documents.size() == most) break;
    if (truth.query_excluded && document.id == answer->query) continue;
    groups.push_back(judged.groups[documents.size()]);
    documents.push_back(document.id);
    scores.push_back(number(document.score));
  }
  out["documents"] = std::move(documents);
  out["groups"] = std::move(groups);
  out["scores"] = std::move(scores);
  return out;
}

/// How many queries, from the first on, have answers that fit on the page; at least one.
std::size_t detailed_queries(const EvaluationReport& report) {
  std::size_t documents = 0;
  for (std::size_t q = 0; q < report.truth->queries.size(); ++q) {
    for (const SystemResult& system : report.systems) {
      documents += std::min(report.documents_per_answer, system.judged.lists[q].retrieved());
    }
    if (documents > report.most_documents) return std::max<std::size_t>(1, q);
  }
  return report.truth->queries.size();
}

ordered_json system_json(const EvaluationReport& report, const SystemResult& system, const std::string& name,
                         std::size_t detailed) {
  ordered_json values = ordered_json::array();
  for (const auto& of_measure : system.evaluation.values) values.push_back(numbers(of_measure));
  ordered_json answers = ordered_json::array();
  std::map<std::string_view, const ev::RankedList*> by_query;
  for (const ev::RankedList& list : system.run.lists) by_query.emplace(list.query, &list);
  for (std::size_t q = 0; q < detailed; ++q) {
    const ev::JudgedList& judged = system.judged.lists[q];
    const auto found = by_query.find(judged.query);
    answers.push_back(answer_json(*report.truth, found == by_query.end() ? nullptr : found->second, judged,
                                  report.documents_per_answer));
  }
  return {{"name", name},
          {"file", system.run.file},
          {"missing", system.evaluation.missing},
          {"unknown", system.evaluation.unknown},
          {"means", numbers(system.evaluation.means)},
          {"values", std::move(values)},
          {"answers", std::move(answers)}};
}

/// As in `rondo evaluate --compare --format json`, but without the values, which are already in `systems`.
ordered_json comparison_json(const ev::Comparison& comparison) {
  ordered_json out = ev::render_json(comparison);
  out.erase("queries");
  for (std::size_t s = 0; s < out["systems"].size(); ++s) {
    ordered_json& system = out["systems"][s];
    system.erase("values");
    system["best_of_query"] = flags(comparison.best_of_query[s]);
    system["best_of_system"] = flags(comparison.best_of_system[s]);
  }
  return out;
}

Result<ordered_json> comparisons_json(const EvaluationReport& report, const std::vector<std::string>& names) {
  std::vector<ev::Evaluation> evaluations;
  for (const SystemResult& system : report.systems) evaluations.push_back(system.evaluation);
  for (std::size_t s = 0; s < names.size(); ++s) evaluations[s].run = names[s];
  ordered_json out = ordered_json::array();
  for (std::size_t m = 0; m < evaluations.front().measures.size(); ++m) {
    auto scores = ev::score_table(evaluations, m);
    if (!scores) return fail(std::move(scores.error()));
    const std::string measure = scores->measure;
    auto comparison = ev::compare(std::move(*scores), report.compare);
    if (comparison) {
      out.push_back(comparison_json(*comparison));
    } else if (comparison.error().code == "compare-undefined") {
      out.push_back({{"measure", measure}, {"undefined", true}});
    } else {
      return fail(std::move(comparison.error()));
    }
  }
  return out;
}

/// What should have been found, group by group.
ordered_json truth_json(const EvaluationReport& report, std::size_t detailed) {
  ordered_json groups = ordered_json::array();
  for (std::size_t q = 0; q < detailed; ++q) {
    ordered_json of_query = ordered_json::array();
    std::size_t left = report.documents_per_answer;
    for (const auto& group : report.truth->queries[q].groups) {
      const std::size_t shown = std::min(left, group.size());
      left -= shown;
      of_query.push_back(
          {{"size", group.size()},
           {"documents", std::vector<std::string>(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(shown))}});
    }
    groups.push_back(std::move(of_query));
  }
  return {{"file", report.provenance.truth_file},
          {"complete", report.truth->complete},
          {"query_excluded", report.truth->query_excluded},
          {"collection_size", report.truth->collection_size},
          {"groups", std::move(groups)}};
}

ordered_json warnings_json(const EvaluationReport& report) {
  ordered_json out = ordered_json::array();
  const auto add = [&](const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
      out.push_back({{"code", diagnostic.code}, {"text", diagnostic.to_string()}});
    }
  };
  add(report.warnings);
  for (const SystemResult& system : report.systems) add(system.judged.warnings);
  return out;
}

}  // namespace

Result<ordered_json> evaluation_data(const EvaluationReport& report) {
  if (report.systems.empty()) return fail("report-empty", "there is no run to report on");
  std::vector<std::string> names;
  for (const SystemResult& system : report.systems) names.push_back(system.evaluation.run);
  names = ev::distinct(std::move(names));
  auto comparisons = comparisons_json(report, names);
  if (!comparisons) return fail(std::move(comparisons.error()));

  const std::size_t detailed = detailed_queries(report);
  ordered_json systems = ordered_json::array();
  for (std::size_t s = 0; s < names.size(); ++s) {
    systems.push_back(system_json(report, report.systems[s], names[s], detailed));
  }
  std::size_t drawn = 0;
  ordered_json curves = curves_json(report, drawn);
  return ordered_json{
      {"kind", "rondo-evaluation"},
      {"schema", 1},
      {"title", report.title},
      {"provenance",
       {{"command", report.provenance.command},
        {"created", report.provenance.created},
        {"rondo", report.provenance.version},
        {"compiler", __VERSION__}}},
      {"truth", truth_json(report, detailed)},
      {"measures", measures_json(report.systems.front().evaluation.measures)},
      {"queries", report.systems.front().evaluation.queries},
      {"systems", std::move(systems)},
      {"comparisons", std::move(*comparisons)},
      {"curves", std::move(curves)},
      {"details", {{"queries", detailed}, {"documents", report.documents_per_answer}, {"lines", drawn}}},
      {"warnings", warnings_json(report)}};
}

}  // namespace rondo::report
