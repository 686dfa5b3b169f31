#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/csv.h"
#include "cli/batch.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "evaluation/falling_scores.h"
#include "formats/shown.h"
#include "query/fit.h"
#include "query/reading_json.h"
#include "rondo/search/service.h"
#include "search/card/device.h"
#include "search/matched_notes.h"
#include "search/select.h"
#include "similarity/alignment_json.h"

namespace rondo::cli {
namespace {

struct SearchArguments {
  std::string db;
  std::string query;
  std::string id;
  std::string batch;
  std::optional<std::string> system;
  std::vector<std::string> settings;
  std::size_t k = 10;
  std::string format = "table";
  bool explain = false;
  std::string where;
  std::string text;
  unsigned least_notes = 0;
  bool anchored = false;
  bool anchored_given = false;
  bool fold_duplicates = false;
  bool expand = false;
  unsigned time_limit = 0;
  LineOptions line;
  unsigned threads = std::thread::hardware_concurrency();
  std::string device{kDeviceNames[0]};
};

/// What is searched for, with what was read of a text.
struct Asked {
  SearchRequest request;
  std::optional<QueryReading> reading{};
  Diagnostics warnings{};
};

/// An answer with what is shown of it.
struct Shown {
  const SearchArguments& options;
  const Asked& asked;
  const SearchAnswer& answer;
  const PreparedQuery& prepared;
  std::string query{};          ///< its id; empty: it is the only one and has none
  std::vector<Piece> pieces{};  ///< of the hits

