#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/batch.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/requirement_table.h"
#include "cli/system_row.h"
#include "cli/terminal.h"
#include "requirements/trial.h"
#include "rondo/similarity/system.h"

namespace rondo::cli {
namespace {

struct SystemsArguments {
  std::string name;
  std::string format = "table";
  bool requirements = false;
  std::string measure;
  std::optional<std::size_t> melodies;
  unsigned threads = std::thread::hardware_concurrency();
};

using Rows = std::vector<const SystemRow*>;

Result<std::vector<RequirementFigures>> measured(const SystemsArguments& options, const Rows& rows) {
  auto pieces = read_pieces(options.measure);
  if (!pieces) return fail(pieces.error());
  TrialOptions trial;
  trial.queries = options.melodies.value_or(trial.queries);
  trial.fill = options.melodies.has_value();
  auto material = make_trial(*pieces, trial);
  if (!material) return fail(material.error());
  std::vector<RequirementFigures> all;
  ProgressBar progress("systems", terminal_width(stderr) != 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    progress.update(i, rows.size(), i);
    const auto one = try_requirements(*rows[i], *material, requirements(), std::max(1U, options.threads));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::vector<RequirementFigures> recorded(const Rows& rows) {
  std::vector<RequirementFigures> all;
  for (const SystemRow* row : rows) {
    const auto one = recorded_figures(row->name);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

int show_requirements(const SystemsArguments& options, const Rows& rows) {
  Result<std::vector<RequirementFigures>> figures = recorded(rows);
  if (!options.measure.empty()) figures = measured(options, rows);
  if (!figures) return report(figures.error());
  if (options.format == "json") {
    print_to(stdout, "{}\n", requirements_json(*figures).dump(2));
  } else if (options.format == "tsv") {
    print_to(stdout, "{}", write_figures(*figures));
  } else if (options.format == "markdown") {
    print_to(stdout, "{}", requirements_page(*figures));
  } else {
    print_to(stdout, "{}", requirements_table(*figures));
    print_to(stderr, "\n{}", requirements_legend());
  }
  return kSuccess;
}

int list(const SystemsArguments& options) {
  if (options.format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const SystemRow* row : systems()) all.push_back(system_json(*row));
    print_to(stdout, "{}\n", all.dump(2));
    return kSuccess;
  }
  if (options.format == "markdown") {
    print_to(stdout, "{}", systems_page());
    return kSuccess;
  }
  Table table(
      {{"system"}, {"evidence"}, {"published", Table::Align::right}, {"what it compares", Table::Align::left, true}});
  for (const SystemRow* row : systems()) {
    table.row({std::string(row->name), std::string(to_string(row->evidence)),
               row->published_adr ? fmt::format("{:.3f}", *row->published_adr) : "", std::string(row->title)});
  }
  table.print(stdout);
  print_to(stderr,
           "\npublished: average dynamic recall in the authors' MIREX 2005 runs, not in ours\n"
           "'rondo systems NAME' explains one, 'rondo systems --requirements' shows which alterations they tolerate\n");
  return kSuccess;
}

int describe(const SystemsArguments& options, const SystemRow& row) {
  if (options.format == "json") {
    print_to(stdout, "{}\n", system_json(row).dump(2));
    return kSuccess;
  }
  const std::size_t terminal = terminal_width(stdout);
  print_to(stdout, "{}", system_text(row, terminal == 0 ? 80 : std::min<std::size_t>(terminal, 100)));
  return kSuccess;
}

int run(const SystemsArguments& options) {
  Rows rows(systems().begin(), systems().end());
  if (!options.name.empty()) {
    auto row = system_row(options.name);
    if (!row) return report(row.error());
    rows = {*row};
  }
  if (options.requirements) return show_requirements(options, rows);
  return options.name.empty() ? list(options) : describe(options, *rows.front());
}

}  // namespace

Action define_systems(CLI::App& app) {
  auto options = std::make_shared<SystemsArguments>();
  app.add_option("name", options->name, "explain this one");
  auto* requirements = app.add_flag("--requirements", options->requirements,
                                    "which alterations of a melody each system tolerates, in ten groups");
  auto* measure =
      app.add_option("--measure", options->measure, "repeat the measurement with the melodies of this file or folder")
          ->needs(requirements);
  app.add_option("--melodies", options->melodies,
                 "how many melodies to alter, including generated ones if the file has fewer; default: up to 240")
      ->check(CLI::Range(1, 10'000))
      ->needs(measure);
  app.add_option("--threads", options->threads, "how many threads measure")
      ->check(whole(1, kMostThreads))
      ->capture_default_str();
  app.add_option("--format", options->format, "table, json or markdown; tsv for requirements")
      ->check(CLI::IsMember({"table", "json", "markdown", "tsv"}))
      ->capture_default_str();
  app.callback([options] {
    if (options->format == "tsv" && !options->requirements) throw CLI::ValidationError("tsv is for --requirements");
    if (options->format == "markdown" && !options->requirements && !options->name.empty()) {
      throw CLI::ValidationError("the page has all systems; leave the name out");
    }
  });
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
