// The kit for the collection of MIREX 2005, which users must obtain themselves: every system of ours on it, beside the
// figures that were published. docs/evaluation.md describes the folder.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/csv.h"
#include "cli/batch.h"
#include "cli/command.h"
#include "cli/measured.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "report/page.h"

namespace rondo::cli {
namespace {

namespace ev = rondo::evaluation;
namespace fs = std::filesystem;

struct Mirex2005Arguments {
  std::string data;
  std::vector<std::string> systems{"all"};
  std::string format = "table";
  std::string report;
  unsigned threads = std::thread::hardware_concurrency();
};

/// Our systems that stand for one of Urbano et al. 2010, Table 2, and its column there. That a name is here does not
/// mean that the programs are the same: `rondo systems NAME` says what is known.
struct Counterpart {
  std::string_view system;
  std::string_view column;
};
constexpr std::array kCounterparts{Counterpart{"spline", "Splines"}, Counterpart{"GAM", "GAM"},
                                   Counterpart{"Orio", "O"},         Counterpart{"ngr5", "US"},
                                   Counterpart{"EMD", "TWV"},        Counterpart{"P3", "L(P3)"},
                                   Counterpart{"LDP", "L(DP)"},      Counterpart{"opti3", "FM"}};
/// The system all others are compared with, as in the paper.
constexpr std::string_view kBaseline = "spline";

/// The file or folder of a name, whatever its extension; nothing if it is not there.
std::string part(const std::string& folder, std::string_view name) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().stem() == name) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? "" : found.front();
}

Result<std::string> needed_part(const std::string& folder, std::string_view name, std::string_view what) {
  std::string path = part(folder, name);
  if (!path.empty()) return path;
  return fail("mirex-incomplete", fmt::format("there is no '{}' in it: {}", name, what), Place{folder, {}, {}, 0, 0},
              "docs/evaluation.md describes the contents of the folder");
}

/// The folder, read.
struct Kit {
  std::vector<Piece> collection;
  std::vector<Piece> queries;
  std::optional<ev::ScoreTable> published;
};

/// Queries that have no file of their own are melodies of the collection.
Result<std::vector<Piece>> queries_from(const std::vector<Piece>& collection, const ev::Truth& truth) {
  std::vector<Piece> queries;
  for (const ev::QueryTruth& query : truth.queries) {
    const auto found =
        std::find_if(collection.begin(), collection.end(), [&](const Piece& piece) { return piece.id == query.query; });
    if (found == collection.end()) {
      return fail("mirex-query", fmt::format("query '{}' of the truth is not in the collection", query.query), {},
                  "put the queries into a file or folder 'queries' beside the collection");
    }
    queries.push_back(*found);
  }
  return queries;
}

Result<Kit> read_kit(const std::string& folder, const ev::Truth& truth) {
  Kit kit;
  auto path = needed_part(folder, "collection", "the incipits, in any format");
  if (!path) return fail(std::move(path.error()));
  auto collection = read_pieces(*path);
  if (!collection) return fail(std::move(collection.error()));
  kit.collection = std::move(*collection);
  const std::string own = part(folder, "queries");
  auto queries = own.empty() ? queries_from(kit.collection, truth) : read_pieces(own);
  if (!queries) return fail(std::move(queries.error()));
  kit.queries = std::move(*queries);
  if (const std::string table = part(folder, "table2"); !table.empty()) {
    auto text = read_file(table);
    if (!text) return fail(std::move(text.error()));
    MemorySource source(*text);
    auto published = ev::read_score_table(source, table, "ADR");
    if (!published) return fail(std::move(published.error()));
    kit.published = std::move(*published);
  }
  return kit;
}

/// What the truth names and the collection does not have can be found by nobody, and every figure is the lower for it.
Diagnostics absent_documents(const std::vector<Piece>& collection, const ev::Truth& truth) {
  std::set<std::string_view> there;
  for (const Piece& piece : collection) there.insert(piece.id);
  std::set<std::string_view> absent;
  for (const ev::QueryTruth& query : truth.queries) {
    for (const auto& group : query.groups) {
      for (const std::string& document : group) {
        if (!there.contains(document)) absent.insert(document);
      }
    }
  }
  if (absent.empty()) return {};
  return {{"mirex-absent-documents",
           fmt::format("{} melodies of the truth are not in the collection, '{}' for one; no system can find them",
                       absent.size(), *absent.begin()),
           {},
           ""}};
}

