#include "rondo/evaluation/evaluate.h"

#include <fmt/format.h>

#include "base/interrupt.h"
#include "evaluation/render.h"
#include "server/json.h"
#include "server/problem.h"
#include "server/query.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

namespace ev = rondo::evaluation;

constexpr std::size_t kMostRuns = 50;

/// The validated structure of the body; the readers check the texts.
struct Task {
  std::string truth;
  std::vector<std::pair<std::string, std::string>> runs;
  std::vector<ev::MeasureSpec> measures;
  bool per_query = false;
};

Failure misshapen(std::string_view what) {
  return fail("body-not-json", fmt::format("the body must be a JSON object with {}", what), {},
              R"(like {"truth": TEXT, "runs": [{"name": NAME, "text": TEXT}], "measures": ["ADR"]})");
}

Result<std::vector<ev::MeasureSpec>> measures_of(const Json& body) {
  const auto list = body.find("measures");
  if (list == body.end() || list->is_null()) return ev::default_measures();
  if (!list->is_array()) return misshapen("a list of texts as 'measures'");
  std::string names;
  for (const Json& name : *list) {
    if (!name.is_string()) return misshapen("a list of texts as 'measures'");
    if (!names.empty()) names += ',';
    names += name.get_ref<const std::string&>();
  }
  return names.empty() ? Result<std::vector<ev::MeasureSpec>>(ev::default_measures()) : ev::parse_measures(names);
}

Result<Task> task_of(const Request& request) {
  auto parsed = body_json(request);
  if (!parsed) return fail(std::move(parsed.error()));
  const Json& body = *parsed;
  if (!body.is_object()) return misshapen("'truth' and 'runs'");
  const auto truth = body.find("truth");
  const auto runs = body.find("runs");
  if (truth == body.end() || !truth->is_string()) return misshapen("a text as 'truth'");
  if (runs == body.end() || !runs->is_array() || runs->empty()) return misshapen("a list of runs as 'runs'");
  if (runs->size() > kMostRuns) return fail("runs-too-many", fmt::format("more than {} runs at once", kMostRuns));
  Task task;
  task.truth = truth->get<std::string>();
  for (const Json& run : *runs) {
    const bool fine = run.is_object() && run.contains("name") && run["name"].is_string() && run.contains("text") &&
                      run["text"].is_string();
    if (!fine) return misshapen("'name' and 'text' in every run");
    task.runs.emplace_back(run["name"].get<std::string>(), run["text"].get<std::string>());
  }
  const auto per_query = body.find("per_query");
  task.per_query = per_query != body.end() && per_query->is_boolean() && per_query->get<bool>();
  auto measures = measures_of(body);
  if (!measures) return fail(std::move(measures.error()));
  task.measures = std::move(*measures);
  return task;
}

Result<ev::Evaluation> evaluated(const Task& task, const ev::Truth& truth, std::size_t number) {
  const auto& [name, text] = task.runs[number];
  MemorySource source(text);
  Diagnostics warnings;
  auto run = ev::read_run(source, {.file = name}, warnings);
  if (!run) return fail(std::move(run.error()));
  auto judged = ev::judge(truth, *run);
  if (!judged) return fail(std::move(judged.error()));
  ev::Evaluation result = ev::evaluate(*judged, task.measures);
  result.run = name;
  return result;
}

/// The error's place names the text that was sent.
Response problem_in(Error error) {
  const std::string place = error.place.to_string();
  if (!place.empty()) error.message = fmt::format("{}: {}", place, error.message);
  return problem(error);
}

}  // namespace

Response post_evaluate(const Call& call) {
  auto task = task_of(call.request);
  if (!task) return problem(task.error());
  MemorySource source(task->truth);
  Diagnostics warnings;
  ev::TruthOptions options;
  options.file = "truth";
  auto truth = ev::read_truth(source, options, warnings);
  if (!truth) return problem_in(std::move(truth.error()));
  std::vector<ev::Evaluation> results;
  for (std::size_t i = 0; i < task->runs.size(); ++i) {
    auto result = evaluated(*task, *truth, i);
    if (!result) return problem_in(std::move(result.error()));
    results.push_back(std::move(*result));
    if (interrupted()) return {};
  }
  return text_response(200, "application/json", ev::dump(ev::render_json(results, task->per_query)));
}

}  // namespace rondo::server
