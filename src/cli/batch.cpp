#include "cli/batch.h"

#include <fmt/format.h>

#include <optional>

#include "cli/print.h"
#include "rondo/formats/open.h"

namespace rondo::cli {
namespace {

class Pieces final : public PieceSink, public FileVisitor {
 public:
  explicit Pieces(std::string path) : path_(std::move(path)) {}
  bool piece(Piece&& piece) override {
    if (!piece.voices.empty()) pieces.push_back(std::move(piece));
    return true;
  }
  void warn(Diagnostic warning) override { print_to(stderr, "rondo: {}\n", warning.to_string()); }
  bool skip(Diagnostic why) override { return problem(std::move(why)); }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions read;
    read.file = name;
    auto done = read_any(std::move(source), read, *this);
    // A README beside the music in a folder is no melody.
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

}  // namespace

Result<std::vector<Piece>> read_pieces(const std::string& path) {
  Pieces found(path);
  if (auto done = open_path(path, found); !done) return fail(done.error());
  if (found.failure) return fail(std::move(*found.failure));
  if (found.pieces.empty()) return fail("query-empty", "it contains no melody", Place{path, {}, {}, 0, 0});
  return std::move(found.pieces);
}

Result<std::vector<ChosenSystem>> choose_systems(std::vector<std::string> names,
                                                 const std::vector<std::string>& settings) {
  if (names.size() == 1 && names[0] == "all") {
    names.clear();
    for (const SystemRow* row : systems()) names.emplace_back(row->name);
  }
  if (names.size() > 1 && !settings.empty()) {
    return fail("settings-ambiguous", "--set works only with a single system", {}, "run them one by one");
  }
  std::vector<ChosenSystem> chosen;
  for (const std::string& name : names) {
    auto one = resolve_system(name, settings);
    if (!one) return fail(std::move(one.error()));
    chosen.push_back(std::move(*one));
  }
  return chosen;
}

evaluation::RankedList answer(const ChosenSystem& system, const Piece& query, const Corpus& corpus,
                              const AnswerOptions& options) {
  evaluation::RankedList list;
  list.query = query.id;
  // One more than wanted where the query itself will be left out.
  const Ranking ranking =
      rank_all(*system.row, *system.system, make_line(query.voices.front()), corpus,
               {.k = options.k + (options.keep_self ? 0 : 1), .threads = std::max(1U, options.threads)});
  for (const Hit& hit : ranking.hits) {
    const std::string& id = corpus.documents[hit.document].id;
    if ((!options.keep_self && id == query.id) || list.documents.size() == options.k) continue;
    list.documents.push_back({id, hit.score.value});
  }
  return list;
}

Result<BatchRunner> BatchRunner::open(const std::string& db, Collection first, bool on_card, std::size_t queries) {
  // Queries that are under way at once on a card.
  constexpr std::size_t kOnCard = 128;
  std::vector<Collection> connections;
  connections.push_back(std::move(first));
  while (on_card && connections.size() < std::min(kOnCard, queries)) {
    auto another = Collection::open(db, OpenMode::read);
    if (!another) return fail(another.error());
    connections.push_back(std::move(*another));
  }
  return BatchRunner(std::move(connections));
}

}  // namespace rondo::cli
