#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "report/figures.h"
#include "report/tables.h"
#include "study/figures_table.h"
#include "study/json.h"
#include "study/results.h"
#include "study/studies.h"
#include "study/votes.h"

namespace rondo::cli {
namespace {

namespace ev = rondo::evaluation;

struct TruthBuildArguments {
  std::string db;
  std::string study;
  std::string votes;
  std::string rule = "paper";
  double threshold = 0.25;
  std::string format = "groups";
  std::string tables;
  std::string figures;
  std::string plots;
  bool complete = false;
  bool unfinished = false;
  std::size_t minimum_votes = 1;
};

/// Votes name melodies by their ids; where a collection is at hand the tables can show them.
Result<void> add_melodies(study::Study& study, const std::string& db) {
  auto collection = Collection::open(db, OpenMode::read);
  if (!collection) return fail(std::move(collection.error()));
  const auto fill = [&](study::MelodyCopy& melody) {
    auto piece = collection->get(melody.id);
    if (!piece) return;
    if (auto copy = study::copy_of(*piece, 0)) melody = std::move(*copy);
  };
  for (study::Query& query : study.queries) {
    fill(query.melody);
    for (study::Candidate& candidate : query.candidates) fill(candidate.melody);
  }
  return {};
}

Result<study::Study> from_votes(const TruthBuildArguments& options) {
  auto text = read_file(options.votes);
  if (!text) return fail(std::move(text.error()));
  auto votes = study::read_votes(*text);
  if (!votes) {
    votes.error().place.file = options.votes;
    return fail(std::move(votes.error()));
  }
  auto study = study::study_of(*votes);
  if (!study) return study;
  study->settings.title = options.votes;
  if (!options.db.empty()) {
    if (auto done = add_melodies(*study, options.db); !done) return fail(std::move(done.error()));
  }
  return study;
}

Result<study::Study> from_study(const TruthBuildArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::read);
  if (!studies) return fail(std::move(studies.error()));
  return studies->load(options.study);
}

/// What the truth rests on, to standard error.
void print_remarks(const study::Study& study, const study::Analysis& analysis, const study::GroupingOptions& options) {
  Table table({{"query", Table::Align::left, true},
               {"votes", Table::Align::right},
               {"ranked", Table::Align::right},
               {"groups", Table::Align::right},
               {"contradicting pairs", Table::Align::right},
               {"Kendall's W", Table::Align::right}});
  for (std::size_t i = 0; i < study.queries.size(); ++i) {
    const study::QueryAnalysis& about = analysis.queries[i];
    const auto groups = study::group(about.p, options);
    const auto consistent = study::consistency(about.p, groups, options.threshold);
    table.row({study.queries[i].melody.id, std::to_string(about.answers), std::to_string(about.judged.size()),
               std::to_string(groups.empty() ? 0 : groups.back() + 1),
               fmt::format("{}/{} ({:.1f} %)", consistent.contradicting, consistent.pairs, 100 * consistent.share()),
               about.agreement.kendall_w ? fmt::format("{:.3f}", *about.agreement.kendall_w) : "-"});
  }
  table.print(stderr);
  print_to(stderr, "{}rule {}, two-sided p below {}\n", study.settings.simulated ? "SIMULATED VOTES; " : "",
           to_string(options.rule), options.threshold);
  std::size_t unfinished = 0;
  std::size_t too_few = 0;
  for (const study::QueryAnalysis& about : analysis.queries) {
    unfinished += about.unfinished;
    too_few += about.too_few.size();
  }
  print_to(stderr, "{}; at least {} vote{} for a candidate{}\n",
           analysis.votes.unfinished ? "unfinished rankings are counted"
                                     : fmt::format("finished rankings only, {} left out", unfinished),
           analysis.votes.minimum_votes, analysis.votes.minimum_votes == 1 ? "" : "s",
           too_few == 0 ? "" : fmt::format(", {} left out", too_few));
  for (const study::Participant& one : study.participants) {
    if (!one.excluded.empty()) print_to(stderr, "participant {} left out: {}\n", one.number, printable(one.excluded));
  }
  if (study.withdrawn != 0) print_to(stderr, "{} withdrew\n", study.withdrawn);
}

int write_tables(const TruthBuildArguments& options, const study::Study& study, const study::Analysis& analysis,
                 const study::GroupingOptions& grouping) {
  auto page = report::tables_page(study, analysis, grouping, options.complete);
  if (!page) return report(page.error());
  if (auto done = write_output(options.tables, *page); !done) return report(done.error());
  return kSuccess;
}

/// By the extension of the file: CSV, JSON or LaTeX.
int write_figures(const TruthBuildArguments& options, const study::Study& study, const study::Analysis& analysis,
                  const study::GroupingOptions& grouping) {
  const std::string text = options.figures.ends_with(".json")  ? study::figures_json(study, analysis, grouping)
                           : options.figures.ends_with(".tex") ? study::figures_latex(study, analysis, grouping)
                                                               : study::figures_csv(study, analysis, grouping);
  if (auto done = write_output(options.figures, text); !done) return report(done.error());
  return kSuccess;
}

int build(const TruthBuildArguments& options) {
  for (const std::string& path : {options.tables, options.figures}) {  // before anything is printed
    if (path.empty()) continue;
    if (auto fine = check_output(path); !fine) return report(fine.error());
  }
  auto study = options.votes.empty() ? from_study(options) : from_votes(options);
  if (!study) return report(study.error());
  const study::GroupingOptions grouping{study::rule_of(options.rule).value_or(study::Rule::paper), options.threshold};
  const study::Analysis analysis =
      study::analyse(*study, {.unfinished = options.unfinished, .minimum_votes = options.minimum_votes});
  const ev::TruthForm form = options.format == "json"    ? ev::TruthForm::kJson
                             : options.format == "qrels" ? ev::TruthForm::kQrels
                                                         : ev::TruthForm::kGroups;
  auto text = ev::write_truth(study::truth_of(*study, analysis, grouping), form);
  if (!text) return report(text.error());
  print_remarks(*study, analysis, grouping);
  write_to(stdout, *text);
  if (!options.figures.empty()) {
    if (const int code = write_figures(options, *study, analysis, grouping); code != kSuccess) return code;
  }
  if (!options.plots.empty()) {
    const auto plots = report::study_figures(*study, analysis, grouping, options.complete);
    if (auto done = report::write_figures(plots, options.plots); !done) return report(done.error());
  }
  return options.tables.empty() ? kSuccess : write_tables(options, *study, analysis, grouping);
}

}  // namespace

