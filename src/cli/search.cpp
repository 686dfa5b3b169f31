#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "rondo/base/csv.h"
#include "rondo/evaluation/falling_scores.h"
#include "rondo/search/engine.h"
#include "rondo/search/select.h"
#include "rondo/similarity/choose.h"

namespace rondo::cli {
namespace {

struct SearchArguments {
  std::string db;
  std::string query;
  std::string id;
  std::string system = "shapeh";
  std::vector<std::string> settings;
  std::size_t k = 10;
  std::string format = "table";
  bool explain = false;
  std::string where;
  std::string text;
  unsigned least_notes = 0;
  bool anchored = false;
  bool fold_duplicates = false;
  unsigned time_limit = 0;
  LineOptions line;
  unsigned threads = std::thread::hardware_concurrency();
};

struct Answer {
  const SearchArguments& options;
  const LineOptions& heard;
  const std::string& system;
  const PreparedQuery& prepared;
  const Line& query;
  const SearchResult& result;
  std::vector<Piece> pieces;  ///< of the hits
  double milliseconds = 0;

  [[nodiscard]] Line line(std::size_t hit) const {
    return make_line(pieces[hit].voices[result.hits[hit].voice], heard);
  }
};

void print_table(const Answer& answer) {
  Table table({{"rank", Table::Align::right},
               {"score", Table::Align::right},
               {"id", Table::Align::left, true},
               {"title", Table::Align::left, true},
               {"composer", Table::Align::left, true}});
  for (std::size_t i = 0; i < answer.pieces.size(); ++i) {
    const Found& hit = answer.result.hits[i];
    const std::string more = hit.same.empty() ? "" : fmt::format(" (+{})", hit.same.size());
    table.row({std::to_string(i + 1), fmt::format("{:.4f}", hit.score.value), answer.pieces[i].id + more,
               answer.pieces[i].metadata.title, answer.pieces[i].metadata.composer});
  }
  table.print(stdout);
  if (!answer.options.explain) return;
  for (std::size_t i = 0; i < answer.pieces.size(); ++i) {
    const Line line = answer.line(i);
    fmt::print("\n{}. {}: {}", i + 1, answer.pieces[i].id,
               alignment_text(answer.prepared.explain(line), answer.query, line));
  }
}

/// Which notes of each take part in the match, for highlighting.
nlohmann::ordered_json matched(const Explanation& why) {
  std::set<std::uint32_t> query;
  std::set<std::uint32_t> document;
  for (const Step& step : why.steps) {
    if (step.kind != Step::Kind::match && step.kind != Step::Kind::flow) continue;
    for (std::uint32_t i = step.query.begin; i < step.query.end; ++i) query.insert(i);
    for (std::uint32_t i = step.document.begin; i < step.document.end; ++i) document.insert(i);
  }
  return {{"query", query}, {"document", document}};
}

void print_json(const Answer& answer) {
  nlohmann::ordered_json hits = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < answer.pieces.size(); ++i) {
    const Found& hit = answer.result.hits[i];
    const Metadata& metadata = answer.pieces[i].metadata;
    nlohmann::ordered_json one = {{"rank", i + 1},      {"score", hit.score.value}, {"id", answer.pieces[i].id},
                                  {"voice", hit.voice}, {"title", metadata.title},  {"composer", metadata.composer}};
    if (answer.options.fold_duplicates) one["duplicates"] = hit.same.size();
    const Explanation why = answer.prepared.explain(answer.line(i));
    one["matched"] = matched(why);
    if (answer.options.explain) one["alignment"] = alignment_json(why);
    hits.push_back(std::move(one));
  }
  const nlohmann::ordered_json all = {{"system", answer.system},
                                      {"compared", answer.result.compared},
                                      {"not_compared", answer.result.not_compared},
                                      {"complete", answer.result.complete},
                                      {"method", answer.result.method},
                                      {"scored", answer.result.scored},
                                      {"milliseconds", answer.milliseconds},
                                      {"hits", hits}};
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_lines(const Answer& answer) {
  const std::string query = answer.options.id.empty() ? "query" : answer.options.id;
  if (answer.options.format == "csv") fmt::print("{}", csv_line({"rank", "score", "id", "title", "composer"}));
  evaluation::FallingScores scores;
  for (std::size_t i = 0; i < answer.pieces.size(); ++i) {
    const Found& hit = answer.result.hits[i];
    const Piece& piece = answer.pieces[i];
    if (answer.options.format == "csv") {
      fmt::print("{}", csv_line({std::to_string(i + 1), fmt::format("{}", hit.score.value), piece.id,
                                 piece.metadata.title, piece.metadata.composer}));
    } else {
      fmt::print("{} Q0 {} {} {} {}\n", query, piece.id, i + 1, scores.next(hit.score.value), answer.system);
    }
  }
}

Result<Line> query_line(const SearchArguments& options, Collection& collection) {
  auto piece = options.id.empty() ? read_query(options.query) : collection.get(options.id);
  if (!piece) return fail(piece.error());
  if (piece->voices.empty()) return fail("query-empty", "the query has no notes");
  return make_line(piece->voices.front(), options.line);
}

/// What the options select: by features and metadata, by words, and not the melody that was asked about.
Result<SearchOptions> search_options(const SearchArguments& options, Collection& collection) {
  SearchOptions out;
  out.k = options.k;
  out.threads = std::max(1U, options.threads);
  out.fold_duplicates = options.fold_duplicates;
  if (options.time_limit > 0) out.time_limit = std::chrono::milliseconds(options.time_limit);
  std::string where = options.where;
  if (options.least_notes > 0) {
    const std::string length = fmt::format("notes >= {}", options.least_notes);
    where = where.empty() ? length : fmt::format("({}) AND {}", where, length);
  }
  if (!where.empty()) {
    auto keys = pieces_where(collection, where);
    if (!keys) return fail(std::move(keys.error()));
    out.among = std::move(*keys);
  }
  auto with_words = pieces_with(collection, options.text);
  if (!with_words) return fail(std::move(with_words.error()));
  out.among = in_both(out.among, *with_words);
  if (!options.id.empty()) {
    // "Find similar" does not want to hear of the melody itself.
    auto key = collection.key_of(options.id);
    if (!key) return fail(std::move(key.error()));
    out.except = *key;
  }
  return out;
}

int run(const SearchArguments& options) {
  auto chosen = resolve_system(options.system, options.settings);
  if (!chosen) return report(chosen.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto query = query_line(options, *collection);
  if (!query) return report(query.error());
  if (query->size() < chosen->shortest) {
    return report(Error{"query-short",
                        fmt::format("the query has {} note{}; {} needs at least {}", query->size(),
                                    query->size() == 1 ? "" : "s", chosen->name, chosen->shortest),
                        {},
                        "add notes, or choose another system ('rondo systems')"});
  }
  LineOptions heard = options.line;
  // The beginning is as long as the query, and a little longer for notes that were added.
  if (options.anchored) heard.opening = static_cast<std::uint32_t>(query->size() + query->size() / 4);
  auto engine = open_engine(*collection, heard);
  if (!engine) return report(engine.error());
  if (auto done = engine->teach(*chosen->system); !done) return report(done.error());
  auto wanted = search_options(options, *collection);
  if (!wanted) return report(wanted.error());

  const auto start = std::chrono::steady_clock::now();
  const auto result = engine->search(*chosen, *query, *wanted);
  if (!result) return report(result.error());
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const auto prepared = chosen->system->prepare(*query);
  Answer answer{options, heard, chosen->name, *prepared, *query, *result, {}, milliseconds};
  for (const Found& hit : result->hits) {
    auto piece = collection->get(hit.piece);
    if (!piece) return report(piece.error());
    answer.pieces.push_back(std::move(*piece));
  }
  if (options.format == "json") {
    print_json(answer);
  } else if (options.format == "table") {
    print_table(answer);
  } else {
    print_lines(answer);
  }
  fmt::print(stderr, "{}: {} melodies compared in {:.1f} ms{}{}\n", chosen->name, grouped(result->compared),
             milliseconds,
             result->not_compared == 0 ? "" : fmt::format(", {} too short", grouped(result->not_compared)),
             result->complete ? "" : "; stopped by the time limit, there may be better ones");
  return kSuccess;
}

}  // namespace

Action define_search(CLI::App& app) {
  auto options = std::make_shared<SearchArguments>();
  add_db(app, options->db);
  auto* query = app.add_option("--query", options->query, "what to look for: a file, '-', or notes as PAE");
  auto* id = app.add_option("--id", options->id, "look for melodies like this one of the collection");
  query->excludes(id);
  app.add_option("-k", options->k, "how many hits")->capture_default_str();
  app.add_option("--system", options->system, "how to compare ('rondo systems' lists them); rrf:A+B fuses several")
      ->capture_default_str();
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  add_where(app, options->where);
  app.add_option("--text", options->text, "only pieces with these words in title, composer, shelfmark, ...");
  app.add_option("--min-notes", options->least_notes, "only melodies with at least so many notes");
  app.add_option("--format", options->format, "table, json, csv or trec")
      ->check(CLI::IsMember({"table", "json", "csv", "trec"}))
      ->capture_default_str();
  app.add_flag("--explain", options->explain, "show which notes were held against which");
  app.add_flag("--anchored,!--anywhere", options->anchored, "only the beginning of each melody counts, not all of it");
  app.add_flag("--fold", options->fold_duplicates, "melodies that are the same or transposed count as one");
  app.add_option("--time-limit", options->time_limit, "milliseconds after which the search stops with what it has");
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
