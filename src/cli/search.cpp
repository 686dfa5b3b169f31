#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "rondo/base/csv.h"
#include "rondo/search/corpus.h"
#include "rondo/search/load.h"
#include "rondo/search/rank.h"

namespace rondo::cli {
namespace {

struct Options {
  std::string db;
  std::string query;
  std::string id;
  std::string system = "shapeh";
  std::vector<std::string> settings;
  std::size_t k = 10;
  std::string format = "table";
  bool explain = false;
  LineOptions line;
  unsigned threads = std::thread::hardware_concurrency();
};

struct Answer {
  const Options& options;
  const SystemRow& row;
  const PreparedQuery& prepared;
  const Line& query;
  const Corpus& corpus;
  const Ranking& ranking;
  std::vector<Metadata> metadata;  ///< of the hits
  double milliseconds = 0;
};

const Line& line_of(const Answer& answer, const Hit& hit) {
  return answer.corpus.documents[hit.document].voices[hit.voice];
}

void print_table(const Answer& answer) {
  Table table({{"rank", Table::Align::right},
               {"score", Table::Align::right},
               {"id", Table::Align::left, true},
               {"title", Table::Align::left, true},
               {"composer", Table::Align::left, true}});
  for (std::size_t i = 0; i < answer.ranking.hits.size(); ++i) {
    const Hit& hit = answer.ranking.hits[i];
    table.row({std::to_string(i + 1), fmt::format("{:.4f}", hit.score.value), answer.corpus.documents[hit.document].id,
               answer.metadata[i].title, answer.metadata[i].composer});
  }
  table.print(stdout);
  if (!answer.options.explain) return;
  for (std::size_t i = 0; i < answer.ranking.hits.size(); ++i) {
    const Line& line = line_of(answer, answer.ranking.hits[i]);
    fmt::print("\n{}. {}: {}", i + 1, answer.corpus.documents[answer.ranking.hits[i].document].id,
               alignment_text(answer.prepared.explain(line), answer.query, line));
  }
}

void print_json(const Answer& answer) {
  nlohmann::ordered_json hits = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < answer.ranking.hits.size(); ++i) {
    const Hit& hit = answer.ranking.hits[i];
    nlohmann::ordered_json one = {
        {"rank", i + 1},      {"score", hit.score.value},          {"id", answer.corpus.documents[hit.document].id},
        {"voice", hit.voice}, {"title", answer.metadata[i].title}, {"composer", answer.metadata[i].composer}};
    if (answer.options.explain) one["alignment"] = alignment_json(answer.prepared.explain(line_of(answer, hit)));
    hits.push_back(std::move(one));
  }
  const nlohmann::ordered_json all = {{"system", answer.row.name},
                                      {"compared", answer.ranking.compared},
                                      {"not_compared", answer.ranking.not_compared},
                                      {"milliseconds", answer.milliseconds},
                                      {"hits", hits}};
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_lines(const Answer& answer) {
  const std::string query = answer.options.id.empty() ? "query" : answer.options.id;
  if (answer.options.format == "csv") fmt::print("{}", csv_line({"rank", "score", "id", "title", "composer"}));
  for (std::size_t i = 0; i < answer.ranking.hits.size(); ++i) {
    const Hit& hit = answer.ranking.hits[i];
    const std::string& id = answer.corpus.documents[hit.document].id;
    if (answer.options.format == "csv") {
      fmt::print("{}", csv_line({std::to_string(i + 1), fmt::format("{}", hit.score.value), id,
                                 answer.metadata[i].title, answer.metadata[i].composer}));
    } else {
      fmt::print("{} Q0 {} {} {} {}\n", query, id, i + 1, hit.score.value, answer.row.name);
    }
  }
}

Result<Line> query_line(const Options& options, Collection& collection) {
  auto piece = options.id.empty() ? read_query(options.query) : collection.get(options.id);
  if (!piece) return fail(piece.error());
  if (piece->voices.empty()) return fail("query-empty", "the query has no notes");
  return make_line(piece->voices.front(), options.line);
}

int run(const Options& options) {
  auto row = system_row(options.system);
  if (!row) return report(row.error());
  auto system = make_system(**row, options.settings);
  if (!system) return report(system.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto query = query_line(options, *collection);
  if (!query) return report(query.error());
  if (query->size() < (*row)->shortest) {
    return report(Error{"query-short",
                        fmt::format("the query has {} note{}; {} needs at least {}", query->size(),
                                    query->size() == 1 ? "" : "s", (*row)->name, (*row)->shortest),
                        {},
                        "add notes, or choose another system ('rondo systems')"});
  }
  auto corpus = load_corpus(*collection, options.line);
  if (!corpus) return report(corpus.error());
  corpus->teach(**system);
  // "Find similar" does not want to hear of the melody itself.
  if (!options.id.empty()) std::erase_if(corpus->documents, [&](const Document& d) { return d.id == options.id; });

  const auto start = std::chrono::steady_clock::now();
  const Ranking ranking =
      rank_all(**row, **system, *query, *corpus, {.k = options.k, .threads = std::max(1U, options.threads)});
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const auto prepared = (*system)->prepare(*query);
  Answer answer{options, **row, *prepared, *query, *corpus, ranking, {}, milliseconds};
  for (const Hit& hit : ranking.hits) {
    auto piece = collection->get(corpus->documents[hit.document].id);
    if (!piece) return report(piece.error());
    answer.metadata.push_back(std::move(piece->metadata));
  }
  if (options.format == "json") {
    print_json(answer);
  } else if (options.format == "table") {
    print_table(answer);
  } else {
    print_lines(answer);
  }
  fmt::print(stderr, "{}: {} melodies compared in {:.1f} ms{}\n", (*row)->name, grouped(ranking.compared), milliseconds,
             ranking.not_compared == 0 ? "" : fmt::format(", {} too short", grouped(ranking.not_compared)));
  return kSuccess;
}

}  // namespace

Action define_search(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_db(app, options->db);
  auto* query = app.add_option("--query", options->query, "what to look for: a file, '-', or notes as PAE");
  auto* id = app.add_option("--id", options->id, "look for melodies like this one of the collection");
  query->excludes(id);
  app.add_option("-k", options->k, "how many hits")->capture_default_str();
  app.add_option("--system", options->system, "how to compare; 'rondo systems' lists them")->capture_default_str();
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  app.add_option("--format", options->format, "table, json, csv or trec")
      ->check(CLI::IsMember({"table", "json", "csv", "trec"}))
      ->capture_default_str();
  app.add_flag("--explain", options->explain, "show which notes were held against which");
  app.add_flag("--ignore-repeated", options->line.ignore_repeated, "repeated notes count as one");
  app.add_flag("--fold-octaves", options->line.fold_octaves, "octaves do not matter");
  app.add_flag("--graces", options->line.graces, "take grace notes into account");
  app.add_option("--threads", options->threads, "how many threads")->capture_default_str();
  app.callback([options] {
    if (options->query.empty() && options->id.empty()) throw CLI::ValidationError("give --query or --id");
  });
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
