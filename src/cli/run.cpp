#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <thread>

#include "base/output_file.h"
#include "cli/batch.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "evaluation/falling_scores.h"
#include "rondo/search/service.h"
#include "search/card/device.h"
#include "search/select.h"

namespace rondo::cli {
namespace {

struct RunArguments {
  std::string db;
  std::string queries;
  std::vector<std::string> systems{std::string(kDefaultSystem)};
  std::vector<std::string> settings;
  std::size_t k = 1000;
  std::string out;
  std::string where;
  bool keep_self = false;
  bool expand = false;
  unsigned threads = std::thread::hardware_concurrency();
  std::string device{kDeviceNames[0]};
};

/// A query's part of the run file.
struct RunLines {
  std::string text;
  SearchResult counts{};  ///< without its hits
  std::optional<Diagnostic> card_failure{};
};

/// OUT itself for one system; OUT with the system's name before the extension for several. Of the name of a mixture,
/// what a shell or another system would trip over becomes an underscore.
std::string file_for(const std::string& out, std::string_view system, bool several) {
  if (!several) return out;
  const std::size_t slash = out.find_last_of('/');
  const std::size_t dot = out.find_last_of('.');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const std::size_t at = has_extension ? dot : out.size();
  std::string name(system);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '(' || c == ')'; }, '_');
  return out.substr(0, at) + "." + name + out.substr(at);
}

Result<RunLines> answer_one(CollectionSnapshot& snapshot, Collection& collection, SearchRequest request,
                            const Piece& query, bool keep_self) {
  if (!keep_self) {
    auto self = collection.find_key(query.id);
    if (!self) return fail(self.error());
    request.except = *self;
  }
  request.query = query.voices.front();
  auto answer = snapshot.search(collection, request);
  RunLines out;
  if (!answer) return is_without_hits(answer.error()) ? Result<RunLines>(std::move(out)) : fail(answer.error());
  std::size_t rank = 0;
  evaluation::FallingScores scores;
  for (const Found& hit : answer->result.hits) {
    auto id = collection.id_of(hit.piece);
    if (!id) return fail(id.error());
    out.text += fmt::format("{} Q0 {} {} {} {}\n", query.id, *id, ++rank, scores.next(hit.score.value), request.system);
  }
  out.card_failure = std::move(answer->card_failure);
  out.counts = std::move(answer->result);
  out.counts.hits.clear();
  return out;
}

int run(const RunArguments& options) {
  auto chosen = choose_systems(options.systems, options.settings);
  if (!chosen) return report(chosen.error());
  for (const ChosenSystem& one : *chosen) {  // not after an hour of searching
    if (auto fine = check_output(file_for(options.out, one.name, chosen->size() > 1)); !fine)
      return report(fine.error());
  }
  const auto device = device_for(device_of(options.device).value_or(Device::cpu), *chosen);
  if (!device) return report(device.error());
  auto queries = read_pieces(options.queries);
  if (!queries) return report(queries.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  SearchRequest request;
  request.k = options.k;
  request.threads = options.threads;
  if (!options.where.empty()) {
    auto keys = pieces_where(*collection, options.where, SqlLimits::owner());
    if (!keys) return report(keys.error());
    request.among = std::move(*keys);
  }
  request.settings = options.settings;
  request.expand = options.expand;
  auto snapshot = open_snapshot(*collection, {.device = *device});
  if (!snapshot) return report(snapshot.error());
  const bool on_card = (*snapshot)->on_card();
  if (on_card) request.threads = 1;
  auto runner = BatchRunner::open(options.db, std::move(*collection), on_card, queries->size());
  if (!runner) return report(runner.error());
  std::optional<Diagnostic> card_failure;
  for (const ChosenSystem& one : *chosen) {
    const std::string& name = one.name;
    request.system = name;
    const std::string path = file_for(options.out, name, chosen->size() > 1);
    auto file = OutputFile::open(path);
    if (!file) return report(file.error());
    std::ostream& out = file->stream();
    ProgressBar progress(name, terminal_width(stderr) != 0);
    std::size_t done = 0;
    std::size_t unanswered = 0;
    SearchResult counts;  // of all queries together
    const auto answer = [&](Collection& from, const Piece& query) {
      return answer_one(**snapshot, from, request, query, options.keep_self);
    };
    const auto take = [&](RunLines lines, const Piece& /*query*/) {
      out << lines.text;
      if (lines.text.empty()) ++unanswered;
      add_counts(lines.counts, counts);
      if (lines.card_failure) card_failure = std::move(lines.card_failure);
      ++done;
      progress.update(done, queries->size(), done);
    };
    if (auto ran = runner->run(*queries, answer, take); !ran) return report(ran.error());
    progress.clear();
    if (auto written = file->commit(); !written) return report(written.error());
    print_to(stderr, "{}: {} queries{}, {} -> {}\n", name, queries->size(),
             unanswered == 0 ? "" : fmt::format(", {} without a hit", unanswered), counts_text(counts), path);
  }
  if (card_failure) print_to(stderr, "rondo: the run continued on the CPU alone: {}\n", card_failure->to_string());
  return kSuccess;
}

}  // namespace

Action define_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  add_db(app, options->db);
  app.add_option("--queries", options->queries, "file or folder with the queries, in any format")->required();
  app.add_option("--system", options->systems, "systems, separated by commas; or all")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  app.add_option("-k", options->k, "hits per query")->check(whole(1, kMostHits))->capture_default_str();
  app.add_option("--out", options->out,
                 "TREC run file; with several systems, their names are inserted before the extension")
      ->required();
  add_where(app, options->where);
  app.add_flag("--expand", options->expand, kExpandHelp);
  app.add_flag("--keep-self", options->keep_self, "a query that is in the collection may find itself");
  app.add_option("--threads", options->threads, "how many threads")
      ->check(whole(1, kMostThreads))
      ->capture_default_str();
  add_device(app, options->device);
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