Result<void> run_systems(const Mirex2005Arguments& options, const Kit& kit, Measured& measured) {
  auto chosen = choose_systems(options.systems);
  if (!chosen) return fail(std::move(chosen.error()));
  const std::vector<ev::MeasureSpec> adr{ev::parse_measure("ADR").value()};
  Corpus corpus;
  for (const Piece& piece : kit.collection) corpus.documents.push_back(make_document(piece));
  for (ChosenSystem& one : *chosen) {
    corpus.teach(*one.system);
    ev::Run run;
    run.tag = one.name;
    ProgressBar progress(run.tag, terminal_width(stderr) != 0);
    for (const Piece& query : kit.queries) {
      // The truths of 2005 count the query itself where it is in the collection.
      auto list = answer(one, query, corpus, {.threads = options.threads, .keep_self = true});
      if (!list.documents.empty()) run.lists.push_back(std::move(list));
      progress.update(run.lists.size(), kit.queries.size(), run.lists.size());
    }
    progress.clear();
    if (one.row->name == kBaseline) measured.compare.baseline = measured.systems.size();
    if (auto done = measured.add(std::move(run), adr); !done) return fail(std::move(done.error()));
    one.system.reset();  // what it learnt may be large
  }
  return {};
}

/// One published column beside ours.
struct Pair {
  const SystemRow* row = nullptr;
  std::string_view column;
  const ev::Evaluation* ours = nullptr;
  const std::vector<double>* published = nullptr;  ///< by the queries of the published table

  [[nodiscard]] std::optional<double> published_value(const Kit& kit, const std::string& query) const {
    if (published == nullptr || !kit.published) return std::nullopt;
    const std::vector<std::string>& queries = kit.published->queries;
    const auto found = std::find(queries.begin(), queries.end(), query);
    if (found == queries.end()) return std::nullopt;
    return (*published)[static_cast<std::size_t>(found - queries.begin())];
  }
};

std::vector<Pair> pairs(const Kit& kit, const Measured& measured) {
  std::vector<Pair> out;
  for (const Counterpart& counterpart : kCounterparts) {
    for (const report::SystemResult& system : measured.systems) {
      if (system.evaluation.run != counterpart.system) continue;
      Pair& pair =
          out.emplace_back(Pair{find_system(counterpart.system), counterpart.column, &system.evaluation, nullptr});
      for (std::size_t s = 0; kit.published && s < kit.published->systems.size(); ++s) {
        if (kit.published->systems[s] == counterpart.column) pair.published = &kit.published->values[s];
      }
    }
  }
  return out;
}

std::string three(std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

void print_beside(const Kit& kit, const std::vector<Pair>& beside) {
  if (beside.empty()) return;
  std::vector<Table::Column> columns{{"query", Table::Align::left, true}};
  for (const Pair& pair : beside) {
    columns.push_back({std::string(pair.row->name), Table::Align::right});
    columns.push_back({"publ.", Table::Align::right});
  }
  Table table(std::move(columns));
  const std::vector<std::string>& queries = beside.front().ours->queries;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<std::string> cells{queries[q]};
    for (const Pair& pair : beside) {
      cells.push_back(three(pair.ours->values[0][q]));
      cells.push_back(three(pair.published_value(kit, queries[q])));
    }
    table.row(std::move(cells));
  }
  std::vector<std::string> means{"Average"};
  std::string names;
  for (const Pair& pair : beside) {
    means.push_back(three(pair.ours->means[0]));
    means.push_back(three(pair.row->published_adr));
    names += fmt::format("  {} beside {} (evidence: {})\n", pair.row->name, pair.column, to_string(pair.row->evidence));
  }
  table.row(std::move(means));
  print_to(stdout, "Average dynamic recall: our systems on this data, and the published figures\n\n{}\n",
           table.render(0));
  print_to(stdout, "publ.: the authors' own runs (Urbano et al. 2010, Table 2), not ours.\n{}\n", names);
}

int print_tables(const Kit& kit, const Measured& measured, const std::vector<Pair>& beside) {
  print_beside(kit, beside);
  print_to(stdout, "Ours: every system of Rondo on this data\n\n");
  if (const int code = print_comparisons(measured, "table"); code != kSuccess) return code;
  if (!kit.published) {
    print_to(stderr, "rondo: there is no 'table2.csv' in the folder, so only the published averages are shown\n");
    return kSuccess;
  }
  ev::CompareOptions options;
  const auto& names = kit.published->systems;
  const auto baseline = std::find(names.begin(), names.end(), kCounterparts.front().column);
  if (baseline != names.end()) options.baseline = static_cast<std::size_t>(baseline - names.begin());
  auto comparison = ev::compare(*kit.published, options);
  if (!comparison) return report(comparison.error());
  ev::TableOptions table = table_options();
  table.digits = 3;
  print_to(stdout, "\nPublished: Urbano et al. 2010, Table 2; means, marks and tests from its rounded figures\n\n{}",
           ev::render_table(*comparison, table));
  return kSuccess;
}