  [[nodiscard]] const Found& hit(std::size_t i) const { return answer.result.hits[i]; }
  [[nodiscard]] const Voice& voice(std::size_t i) const { return pieces[i].voices[hit(i).voice]; }
  [[nodiscard]] Line line(std::size_t i) const { return make_line(voice(i), answer.query.heard); }
};

/// Never quite certain, never quite impossible.
std::string likelihood_text(double probability) {
  if (probability >= 0.995) return ">99%";
  if (probability < 0.005) return "<1%";
  return fmt::format("{:.0f}%", 100 * probability);
}

/// As the formats write it; nothing where the system is not calibrated.
std::string probability_text(const Found& hit) {
  return hit.probability ? fmt::format("{:.4f}", *hit.probability) : "";
}

std::string table_text(const Shown& shown) {
  const bool calibrated = shown.answer.spread.has_value();
  std::vector<Table::Column> columns = {{"rank", Table::Align::right}, {"score", Table::Align::right}};
  if (calibrated) columns.push_back({"same tune", Table::Align::right});
  for (const char* name : {"id", "title", "composer"}) columns.push_back({name, Table::Align::left, true});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < shown.pieces.size(); ++i) {
    const Found& hit = shown.hit(i);
    const Piece& piece = shown.pieces[i];
    const std::string more = hit.same.empty() ? "" : fmt::format(" (+{})", hit.same.size());
    std::vector<std::string> cells = {std::to_string(i + 1), fmt::format("{:.4f}", hit.score.value)};
    if (calibrated) cells.push_back(likelihood_text(*hit.probability));
    for (const std::string& cell : {piece.id + more, piece.metadata.title, piece.metadata.composer}) {
      cells.push_back(cell);
    }
    table.row(std::move(cells));
  }
  std::string out = table.render(terminal_width(stdout));
  if (!shown.options.explain) return out;
  for (std::size_t i = 0; i < shown.pieces.size(); ++i) {
    const Line line = shown.line(i);
    out += fmt::format("\n{}. {}: {}", i + 1, shown.pieces[i].id,
                       alignment_text(shown.prepared.explain(line), shown.answer.query.line, line));
  }
  return out;
}

std::string json_text(const Shown& shown) {
  const SearchAnswer& answer = shown.answer;
  nlohmann::ordered_json hits = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < shown.pieces.size(); ++i) {
    const Found& hit = shown.hit(i);
    const Metadata& metadata = shown.pieces[i].metadata;
    nlohmann::ordered_json one = {{"rank", i + 1},      {"score", hit.score.value}, {"id", shown.pieces[i].id},
                                  {"voice", hit.voice}, {"title", metadata.title},  {"composer", metadata.composer}};
    one["probability"] = hit.probability ? nlohmann::ordered_json(*hit.probability) : nullptr;
    if (shown.options.fold_duplicates) one["duplicates"] = hit.same.size();
    const Explanation why = shown.prepared.explain(shown.line(i));
    const MatchedNotes matched =
        matched_notes(why, answer.query.voice, answer.query.query_heard, shown.voice(i), answer.query.heard);
    one["matched"] = {{"query", matched.query}, {"document", matched.document}};
    if (shown.options.explain) one["alignment"] = alignment_json(why);
    hits.push_back(std::move(one));
  }
  const SearchResult& result = answer.result;
  nlohmann::ordered_json query;
  if (!shown.options.batch.empty()) query["id"] = shown.query;
  query["notes"] = notes_json(answer.query.voice);
  query["read"] = nullptr;
  if (shown.asked.reading) query["read"] = reading_json(*shown.asked.reading);
  query["warnings"] = nlohmann::ordered_json::array();
  for (const Diagnostic& warning : shown.asked.warnings) {
    query["warnings"].push_back({{"code", warning.code}, {"message", warning.message}});
  }
  const nlohmann::ordered_json all = {{"query", query},
                                      {"system", answer.system->name},
                                      {"compared", result.compared},
                                      {"not_reached", result.not_reached},
                                      {"too_short", result.too_short},
                                      {"filtered_out", result.filtered_out},
                                      {"complete", result.complete},
                                      {"expanded", answer.expanded},
                                      {"method", result.method},
                                      {"scored", result.scored},
                                      {"milliseconds", answer.milliseconds},
                                      {"hits", hits}};
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string lines_text(const Shown& shown) {
  const bool several = !shown.options.batch.empty();
  std::string out;
  evaluation::FallingScores scores;
  for (std::size_t i = 0; i < shown.pieces.size(); ++i) {
    const Found& hit = shown.hit(i);
    const Piece& piece = shown.pieces[i];
    if (shown.options.format == "csv") {
      std::vector<std::string> cells = {std::to_string(i + 1),
                                        fmt::format("{}", hit.score.value),
                                        piece.id,
                                        piece.metadata.title,
                                        piece.metadata.composer,
                                        probability_text(hit)};
      if (several) cells.insert(cells.begin(), shown.query);
      out += csv_line(cells);
    } else {
      out += fmt::format("{} Q0 {} {} {} {}\n", shown.query.empty() ? "query" : shown.query, piece.id, i + 1,
                         scores.next(hit.score.value), shown.answer.system->name);
    }
  }
  return out;
}

/// What comes before all answers, between two and after all.
struct Frame {
  std::string before{};
  std::string between{};
  std::string after{};
};

Frame frame_of(const SearchArguments& options) {
  const bool several = !options.batch.empty();
  if (options.format == "json") return several ? Frame{"[\n", ",\n", "\n]\n"} : Frame{"", "", "\n"};
  if (options.format == "table") return {"", "\n", ""};
  if (options.format != "csv") return {};
  std::vector<std::string> titles = {"rank", "score", "id", "title", "composer", "probability"};
  if (several) titles.insert(titles.begin(), "query");
  return {csv_line(titles), "", ""};
}

/// An answer as it is written.
Result<std::string> answer_text(const SearchArguments& options, const Asked& asked, const SearchAnswer& answer,
                                std::string query, Collection& collection) {
  const auto prepared = answer.system->system->prepare(answer.query.line);
  Shown shown{options, asked, answer, *prepared, std::move(query)};
  for (const Found& hit : answer.result.hits) {
    auto piece = collection.get(hit.piece);
    if (!piece) return fail(piece.error());
    shown.pieces.push_back(std::move(*piece));
  }
  if (options.format == "json") return json_text(shown);
  if (options.format != "table") return lines_text(shown);
  return (options.batch.empty() ? "" : printable(shown.query) + "\n") + table_text(shown);
}

Result<Asked> asked_of(const SearchArguments& options) {
  Asked asked;
  SearchRequest& request = asked.request;
  request.system = options.system.value_or(std::string(kDefaultSystem));
  request.anchored = options.anchored;
  if (!options.batch.empty()) {
    // Each of the queries comes with its own notes.
  } else if (options.id.empty()) {
    auto reading = read_query(options.query);
    if (!reading) return fail(reading.error());
    auto fit =
        fit_system(*reading, options.system, options.anchored_given ? std::optional(options.anchored) : std::nullopt);
    if (!fit) return fail(std::move(fit.error()));
    print_remarks(fit->warnings);
    request.system = fit->system;
    request.anchored = fit->anchored;
    request.query = reading->voice();
    request.unknown = reading->unknown;
    asked.warnings = reading->warnings;
    asked.warnings.insert(asked.warnings.end(), fit->warnings.begin(), fit->warnings.end());
    asked.reading = std::move(*reading);
  } else {
    request.like = options.id;
  }
  request.settings = options.settings;
  request.k = options.k;
  request.heard = options.line;
  request.fold_duplicates = options.fold_duplicates;
  request.expand = options.expand;
  request.where = options.where;
  request.trusted = true;
  request.text = options.text;
  request.least_notes = options.least_notes;
  request.threads = options.threads;
  if (options.time_limit > 0) request.time_limit = std::chrono::milliseconds(options.time_limit);
  return asked;
}

void print(const std::string& text) { write_to(stdout, text); }

/// Every query of a file.
int run_batch(const SearchArguments& options, Collection collection, CollectionSnapshot& snapshot, Asked asked,
              std::span<const Piece> queries) {
  if (snapshot.on_card()) asked.request.threads = 1;
  // What they need is made before the first is answered, so that no time limit counts it.
  for (const Piece& query : queries) {
    asked.request.query = query.voices.front();
    const auto done = prepare(snapshot, collection, asked.request);
    if (done) break;
    if (!is_without_hits(done.error())) return report(done.error());
  }
  auto runner = BatchRunner::open(options.db, std::move(collection), snapshot.on_card(), queries.size());
  if (!runner) return report(runner.error());
  struct Answered {
    std::optional<std::string> text{};  ///< nothing: the query is too short
    SearchResult counts{};              ///< without hits
    std::optional<Diagnostic> card_failure{};
  };
  const auto answer = [&](Collection& from, const Piece& query) -> Result<Answered> {
    Asked own = asked;
    own.request.query = query.voices.front();
    auto found = snapshot.search(from, own.request);
    if (!found) return is_without_hits(found.error()) ? Result<Answered>(Answered{}) : fail(found.error());
    auto text = answer_text(options, own, *found, query.id, from);
    if (!text) return fail(text.error());
    found->result.hits.clear();
    return Answered{std::move(*text), std::move(found->result), std::move(found->card_failure)};
  };
  const Frame frame = frame_of(options);
  bool begun = false;
  std::size_t unanswered = 0;
  std::size_t stopped = 0;
  SearchResult counts;  // of all queries together
  std::optional<Diagnostic> card_failure;
  const auto take = [&](Answered one, const Piece& query) {
    if (!one.text) {
      print_to(stderr, "rondo: {} is too short for {}\n", printable(query.id), asked.request.system);
      ++unanswered;
      return;
    }
    print(std::exchange(begun, true) ? frame.between : "");
    print(*one.text);
    add_counts(one.counts, counts);
    if (!one.counts.complete) ++stopped;
    if (one.card_failure) card_failure = std::move(one.card_failure);
  };
  print(frame.before);
  const auto start = std::chrono::steady_clock::now();
  const auto ran = runner->run(queries, answer, take);
  if (!ran) return report(ran.error());
  print(frame.after);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_to(stderr, "{}: {} queries{} in {:.1f} ms, {}{}\n", asked.request.system, queries.size(),
           unanswered == 0 ? "" : fmt::format(", {} without a hit", unanswered), 1000 * seconds, counts_text(counts),
           stopped == 0 ? "" : fmt::format("; {} stopped by the time limit, there may be better hits", stopped));
  if (card_failure) print_to(stderr, "rondo: the search continued on the CPU alone: {}\n", card_failure->to_string());
  return kSuccess;
}

/// Pieces with the words that were given, the best first, among those that fulfil the conditions.
Result<std::vector<TextHit>> pieces_by_words(Collection& collection, const SearchArguments& options) {
  auto found = collection.find(options.text, std::numeric_limits<std::int32_t>::max());
  const std::string where = condition_of(options.where, options.least_notes);
  if (!found || where.empty()) return found;
  auto chosen = pieces_where(collection, where, SqlLimits::owner());
  if (!chosen) return fail(std::move(chosen.error()));
  std::erase_if(*found,
                [&](const TextHit& hit) { return !std::binary_search(chosen->begin(), chosen->end(), hit.key); });
  return found;
}

/// Without a melody: a list of pieces by their words.
int run_words(const SearchArguments& options) {
  if (options.format == "trec") {
    return report(Error{
        "argument-format", "a list found by words has no scores, so it cannot be a run", {}, "use table, json or csv"});
  }
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  const auto found = pieces_by_words(*collection, options);
  if (!found) return report(found.error());
  Table table({{"rank", Table::Align::right},
               {"id", Table::Align::left, true},
               {"title", Table::Align::left, true},
               {"composer", Table::Align::left, true}});
  nlohmann::ordered_json hits = nlohmann::ordered_json::array();
  std::string csv = csv_line({"rank", "id", "title", "composer"});
  for (std::size_t i = 0; i < std::min(options.k, found->size()); ++i) {
    const auto piece = collection->get((*found)[i].key);
    if (!piece) return report(piece.error());
    const Metadata& of = piece->metadata;
    table.row({std::to_string(i + 1), piece->id, of.title, of.composer});
    csv += csv_line({std::to_string(i + 1), piece->id, of.title, of.composer});
    hits.push_back({{"rank", i + 1}, {"id", piece->id}, {"title", of.title}, {"composer", of.composer}});
  }
  if (options.format == "json") {
    const nlohmann::ordered_json all = {{"text", options.text}, {"total", found->size()}, {"hits", hits}};
    print_to(stdout, "{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (options.format == "csv") {
    print_to(stdout, "{}", csv);
  } else {
    table.print(stdout);
  }
  print_to(stderr, "rondo: {} {} with these words\n", grouped(found->size()), found->size() == 1 ? "piece" : "pieces");
  return kSuccess;
}

int run(const SearchArguments& options) {
  if (options.query.empty() && options.id.empty() && options.batch.empty()) return run_words(options);
  const std::string named = options.system.value_or(std::string(kDefaultSystem));
  const auto known = resolve_system(named, options.settings);
  if (!known) return report(known.error());
  const auto device = device_for(device_of(options.device).value_or(Device::cpu), std::span(&*known, 1));
  if (!device) return report(device.error());
  auto queries = options.batch.empty() ? Result<std::vector<Piece>>(std::vector<Piece>()) : read_pieces(options.batch);
  if (!queries) return report(queries.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto asked = asked_of(options);
  if (!asked) return report(asked.error());
  const SearchRequest& request = asked->request;
  auto snapshot = open_snapshot(*collection, {.device = *device});
  if (!snapshot) return report(snapshot.error());
  if (!options.batch.empty()) {
    return run_batch(options, std::move(*collection), **snapshot, std::move(*asked), *queries);
  }
  if (auto done = prepare(**snapshot, *collection, request); !done) return report(done.error());
  const auto answer = (*snapshot)->search(*collection, request);
  if (!answer) return report(answer.error());
  const auto text = answer_text(options, *asked, *answer, options.id, *collection);
  if (!text) return report(text.error());
  const Frame frame = frame_of(options);
  print(frame.before + *text + frame.after);
  if (answer->query.cut) {
    print_to(stderr, "rondo: the query is long; only its first {} notes are searched for\n", kMostQueryNotes);
  }
  if (answer->card_failure) {
    print_to(stderr, "rondo: the search continued on the CPU alone: {}\n", answer->card_failure->to_string());
  }
  print_to(stderr, "{}: {} in {:.1f} ms{}\n", answer->system->name, counts_text(answer->result), answer->milliseconds,
           answer->result.complete ? "" : "; stopped by the time limit, there may be better hits");
  return kSuccess;
}

}  // namespace

Action define_search(CLI::App& app) {
  auto options = std::make_shared<SearchArguments>();
  add_db(app, options->db);
  auto* query = app.add_option("--query", options->query,
                               "the query: a file, '-', or notes in any notation: C4 D4 Eb4, do re mi, 1 2 "
                               "3, +2 -1, *UDR, PAE, ABC, kern");
  auto* id = app.add_option("--id", options->id, "use this melody of the collection as the query");
  auto* batch = app.add_option("--batch", options->batch,
                               "use every melody of this file or folder, in any format, as a query; the results follow "
                               "each other, each with the id of its query");
  query->excludes(id)->excludes(batch);
  id->excludes(batch);
  app.add_option("-k", options->k, "how many hits")->check(whole(1, kMostHits))->capture_default_str();
  app.add_option("--system", options->system,
                 "how to compare ('rondo systems' lists them); rrf:A+B fuses several; rondo if none is named");
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  add_where(app, options->where);
  app.add_option("--text", options->text,
                 "only pieces with these words in title, composer, shelfmark, ...; without a melody, a list of them");
  app.add_option("--min-notes", options->least_notes, "only melodies with at least this many notes")
      ->check(whole(0, 1'000'000));
  app.add_option("--format", options->format, "table, json, csv or trec")
      ->check(CLI::IsMember({"table", "json", "csv", "trec"}))
      ->capture_default_str();
  app.add_flag("--explain", options->explain, "show how the notes were aligned");
  auto* anchored = app.add_flag("--anchored,!--anywhere", options->anchored,
                                "compare only the beginnings of melodies, or whole melodies");
  app.add_flag("--fold", options->fold_duplicates, "identical and transposed melodies count as one hit");
  app.add_flag("--expand", options->expand, kExpandHelp);
  app.add_option("--time-limit", options->time_limit,
                 "in milliseconds; then the search stops and returns the hits found so far")
      ->check(whole(0, 86'400'000));
  app.add_flag("--ignore-repeated", options->line.ignore_repeated, "repeated notes count as one");
  app.add_flag("--fold-octaves", options->line.fold_octaves, "octaves do not matter");
  app.add_flag("--graces", options->line.graces, "take grace notes into account");
  app.add_option("--threads", options->threads, "how many threads")
      ->check(whole(1, kMostThreads))
      ->capture_default_str();
  add_device(app, options->device);
  app.callback([options, anchored] {
    options->anchored_given = anchored->count() > 0;
    if (!options->query.empty() || !options->id.empty() || !options->batch.empty()) return;
    if (options->text.empty()) throw CLI::ValidationError("give --query, --id or --batch, or --text for words alone");
    if (options->explain || options->system) {
      throw CLI::ValidationError("--explain and --system need a melody: give --query or --id");
    }
  });
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
