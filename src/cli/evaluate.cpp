#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/measured.h"
#include "cli/options.h"
#include "rondo/evaluation/render.h"
#include "rondo/report/page.h"

namespace rondo::cli {
namespace {

namespace ev = rondo::evaluation;

struct EvaluateArguments {
  std::string truth;
  std::vector<std::string> runs;
  std::string measures;
  bool per_query = false;
  bool compare = false;
  bool all_pairs = false;
  bool qrels = false;
  bool ties_as_written = false;
  bool list = false;
  std::string report;
  std::string curve;
  std::size_t collection_size = 0;
  std::string format = "table";
};

Result<ev::Run> load_run(const std::string& path, bool as_written, Diagnostics& remarks) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  MemorySource source(*text);
  Diagnostics warnings;
  auto run = ev::read_run(source, {path, as_written ? ev::Ties::kAsWritten : ev::Ties::kTrecEval}, warnings);
  print_remarks(warnings);
  remarks.insert(remarks.end(), warnings.begin(), warnings.end());
  return run;
}

int list_measures(const EvaluateArguments& options) {
  fmt::print("{}",
             options.format == "json" ? ev::dump(ev::measures_json()) + "\n" : ev::render_measures(table_options()));
  return kSuccess;
}

int run(const EvaluateArguments& options) {
  if (options.list) return list_measures(options);
  if (!options.report.empty()) {
    if (auto there = report::page_available(); !there) return report(there.error());
  }
  auto measures = options.measures.empty() ? Result<std::vector<ev::MeasureSpec>>(ev::default_measures())
                                           : ev::parse_measures(options.measures);
  if (!measures) return report(measures.error());
  Measured measured;
  auto truth = load_truth(options.truth, options.qrels, &measured.warnings);
  if (!truth) return report(truth.error());
  if (options.collection_size != 0) truth->collection_size = options.collection_size;
  measured.truth = std::move(*truth);
  measured.truth_file = options.truth;
  measured.compare.all_pairs = options.all_pairs;

  for (const std::string& path : options.runs) {
    auto one = load_run(path, options.ties_as_written, measured.warnings);
    if (!one) return report(one.error());
    if (auto done = measured.add(std::move(*one), *measures); !done) return report(done.error());
  }
  if (!options.report.empty()) {
    if (auto done = write_report(options.report, "Evaluation report", measured); !done) return report(done.error());
  }
  if (!options.curve.empty()) return print_curve(measured, options.curve, options.format);
  if (options.compare || options.all_pairs) return print_comparisons(measured, options.format);
  return print_measures(measured, options.format, options.per_query);
}

}  // namespace

Action define_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateArguments>();
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
  app.add_option("--curve", options->curve,
                 "the points of a curve instead: precision-recall, precision-recall-11, roc, lift, normalized-lift or "
                 "dynamic-recall");
  app.add_option("--report", options->report, "write a page for a browser too: tables, curves, every query");
  app.add_flag("--list", options->list, "explain all measures");
  CLI::App* kit = app.add_subcommand("mirex2005", "every system on the MIREX 2005 data, beside the published figures");
  const Action run_kit = define_mirex2005(*kit);
  app.callback([options, kit] {
    if (options->list || kit->parsed()) return;
    if (options->truth.empty()) throw CLI::ValidationError("give --truth FILE");
    if (options->runs.empty()) throw CLI::ValidationError("name at least one run file");
  });
  return [options, kit, run_kit] { return kit->parsed() ? run_kit() : run(*options); };
}

}  // namespace rondo::cli