int print_csv(const Kit& kit, const Measured& measured) {
  print_to(stdout, "{}", csv_line({"query", "system", "ours", "published"}));
  const std::vector<Pair> beside = pairs(kit, measured);
  for (const report::SystemResult& system : measured.systems) {
    const ev::Evaluation& ours = system.evaluation;
    const auto pair =
        std::find_if(beside.begin(), beside.end(), [&](const Pair& one) { return one.ours == &system.evaluation; });
    const auto text = [](std::optional<double> value) { return value ? fmt::format("{}", *value) : std::string(); };
    for (std::size_t q = 0; q < ours.queries.size(); ++q) {
      const auto published = pair == beside.end() ? std::nullopt : pair->published_value(kit, ours.queries[q]);
      print_to(stdout, "{}", csv_line({ours.queries[q], ours.run, text(ours.values[0][q]), text(published)}));
    }
    const auto published = pair == beside.end() ? std::nullopt : pair->row->published_adr;
    print_to(stdout, "{}", csv_line({"all", ours.run, text(ours.means[0]), text(published)}));
  }
  return kSuccess;
}

int print_json(const Kit& kit, const Measured& measured, const std::vector<Pair>& beside) {
  auto scores = ev::score_table(measured.evaluations(), 0);
  if (!scores) return report(scores.error());
  auto comparison = ev::compare(std::move(*scores), measured.compare);
  if (!comparison) return report(comparison.error());
  nlohmann::json out = {{"ours", ev::render_json(*comparison)}, {"published", nlohmann::json::array()}};
  for (const Pair& pair : beside) {
    nlohmann::json values = nlohmann::json::array();
    for (const std::string& query : pair.ours->queries) {
      const auto value = pair.published_value(kit, query);
      values.push_back(value ? nlohmann::json(*value) : nlohmann::json(nullptr));
    }
    nlohmann::json mean = nullptr;
    if (pair.row->published_adr) mean = *pair.row->published_adr;
    out["published"].push_back({{"system", pair.row->name},
                                {"column", pair.column},
                                {"evidence", to_string(pair.row->evidence)},
                                {"values", std::move(values)},
                                {"mean", std::move(mean)}});
  }
  print_to(stdout, "{}", ev::dump(out));
  return kSuccess;
}

int run(const Mirex2005Arguments& options) {
  if (auto fine = check_report(options.report); !fine) return report(fine.error());
  auto truth_path = needed_part(options.data, "truth", "the ground truth, as lines or JSON");
  if (!truth_path) return report(truth_path.error());
  Measured measured;
  auto truth = load_truth(*truth_path, false, &measured.warnings);
  if (!truth) return report(truth.error());
  measured.truth = std::move(*truth);
  measured.truth_file = *truth_path;
  auto kit = read_kit(options.data, measured.truth);
  if (!kit) return report(kit.error());
  const Diagnostics absent = absent_documents(kit->collection, measured.truth);
  print_remarks(absent);
  measured.warnings.insert(measured.warnings.end(), absent.begin(), absent.end());
  if (absent.empty() && measured.truth.collection_size == 0) measured.truth.collection_size = kit->collection.size();
  if (auto done = run_systems(options, *kit, measured); !done) return report(done.error());
  if (!options.report.empty()) {
    if (auto done = write_report(options.report, "MIREX 2005", measured); !done) return report(done.error());
  }
  const std::vector<Pair> beside = pairs(*kit, measured);
  if (options.format == "json") return print_json(*kit, measured, beside);
  return options.format == "csv" ? print_csv(*kit, measured) : print_tables(*kit, measured, beside);
}

}  // namespace

Action define_mirex2005(CLI::App& app) {
  auto options = std::make_shared<Mirex2005Arguments>();
  app.add_option("--data", options->data,
                 "folder with the collection, the truth and, if they are separate, the queries")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--system", options->systems, "systems, separated by commas; or all")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--format", options->format, "table, json or csv")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->capture_default_str();
  app.add_option("--report", options->report, "also write an HTML page");
  app.add_option("--threads", options->threads, "how many threads")
      ->check(whole(1, kMostThreads))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
