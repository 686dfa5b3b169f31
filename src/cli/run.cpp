#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <thread>

#include "cli/batch.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "evaluation/falling_scores.h"
#include "gpu/device.h"
#include "rondo/search/service.h"
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
  std::string device{gpu::kDeviceNames[0]};
};

/// A query's part of the run file.
struct RunLines {
  std::string text;
  SearchResult counts{};  ///< without its hits
  std::optional<Diagnostic> card_failure{};
};

/// Queries that are under way at once on a graphics card, which answers many together. Their threads mostly wait.
constexpr std::size_t kOnCard = 128;

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
  // A query that is too short for a system is one without a hit; the others shall be run all the same.
  const bool too_short = !answer && (answer.error().code == "query-short" || answer.error().code == "query-empty");
  if (!answer && !too_short) return fail(answer.error());
  RunLines out;
  if (too_short) return out;
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

/// Answers queries on as many threads as there are connections to the collection.
class QueryRunner {
 public:
  QueryRunner(CollectionSnapshot& snapshot, std::vector<Collection> connections)
      : snapshot_(snapshot), connections_(std::move(connections)) {}

  [[nodiscard]] std::vector<std::optional<Result<RunLines>>> answer(std::span<const Piece> queries,
                                                                    const SearchRequest& request, bool keep_self) {
    std::vector<std::optional<Result<RunLines>>> out(queries.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    const auto work = [&](Collection& collection) {
      for (std::size_t i = next++; i < queries.size() && !failed; i = next++) {
        out[i] = answer_one(snapshot_, collection, request, queries[i], keep_self);
        if (!*out[i]) failed = true;
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < std::min(connections_.size(), queries.size()); ++t) {
      threads.emplace_back([&, t] { work(connections_[t]); });
    }
    work(connections_.front());
    return out;
  }
  /// Queries that are answered together, and written when all of them are.
  [[nodiscard]] std::size_t together() const { return connections_.size() == 1 ? 1 : 16 * connections_.size(); }

 private:
  CollectionSnapshot& snapshot_;
  std::vector<Collection> connections_;
};

/// The card that is asked for; only the system rondo is compared on it.
Result<std::shared_ptr<gpu::Card>> card_of(const std::string& name, const std::vector<ChosenSystem>& systems) {
  const gpu::Device device = gpu::device_of(name).value_or(gpu::Device::cpu);
  for (const ChosenSystem& one : systems) {
    if (device == gpu::Device::cuda && !std::holds_alternative<RondoPlan>(one.system->plan())) {
      return fail("device-system", fmt::format("the graphics card does not compare with '{}'", one.name), {},
                  "choose the system 'rondo', or --device auto");
    }
  }
  return gpu::card_for(device);
}

int run(const RunArguments& options) {
  auto chosen = choose_systems(options.systems, options.settings);
  if (!chosen) return report(chosen.error());
  auto card = card_of(options.device, *chosen);
  if (!card) return report(card.error());
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
  const bool on_card = *card != nullptr;
  SnapshotOptions with;
  with.card = std::move(*card);
  with.cpu_goes_on = options.device != gpu::kDeviceNames[1];
  auto snapshot = open_snapshot(*collection, with);
  if (!snapshot) return report(snapshot.error());
  std::vector<Collection> connections;
  connections.push_back(std::move(*collection));
  if (on_card) request.threads = 1;
  while (on_card && connections.size() < std::min(kOnCard, queries->size())) {
    auto another = Collection::open(options.db, OpenMode::read);
    if (!another) return report(another.error());
    connections.push_back(std::move(*another));
  }
  QueryRunner runner(**snapshot, std::move(connections));
  std::optional<Diagnostic> card_failure;
  for (const ChosenSystem& one : *chosen) {
    const std::string& name = one.name;
    request.system = name;
    const std::string path = file_for(options.out, name, chosen->size() > 1);
    OutputFile file(path);
    std::ostream& out = file.stream();
    if (!out) return report(file.commit().error());  // not after an hour of searching
    ProgressBar progress(name, terminal_width(stderr) != 0);
    std::size_t done = 0;
    std::size_t unanswered = 0;
    SearchResult counts;  // of all queries together
    while (done < queries->size()) {
      const auto some = std::span(*queries).subspan(done, std::min(runner.together(), queries->size() - done));
      for (auto& answer : runner.answer(some, request, options.keep_self)) {
        if (!answer) continue;  // another one failed before it began
        if (!*answer) return report(answer->error());
        out << (*answer)->text;
        if ((*answer)->text.empty()) ++unanswered;
        counts.compared += (*answer)->counts.compared;
        counts.not_reached += (*answer)->counts.not_reached;
        counts.too_short += (*answer)->counts.too_short;
        counts.filtered_out += (*answer)->counts.filtered_out;
        if ((*answer)->card_failure) card_failure = std::move((*answer)->card_failure);
      }
      done += some.size();
      progress.update(done, queries->size(), done);
    }
    progress.clear();
    if (auto written = file.commit(); !written) return report(written.error());
    fmt::print(stderr, "{}: {} queries{}, {} -> {}\n", name, queries->size(),
               unanswered == 0 ? "" : fmt::format(", {} without a hit", unanswered), counts_text(counts), path);
  }
  if (card_failure) fmt::print(stderr, "rondo: the CPU went on alone: {}\n", card_failure->to_string());
  return kSuccess;
}

}  // namespace

Action define_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  add_db(app, options->db);
  app.add_option("--queries", options->queries, "file or folder with the queries, in any format")->required();
  app.add_option("--system", options->systems, "systems, with commas between; or all")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  app.add_option("-k", options->k, "hits per query")->check(whole(1, kMostHits))->capture_default_str();
  app.add_option("--out", options->out, "TREC run file; with several systems the name is put before its extension")
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
