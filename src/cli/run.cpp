#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "rondo/formats/open.h"
#include "rondo/search/load.h"
#include "rondo/search/rank.h"

namespace rondo::cli {
namespace {

struct Options {
  std::string db;
  std::string queries;
  std::string where;
  std::vector<std::string> systems;
  std::size_t k = 1000;
  std::string out;
  bool keep_self = false;
  unsigned threads = std::thread::hardware_concurrency();
};

/// Every melody of the files at a path, in any format. A query that cannot be read spoils the batch: a run that
/// silently lacks some would be worth nothing.
class Queries final : public PieceSink, public FileVisitor {
 public:
  explicit Queries(std::string path) : path_(std::move(path)) {}
  bool piece(Piece&& piece) override {
    if (!piece.voices.empty()) pieces.push_back(std::move(piece));
    return true;
  }
  void warn(Diagnostic warning) override { fmt::print(stderr, "rondo: {}\n", warning.to_string()); }
  bool skip(Diagnostic why) override { return problem(std::move(why)); }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions read;
    read.file = name;
    auto done = read_any(std::move(source), read, *this);
    // A README beside the music in a folder is no query.
    const bool other = !done && done.error().code == "format-unknown" && name != path_;
    return done || other ? !failure : problem(std::move(done.error()));
  }
  bool problem(Diagnostic why) override {
    failure = std::move(why);
    return false;
  }

  std::vector<Piece> pieces;
  std::optional<Error> failure;

 private:
  std::string path_;
};

Result<std::vector<Piece>> read_queries(const std::string& path) {
  Queries queries(path);
  if (auto done = open_path(path, queries); !done) return fail(done.error());
  if (queries.failure) return fail(std::move(*queries.failure));
  if (queries.pieces.empty()) return fail("query-empty", "there is no melody in it", Place{path, {}, {}, 0, 0});
  return std::move(queries.pieces);
}

/// OUT itself for one system; OUT with the system's name before the extension for several.
std::string file_for(const std::string& out, std::string_view system, bool several) {
  if (!several) return out;
  const std::size_t slash = out.find_last_of('/');
  const std::size_t dot = out.find_last_of('.');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const std::size_t at = has_extension ? dot : out.size();
  return out.substr(0, at) + "." + std::string(system) + out.substr(at);
}

int run(const Options& options) {
  auto queries = read_queries(options.queries);
  if (!queries) return report(queries.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto corpus = load_corpus(*collection);
  if (!corpus) return report(corpus.error());
  std::vector<std::string> names = options.systems;
  if (names.size() == 1 && names[0] == "all") {
    names.clear();
    for (const SystemRow* row : systems()) names.emplace_back(row->name);
  }
  struct Ready {
    const SystemRow* row;
    std::unique_ptr<System> system;
  };
  std::vector<Ready> ready;
  for (const std::string& name : names) {
    auto row = system_row(name);
    if (!row) return report(row.error());
    auto system = make_system(**row, {});
    if (!system) return report(system.error());
    // All of the collection, whatever is selected: so a melody scores the same with and without --where.
    corpus->teach(**system);
    ready.push_back({*row, std::move(*system)});
  }
  if (auto done = keep_where(*collection, options.where, *corpus); !done) return report(done.error());
  for (const Ready& one : ready) {
    const std::string name(one.row->name);
    const std::string path = file_for(options.out, name, names.size() > 1);
    std::ofstream out(path);
    ProgressBar progress(name, terminal_width(stderr) != 0);
    std::size_t done = 0;
    std::size_t unanswered = 0;
    for (const Piece& query : *queries) {
      const Line line = make_line(query.voices.front());
      // One more than wanted, so that leaving out the query itself still gives k.
      const Ranking ranking =
          rank_all(*one.row, *one.system, line, *corpus, {.k = options.k + 1, .threads = options.threads});
      std::size_t rank = 0;
      for (const Hit& hit : ranking.hits) {
        const std::string& id = corpus->documents[hit.document].id;
        if ((!options.keep_self && id == query.id) || rank == options.k) continue;
        out << fmt::format("{} Q0 {} {} {} {}\n", query.id, id, ++rank, hit.score.value, name);
      }
      if (rank == 0) ++unanswered;
      ++done;
      progress.update(done, queries->size(), done);
    }
    out.close();
    progress.clear();
    if (!out)
      return report(Error{"write-failed", "cannot write it", Place{path, {}, {}, 0, 0},
                          "is the folder there, is the disk full?"});
    fmt::print(stderr, "{}: {} queries{} -> {}\n", name, queries->size(),
               unanswered == 0 ? "" : fmt::format(", {} without a hit", unanswered), path);
  }
  return kSuccess;
}

}  // namespace

Action define_run(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_db(app, options->db);
  app.add_option("--queries", options->queries, "file or folder with the queries, in any format")->required();
  app.add_option("--system", options->systems, "systems, with commas between; or all")->delimiter(',')->required();
  app.add_option("-k", options->k, "hits per query")->capture_default_str();
  app.add_option("--out", options->out, "TREC run file; with several systems the name is put before its extension")
      ->required();
  add_where(app, options->where);
  app.add_flag("--keep-self", options->keep_self, "a query that is in the collection may find itself");
  app.add_option("--threads", options->threads, "how many threads")->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
