#include "rondo/search/engine.h"

#include <map>

#include "rondo/search/load.h"
#include "search/likeness.h"
#include "store/sqlite.h"

namespace rondo {

namespace {

/// A state of a collection, as the connection at hand sees it: what others have committed, and what it wrote itself.
struct Moment {
  std::int64_t of_others = 0;
  std::int64_t own = 0;
  friend bool operator==(const Moment&, const Moment&) = default;
};

Result<Moment> moment_of(Collection& collection) {
  auto of_others = collection.database().number("PRAGMA data_version");
  if (!of_others) return fail(std::move(of_others.error()));
  auto own = collection.database().number("SELECT total_changes()");
  if (!own) return fail(std::move(own.error()));
  return Moment{*of_others, *own};
}

}  // namespace

struct Engine::State {
  Collection& collection;
  Moment opened;
  EngineOptions options;
  Index index;
  std::optional<Corpus> corpus{};
  std::optional<Corpus> partial{};  ///< the pieces that the index does not have whole

  [[nodiscard]] Result<const Corpus*> whole() {
    if (!corpus) {
      auto loaded = load_corpus(collection, options.line);
      if (!loaded) return fail(std::move(loaded.error()));
      corpus = std::move(*loaded);
    }
    return &*corpus;
  }

  [[nodiscard]] Result<const Corpus*> rest() {
    if (!partial) {
      auto loaded = load_corpus(collection, index.partial(), options.line);
      if (!loaded) return fail(std::move(loaded.error()));
      partial = std::move(*loaded);
    }
    return &*partial;
  }

  [[nodiscard]] std::string id_of(PieceKey key) {
    auto id = collection.id_of(key);
    return id ? *id : std::string();
  }

  [[nodiscard]] Result<SearchResult> best(const ChosenSystem& system, const Line& query, const SearchOptions& wanted) {
    if (!searches_index(*system.system)) {
      auto all = whole();
      if (!all) return fail(std::move(all.error()));
      return rondo::search(**all, *system.row, *system.system, query, wanted);
    }
    const auto ids = [this](PieceKey key) { return id_of(key); };
    if (!system.row->polyphonic) return rondo::search(index, *system.row, *system.system, query, wanted, ids);
    auto others = rest();
    if (!others) return fail(std::move(others.error()));
    return rondo::search(index, **others, *system.row, *system.system, query, wanted, ids);
  }
};

namespace {

Result<Index> index_for(Collection& collection, const EngineOptions& options) {
  if (options.line != LineOptions{}) {
    return Index::of(
        collection, [line = options.line](const Voice& voice) { return make_line(voice, line); }, options.progress);
  }
  const auto file = Index::path_for(collection.path());
  auto index = Index::open(file);
  auto fits = index ? index->fits(collection) : Result<bool>(false);
  if (!fits) return fail(std::move(fits.error()));
  if (*fits) return index;
  if (options.write_index) {
    index = Index::update(collection, file, options.progress);
    if (index) return index;
  }
  // Where it cannot be written (a folder of somebody else's, a full disk) the search goes on without a file.
  return Index::of(collection, options.progress);
}

}  // namespace

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

Result<Engine> Engine::open(Collection& collection, EngineOptions options) {
  // First: what is written while the index is made, makes this engine an old one.
  auto opened = moment_of(collection);
  if (!opened) return fail(std::move(opened.error()));
  auto index = index_for(collection, options);
  if (!index) return fail(std::move(index.error()));
  return Engine(std::make_unique<State>(State{collection, *opened, std::move(options), std::move(*index)}));
}

Result<bool> Engine::current() const {
  auto now = moment_of(state_->collection);
  if (!now) return fail(std::move(now.error()));
  return *now == state_->opened;
}

Result<void> Engine::teach(System& system) {
  if (!system.learns()) return {};
  if (searches_index(system)) {
    rondo::teach(state_->index, system);
    return {};
  }
  auto corpus = state_->whole();
  if (!corpus) return fail(std::move(corpus.error()));
  (*corpus)->teach(system);
  return {};
}

Result<SearchResult> Engine::search(const ChosenSystem& system, const Line& query, const SearchOptions& options) {
  if (!options.fold_duplicates) return state_->best(system, query, options);
  // As many more as it takes to have k that differ.
  SearchOptions wider = options;
  for (;;) {
    auto result = state_->best(system, query, wider);
    if (!result) return result;
    std::map<Likeness, std::size_t> places;
    std::vector<Found> folded;
    for (Found& hit : result->hits) {
      auto heard = line(hit);
      if (!heard) return fail(std::move(heard.error()));
      const auto [place, is_new] = places.try_emplace(likeness_of(*heard), folded.size());
      if (is_new) {
        folded.push_back(std::move(hit));
      } else {
        folded[place->second].same.push_back(hit.piece);
      }
    }
    const bool all = result->hits.size() < wider.k;
    if (!all && folded.size() < options.k) {
      wider.k *= 4;
      continue;
    }
    if (folded.size() > options.k) folded.resize(options.k);
    result->hits = std::move(folded);
    return result;
  }
}

Result<Line> Engine::line(const Found& hit) {
  auto piece = state_->collection.get(hit.piece);
  if (!piece) return fail(std::move(piece.error()));
  if (hit.voice >= piece->voices.size()) return fail("piece-missing", "the melody changed meanwhile");
  return make_line(piece->voices[hit.voice], state_->options.line);
}

}  // namespace rondo
