#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/measured.h"
#include "cli/options.h"
#include "cli/print.h"
#include "evaluation/render.h"
#include "report/figures.h"
#include "report/page.h"

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
  bool ties_by_id = false;
  bool list = false;
  std::string scores;
  std::string report;
  std::string figures;
  std::string curve;
  std::size_t collection_size = 0;
  std::string format = "table";
};

Result<ev::Run> load_run(const std::string& path, ev::Ties ties, Diagnostics& remarks) {
  auto text = read_unpacked(path);
  if (!text) return fail(text.error());
  MemorySource source(*text);
  Diagnostics warnings;
  auto run = ev::read_run(source, {path, ties}, warnings);
  print_remarks(warnings);
  remarks.insert(remarks.end(), warnings.begin(), warnings.end());
  return run;
}

ev::Ties ties_of(const EvaluateArguments& options) {
  if (options.ties_by_id) return ev::Ties::kTrecEval;
  return options.ties_as_written ? ev::Ties::kAsWritten : ev::Ties::kByRank;
}

int list_measures(const EvaluateArguments& options) {
  print_to(stdout, "{}",
           options.format == "json" ? ev::dump(ev::measures_json()) + "\n" : ev::render_measures(table_options()));
  return kSuccess;
}

int keep_figures(std::span<const report::Figure> figures, const std::string& folder) {
  if (auto done = report::write_figures(figures, folder); !done) return report(done.error());
  print_to(stderr, "{} figures, each as SVG and PDF: {}\n", figures.size(), folder);
  return kSuccess;
}

/// A table of published scores, tested without runs or truth.
int compare_scores(const EvaluateArguments& options) {
  auto text = read_unpacked(options.scores);
  if (!text) return report(text.error());
  MemorySource source(*text);
  const std::string measure = options.measures.empty() ? "score" : options.measures;
  auto scores = ev::read_score_table(source, options.scores, measure);
  if (!scores) return report(scores.error());
  // A measure of ours knows which way is better; of any other, higher is.
  if (const auto known = ev::parse_measure(measure)) scores->higher_is_better = known->measure->higher_is_better;
  ev::CompareOptions compare;
  compare.all_pairs = options.all_pairs;
  auto comparison = ev::compare(std::move(*scores), compare);
  if (!comparison) return report(comparison.error());
  if (!options.figures.empty()) {
    const std::array figures = {report::means_figure(*comparison)};
    if (const int code = keep_figures(figures, options.figures); code != kSuccess) return code;
  }
  return print_comparisons({std::move(*comparison)}, options.format, options.all_pairs);
}

int run(const EvaluateArguments& options) {
  if (options.list) return list_measures(options);
  if (!options.scores.empty()) return compare_scores(options);
  if (auto fine = check_report(options.report); !fine) return report(fine.error());
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
    auto one = load_run(path, ties_of(options), measured.warnings);
    if (!one) return report(one.error());
    if (auto done = measured.add(std::move(*one), *measures); !done) return report(done.error());
  }
  if (!options.report.empty()) {
    if (auto done = write_report(options.report, "Evaluation report", measured); !done) return report(done.error());
  }
  if (!options.figures.empty()) {
    auto figures = report::evaluation_figures(measured.systems, measured.compare);
    if (!figures) return report(figures.error());
    if (const int code = keep_figures(*figures, options.figures); code != kSuccess) return code;
  }
  if (!options.curve.empty()) return print_curve(measured, options.curve, options.format);
  if (options.compare || options.all_pairs) return print_comparisons(measured, options.format);
  return print_measures(measured, options.format, options.per_query);
}

}  // namespace

Action define_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateArguments>();
  app.add_option("--truth", options->truth, "ground truth: lines 'query 0 document group', or JSON");
  app.add_option("runs", options->runs, "TREC run files, one per system, may be gzipped");
  app.add_option("-m,--measures", options->measures, "measures, separated by commas, such as ADR,AP,nDCG@10; or all");
  app.add_flag("-q,--per-query", options->per_query, "also print the values of every query");
  app.add_flag("--compare", options->compare, "compare the systems, with significance tests");
  app.add_flag("--all-pairs", options->all_pairs,
               "the same for every pair of systems; csv then has the tests instead of the values");
  app.add_option("--scores", options->scores,
                 "compare a table of values instead of runs: CSV with a header query,SYSTEM...; -m names the measure");
  app.add_flag("--qrels", options->qrels, "the truth is a TREC file of relevance grades: higher is more relevant");
  CLI::Option* as_written =
      app.add_flag("--ties-as-written", options->ties_as_written, "order equal scores by their position in the file");
  app.add_flag("--ties-by-id", options->ties_by_id, "order equal scores by descending id, as trec_eval does")
      ->excludes(as_written);
  app.add_option("--collection-size", options->collection_size,
                 "number of documents in the collection; accuracy and similar measures need it")
      ->check(whole(0, kMostPieces));
  app.add_option("--format", options->format, "table, json, csv or latex (package booktabs)")
      ->check(CLI::IsMember({"table", "json", "csv", "latex"}))
      ->capture_default_str();
  app.add_option(
      "--curve", options->curve,
      "print the points of a curve instead: precision-recall, precision-recall-11, roc, lift, normalized-lift or "
      "dynamic-recall");
  app.add_option("--report", options->report, "also write an HTML page: tables, curves, every query");
  app.add_option("--figures", options->figures,
                 "also write figures into this folder, as SVG and PDF: every curve, means with their intervals");
  app.add_flag("--list", options->list, "explain all measures");
  CLI::App* kit =
      app.add_subcommand("mirex2005", "evaluate every system on the MIREX 2005 data, with the published figures");
  const Action run_kit = define_mirex2005(*kit);
  app.callback([options, kit] {
    if (options->list || kit->parsed()) return;
    if (!options->scores.empty()) {
      if (!options->runs.empty() || !options->truth.empty())
        throw CLI::ValidationError("--scores is a table of values; it needs no truth and no runs");
      return;
    }
    if (options->truth.empty()) throw CLI::ValidationError("give --truth FILE");
    if (options->runs.empty()) throw CLI::ValidationError("name at least one run file");
  });
  return [options, kit, run_kit] { return kit->parsed() ? run_kit() : run(*options); };
}

}  // namespace rondo::cli
