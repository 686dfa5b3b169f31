#include "rondo/evaluation/evaluate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "rondo/evaluation/compare.h"
#include "rondo/evaluation/render.h"

namespace rondo::cli {
namespace {

namespace ev = rondo::evaluation;

struct Options {
  std::string truth;
  std::vector<std::string> runs;
  std::string measures;
  bool per_query = false;
  bool compare = false;
  bool all_pairs = false;
  bool qrels = false;
  bool ties_as_written = false;
  bool list = false;
  std::size_t collection_size = 0;
  std::string format = "table";
};

ev::TableOptions table_options(const Options& options) {
  ev::TableOptions table;
  const std::size_t terminal = terminal_width(stdout);
  // In a pipe nothing is broken into pieces.
  table.width = terminal == 0 ? 100'000 : terminal;
  table.per_query = options.per_query;
  table.emphasis = terminal == 0 ? ev::Emphasis::kMarks : ev::Emphasis::kAnsi;
  return table;
}

Result<ev::Run> load_run(const std::string& path, bool as_written) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  MemorySource source(*text);
  Diagnostics warnings;
  auto run = ev::read_run(source, {path, as_written ? ev::Ties::kAsWritten : ev::Ties::kTrecEval}, warnings);
  print_remarks(warnings);
  return run;
}

int list_measures(const Options& options) {
  fmt::print("{}", options.format == "json" ? ev::dump(ev::measures_json()) + "\n"
                                            : ev::render_measures(table_options(options)));
  return kSuccess;
}

int print_comparisons(const Options& options, const std::vector<ev::Evaluation>& results) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t m = 0; m < results.front().measures.size(); ++m) {
    auto scores = ev::score_table(results, m);
    if (!scores) return report(scores.error());
    ev::CompareOptions compare;
    compare.all_pairs = options.all_pairs;
    auto comparison = ev::compare(std::move(*scores), compare);
    if (!comparison) return report(comparison.error());
    if (options.format == "json") {
      all.push_back(ev::render_json(*comparison));
    } else {
      fmt::print("{}{}", m == 0 ? "" : "\n",
                 options.format == "csv" ? ev::render_csv(*comparison)
                                         : ev::render_table(*comparison, table_options(options)));
    }
  }
  if (options.format == "json") fmt::print("{}\n", ev::dump(all));
  return kSuccess;
}

int run(const Options& options) {
  if (options.list) return list_measures(options);
  auto measures = options.measures.empty() ? Result<std::vector<ev::MeasureSpec>>(ev::default_measures())
                                           : ev::parse_measures(options.measures);
  if (!measures) return report(measures.error());
  auto truth = load_truth(options.truth, options.qrels);
  if (!truth) return report(truth.error());
  if (options.collection_size != 0) truth->collection_size = options.collection_size;

  std::vector<ev::Evaluation> results;
  for (const std::string& path : options.runs) {
    auto one = load_run(path, options.ties_as_written);
    if (!one) return report(one.error());
    auto judged = ev::judge(*truth, *one);
    if (!judged) return report(judged.error());
    print_remarks(judged->warnings);
    results.push_back(ev::evaluate(*judged, *measures));
  }
  if (options.compare || options.all_pairs) return print_comparisons(options, results);
  if (options.format == "json") {
    fmt::print("{}\n", ev::dump(ev::render_json(results, options.per_query)));
  } else if (options.format == "csv") {
    fmt::print("{}", ev::render_csv(results, options.per_query));
  } else {
    fmt::print("{}", ev::render_table(results, table_options(options)));
  }
  return kSuccess;
}

}  // namespace

Action define_evaluate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--truth", options->truth, "ground truth: lines 'query 0 document group', or JSON");
  app.add_option("runs", options->runs, "TREC run files, one per system");
  app.add_option("-m,--measures", options->measures, "measures with commas between, like ADR,AP,nDCG@10; or all");
  app.add_flag("-q,--per-query", options->per_query, "values of every query too");
  app.add_flag("--compare", options->compare, "systems side by side with tests of significance");
  app.add_flag("--all-pairs", options->all_pairs, "the same, every system against every other");
  app.add_flag("--qrels", options->qrels, "the truth is a TREC file of relevance grades: higher is more relevant");
  app.add_flag("--ties-as-written", options->ties_as_written, "equal scores in the order of the rank column");
  app.add_option("--collection-size", options->collection_size, "how many documents there are; accuracy needs it");
  app.add_option("--format", options->format, "table, json or csv")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->capture_default_str();
  app.add_flag("--list", options->list, "explain all measures");
  app.callback([options] {
    if (options->list) return;
    if (options->truth.empty()) throw CLI::ValidationError("give --truth FILE");
    if (options->runs.empty()) throw CLI::ValidationError("name at least one run file");
  });
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