Action define_truth_build(CLI::App& app) {
  auto options = std::make_shared<TruthBuildArguments>();
  app.add_option("--db", options->db, "the collection");
  app.add_option("--study", options->study, "a study of the collection");
  app.add_option("--votes", options->votes, "or a CSV table: participant,query,candidate,rank");
  app.add_option("--rule", options->rule, "where a group begins: paper, all, any or previous; see docs/studies.md")
      ->check(CLI::IsMember({"paper", "all", "any", "previous"}))
      ->capture_default_str();
  app.add_option("--threshold", options->threshold, "two candidates differ when p is below this")
      ->check(within(0, 1))
      ->capture_default_str();
  app.add_flag("--unfinished", options->unfinished, "also count rankings that were not declared finished");
  app.add_option("--min-votes", options->minimum_votes, "leave out a candidate that fewer participants ranked")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--format,--as", options->format, "groups, qrels or json")
      ->check(CLI::IsMember({"groups", "qrels", "json"}))
      ->capture_default_str();
  app.add_option("--tables", options->tables, "also write the tables, as one HTML file");
  app.add_option("--figures", options->figures,
                 "also write votes, medians, quartiles and p-values: FILE.csv, FILE.json or FILE.tex (LaTeX)");
  app.add_option(
      "--plots", options->plots,
      "also write the plot of each query into this folder, as SVG and PDF: ranks, tests and borders of groups");
  app.add_flag("--complete", options->complete,
               "tables and plots with all candidates, not only those up to the last group");
  app.callback([options] {
    const bool study = !options->db.empty() && !options->study.empty();
    if (study == !options->votes.empty()) throw CLI::ValidationError("give --db and --study, or --votes");
  });
  return [options] { return build(*options); };
}

}  // namespace rondo::cli
