#include "rondo/search/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/background.h"
#include "formats/shown.h"
#include "search/card/card_search.h"
#include "search/card/device.h"
#include "search/load.h"
#include "search/neighbours.h"
#include "search/score_spread.h"
#include "search/search.h"
#include "search/select.h"
#include "search/selection.h"
#include "search/shared_cache.h"
#include "similarity/mixture.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

using Clock = std::chrono::steady_clock;

/// Voices; below, to start threads costs more than they bring.
constexpr std::size_t kWorthThreads = 20'000;

/// A state of a collection, as the connection at hand sees it: what others have committed, and what it wrote itself.
struct Moment {
  std::int64_t of_others = 0;
  std::int64_t own = 0;
  friend bool operator==(const Moment&, const Moment&) = default;
};

Result<Moment> moment_of(Collection& collection) {
  auto of_others = database_of(collection).number("PRAGMA data_version");
  if (!of_others) return fail(std::move(of_others.error()));
  auto own = database_of(collection).number("SELECT total_changes()");
  if (!own) return fail(std::move(own.error()));
  return Moment{*of_others, *own};
}

LineOptions without_opening(LineOptions heard) {
  heard.opening = 0;
  return heard;
}

/// A number of its own for each way to hear melodies.
std::uint64_t number_of(const LineOptions& heard) {
  return std::uint64_t{heard.opening} * 8 + (heard.graces ? 4U : 0U) + (heard.ignore_repeated ? 2U : 0U) +
         (heard.fold_octaves ? 1U : 0U);
}

std::string in_words(const LineOptions& heard) {
  std::string words;
  const auto add = [&](bool is, const char* word) {
    if (is) words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(heard.graces, "with grace notes");
  add(heard.ignore_repeated, "without repeated notes");
  add(heard.fold_octaves, "octaves folded");
  return words;
}

/// Beside the collection where that can be written, else in memory.
Result<Index> open_index(Collection& collection, const LineOptions& heard, const SnapshotOptions& options,
                         const IndexProgress& progress) {
  const auto file = Index::path_for(collection.path(), heard);
  auto index = Index::open(file);
  auto fits = index ? index->fits(collection, heard) : Result<bool>(false);
  if (!fits) return fail(std::move(fits.error()));
  if (*fits) return index;
  if (options.write_index) {
    index = Index::update(collection, file, progress, heard);
    if (index) return index;
  }
  // Where it cannot be written (a folder of somebody else's, a full disk) the search goes on without a file.
  return Index::of(collection, progress, heard);
}

bool compares_whole_pieces(const SystemRow& row, const System& system) {
  const Mixture* mixture = system.mixture();
  if (mixture == nullptr) return row.polyphonic;
  return std::any_of(mixture->parts().begin(), mixture->parts().end(),
                     [](const Part& part) { return compares_whole_pieces(*part.row, *part.system); });
}

/// Whether it takes long to teach a system: it must be shown every melody, for the counts of the index do not suffice.
bool learns_slowly(const System& system) {
  if (!system.learns()) return false;
  const SearchPlan plan = system.plan();
  if (const Mixture* mixture = system.mixture(); mixture != nullptr && std::holds_alternative<ExhaustivePlan>(plan)) {
    return std::any_of(mixture->parts().begin(), mixture->parts().end(),
                       [](const Part& part) { return learns_slowly(*part.system); });
  }
  const auto* windows = std::get_if<WindowPlan>(&plan);
  return windows == nullptr || windows->counts == nullptr;
}

/// Of the pieces of several voices the beginning of each voice. A piece of one voice is all that its line has, as soon
/// as melodies are not heard in the standard way; see Document.
Corpus openings_of(const Corpus& whole, std::uint32_t notes) {
  Corpus out;
  for (const Document& document : whole.documents) {
    if (document.voices.size() < 2) continue;
    Document& cut = out.documents.emplace_back();
    cut.id = document.id;
    cut.key = document.key;
    cut.voices = document.voices;
    for (Line& line : cut.voices) keep_opening(line, notes);
    cut.points = make_points(cut.voices);
  }
  return out;
}

}  // namespace

struct CollectionSnapshot::State {
  /// Where what is missing is made: on the thread that asks, or on the snapshot's own.
  struct Making {
    Collection& collection;
    Clock::time_point until = Clock::time_point::max();
    bool here = false;
    IndexProgress progress{};
  };

  std::filesystem::path path;
  SnapshotOptions options;
  Moment opened;
  std::shared_ptr<const Index> standard;

  SharedCache<std::uint64_t, Index> indexes{8};    ///< by number_of, openings not among them
  SharedCache<std::uint64_t, Index> openings{32};  ///< by number_of
  SharedCache<std::uint64_t, Corpus> rests{8};     ///< pieces that the index of that number does not have whole
  SharedCache<std::string, ChosenSystem> systems{64};
  /// Pieces by the words that were searched for last.
  SharedCache<std::string, std::vector<PieceKey>> pieces_by_words{8};
  /// Their documents, by these words and number_of.
  SharedCache<std::string, SelectedDocuments> documents_by_words{16};

  std::shared_ptr<gpu::Card> card;            ///< null: none
  std::mutex card_mutex{};                    ///< guards the next two
  std::shared_ptr<CardSearch> card_search{};  ///< the standard index under the plan of rondo that was asked for last
  std::optional<Error> card_failure{};        ///< the card is not used any more

  mutable std::mutex listing{};  ///< guards the next two
  std::vector<Preparation> preparations{};
  std::vector<Clock::time_point> starts{};

  std::optional<Collection> workers_own{};  ///< the worker's connection
  std::stop_source ending{};
  std::unique_ptr<Background> worker{};
  std::unique_ptr<Background> warmer{};

  ~State() { ending.request_stop(); }

  /// What has no name is made at once and not listed.
  void note(const std::string& what, Preparation::State state) {
    if (what.empty()) return;
    const std::lock_guard lock(listing);
    auto found =
        std::find_if(preparations.begin(), preparations.end(), [&](const auto& one) { return one.what == what; });
    if (found == preparations.end()) {
      constexpr std::size_t kMostListed = 64;  // who asks for ever new systems must not fill the memory
      if (preparations.size() == kMostListed) {
        preparations.erase(preparations.begin());
        starts.erase(starts.begin());
      }
      preparations.push_back({what});
      starts.push_back(Clock::now());
      found = preparations.end() - 1;
    }
    Clock::time_point& start = starts[static_cast<std::size_t>(found - preparations.begin())];
    if (state == Preparation::State::running) start = Clock::now();
    if (state == Preparation::State::ready || state == Preparation::State::failed) {
      found->seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    found->state = state;
  }

  Result<Collection*> workers_collection() {
    if (!workers_own) {
      auto opened_again = Collection::open(path, OpenMode::read);
      if (!opened_again) return fail(std::move(opened_again.error()));
      workers_own.emplace(std::move(*opened_again));
    }
    return &*workers_own;
  }

  /// `make(collection)` gives a Result<Value>.
  template <typename Key, typename Value, typename Make>
  Result<std::shared_ptr<const Value>> get(SharedCache<Key, Value>& cache, const Key& key, const Making& making,
                                           std::string what, Make make) {
    using Shared = std::shared_ptr<const Value>;
    const auto made_with = [this, what = std::move(what),
                            make = std::move(make)](Collection& collection) -> Result<Shared> {
      note(what, Preparation::State::running);
      Result<Value> value = make(collection);
      note(what, value ? Preparation::State::ready : Preparation::State::failed);
      if (!value) return fail(std::move(value.error()));
      return std::make_shared<const Value>(std::move(*value));
    };
    if (making.here) {
      return cache.get(key, making.until, [&made_with, &making] { return made_with(making.collection); });
    }
    return cache.get(
        key, making.until,
        [this, made_with]() -> Result<Shared> {
          auto own = workers_collection();
          if (!own) return fail(std::move(own.error()));
          return made_with(**own);
        },
        [this](std::function<void()> work) { worker->run(std::move(work)); });
  }

  Result<std::shared_ptr<const Index>> index(const LineOptions& asked, const Making& making) {
    const LineOptions heard = without_opening(asked);
    if (heard == LineOptions{}) return standard;
    return get(indexes, number_of(heard), making, fmt::format("index of melodies {}", in_words(heard)),
               [this, heard, progress = making.progress](Collection& collection) {
                 return open_index(collection, heard, options, progress);
               });
  }

  Result<std::shared_ptr<const Index>> opening(const std::shared_ptr<const Index>& whole, const LineOptions& heard) {
    if (heard.opening == 0) return whole;
    // Made in milliseconds, so whoever asks makes it.
    return openings.get(number_of(heard), Clock::time_point::max(), [&]() -> Result<std::shared_ptr<const Index>> {
      return std::make_shared<const Index>(whole->opening(heard.opening));
    });
  }

  /// The pieces that `searched`, an index of melodies heard in this way, does not have whole.
  Result<std::shared_ptr<const Corpus>> rest(const std::shared_ptr<const Index>& whole, const LineOptions& heard,
                                             const Making& making) {
    const LineOptions all = without_opening(heard);
    const std::string words = in_words(all);
    // Few are loaded in milliseconds: whoever asks does it, and waits for nothing else.
    constexpr std::size_t kFew = 500;
    Making own = making;
    own.here = making.here || whole->partial().size() <= kFew;
    auto loaded =
        get(rests, number_of(all), own, fmt::format("pieces of several voices{}{}", words.empty() ? "" : ", ", words),
            [whole, all](Collection& collection) { return load_corpus(collection, whole->partial(), all); });
    if (!loaded || heard.opening == 0) return loaded;
    return rests.get(number_of(heard), Clock::time_point::max(), [&]() -> Result<std::shared_ptr<const Corpus>> {
      return std::make_shared<const Corpus>(openings_of(**loaded, heard.opening));
    });
  }

  /// Pieces with these words; no words: all. Kept, for people ask for other melodies among the same pieces.
  Result<PieceChoice> with_words(const std::string& text, Collection& collection, Clock::time_point until) {
    if (text.empty()) return PieceChoice();
    using Shared = std::shared_ptr<const std::vector<PieceKey>>;
    auto keys = pieces_by_words.get(text, until, [&]() -> Result<Shared> {
      auto found = pieces_with(collection, text);
      if (!found) return fail(std::move(found.error()));
      return std::make_shared<const std::vector<PieceKey>>(std::move(**found));
    });
    if (!keys) return fail(std::move(keys.error()));
    return PieceChoice(**keys);
  }

  struct Filtered {
    PieceChoice pieces{};        ///< what the filters leave; nothing: all
    bool only_by_words = false;  ///< no other filter left them
    bool known = true;           ///< false: the time was up before; some of `pieces` may not pass
  };
  /// The time being up is no error here: an answer then counts what was not reached.
  Result<Filtered> filter(const SearchRequest& request, Collection& collection, Clock::time_point until) {
    Filtered out;
    auto found = with_words(request.text, collection, until);
    if (found) {
      out.pieces = std::move(*found);
    } else if (found.error().code == "search-preparing") {
      out.known = false;
    } else {
      return fail(std::move(found.error()));
    }
    const std::string where = condition_of(request.where, request.least_notes);
    out.only_by_words = out.known && where.empty();
    if (where.empty()) return out;
    SqlLimits limits = request.trusted ? SqlLimits::owner() : SqlLimits();
    limits.stop = request.stop;
    if (until != Clock::time_point::max()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      limits.time = std::max(left, std::chrono::milliseconds(1));
    }
    auto keys = pieces_where(collection, where, limits);
    if (keys) {
      out.pieces = in_both(PieceChoice(std::move(*keys)), out.pieces);
      return out;
    }
    // Without a limit of the request it is that of every condition, and the condition is at fault.
    const bool limited = until != Clock::time_point::max() || request.stop.stop_requested();
    if (keys.error().code != "sql-timeout" || !limited) return fail(std::move(keys.error()));
    out.known = false;
    return out;
  }

  /// The documents of `index`, heard in this way, of the pieces with these words; null: all.
  std::shared_ptr<const SelectedDocuments> documents_with(const std::string& text, const PieceChoice& with_words,
                                                          const Index& index, const LineOptions& heard) {
    if (!with_words) return nullptr;
    using Shared = std::shared_ptr<const SelectedDocuments>;
    // Found in milliseconds, so whoever asks finds them.
    return *documents_by_words.get(
        fmt::format("{} {}", number_of(heard), text), Clock::time_point::max(),
        [&]() -> Result<Shared> { return std::make_shared<const SelectedDocuments>(index.snapshot(), *with_words); });
  }

  /// Taught by whole melodies heard in this way; `whole` is their index.
  Result<std::shared_ptr<const ChosenSystem>> system(std::string_view name, const std::vector<std::string>& settings,
                                                     const std::shared_ptr<const Index>& whole,
                                                     const LineOptions& heard, const Making& making) {
    const LineOptions learnt = without_opening(heard);
    std::string key = fmt::format("{} {} {}", name, fmt::join(settings, " "), number_of(learnt));
    if (auto known = systems.find(key)) return known;
    auto chosen = resolve_system(name, settings);
    if (!chosen) return fail(std::move(chosen.error()));
    // What is made in milliseconds whoever asks makes; it must not wait for what takes long.
    const bool slow = learns_slowly(*chosen->system);
    Making own = making;
    own.here = making.here || !slow;
    const std::string words = in_words(learnt);
    return get(systems, key, own, slow ? fmt::format("{}{}{}", name, words.empty() ? "" : ", ", words) : "",
               [this, whole, name = std::string(name), settings](Collection&) -> Result<ChosenSystem> {
                 auto made = resolve_system(name, settings);
                 if (!made) return made;
                 if (!rondo::teach(*whole, *made->system, ending.get_token())) {
                   return fail("search-stopped", "the program is ending");
                 }
                 return made;
               });
  }

  [[nodiscard]] bool cpu_goes_on() const { return options.device != Device::cuda; }
  /// The index on the card. Null: there is no card, the search is not one for it, or the index must be loaded first and
  /// there is no time. Errors: those of the card.
  Result<std::shared_ptr<CardSearch>> search_on_card(const std::shared_ptr<const Index>& index, const System& system,
                                                     const Making& making) {
    using Shared = std::shared_ptr<CardSearch>;
    if (!card || index != standard || !runs_on_card(system)) return Shared();
    const SearchPlan plan = system.plan();
    const std::lock_guard lock(card_mutex);
    if (card_failure) return fail(*card_failure);
    if (card_search && card_search->has(index->snapshot(), plan)) return card_search;
    if (!making.here) return Shared();
    card_search.reset();  // there may not be room for both plans
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    auto loaded = CardSearch::load(*index, std::get<RondoPlan>(plan), card, {threads, ending.get_token(), {}});
    if (!loaded) {
      card_failure = loaded.error();
      return fail(std::move(loaded.error()));
    }
    card_search = std::make_shared<CardSearch>(std::move(*loaded));
    return card_search;
  }
  void give_up_card(const Error& why) {
    const std::lock_guard lock(card_mutex);
    if (!card_failure) card_failure = why;
    card_search.reset();
  }

  /// Everything that a search needs.
  struct Ready {
    std::shared_ptr<const ChosenSystem> system;
    std::shared_ptr<const Index> index;
    std::shared_ptr<const Corpus> rest;   ///< null: the system needs none
    std::shared_ptr<CardSearch> on_card;  ///< null: the CPU searches
    std::optional<Error> card_failure;
  };
  Result<Ready> ready(const SearchRequest& request, const LineOptions& heard, const Making& making) {
    Ready out;
    auto whole = index(heard, making);
    if (!whole) return fail(std::move(whole.error()));
    out.system = request.own;
    if (out.system == nullptr) {
      auto taught = system(request.system, request.settings, *whole, heard, making);
      if (!taught) return fail(std::move(taught.error()));
      out.system = std::move(*taught);
    }
    auto shown = opening(*whole, heard);
    if (!shown) return fail(std::move(shown.error()));
    out.index = std::move(*shown);
    if (compares_whole_pieces(*out.system->row, *out.system->system)) {
      auto pieces = rest(*whole, heard, making);
      if (!pieces) return fail(std::move(pieces.error()));
      out.rest = std::move(*pieces);
    }
    auto on_card = search_on_card(out.index, *out.system->system, making);
    if (on_card) {
      out.on_card = std::move(*on_card);
    } else if (!cpu_goes_on()) {
      return fail(std::move(on_card.error()));
    } else {
      out.card_failure = std::move(on_card.error());
    }
    return out;
  }
};

namespace {

/// The system that is asked for, before it has learnt anything. Errors: those of resolve_system, `device-system`.
Result<std::shared_ptr<const ChosenSystem>> chosen_by(const SearchRequest& request, Device device) {
  std::shared_ptr<const ChosenSystem> out = request.own;
  if (out == nullptr) {
    auto chosen = resolve_system(request.system, request.settings);
    if (!chosen) return fail(std::move(chosen.error()));
    out = std::make_shared<const ChosenSystem>(std::move(*chosen));
  }
  if (auto fine = device_for(device, std::span(&*out, 1)); !fine) return fail(std::move(fine.error()));
  return out;
}

unsigned threads_for(const SearchRequest& request, const Index& index) {
  if (request.threads == 0)
    return index.voices() < kWorthThreads ? 1 : std::max(1U, std::thread::hardware_concurrency());
  return index.voices() < kWorthThreads ? 1 : request.threads;
}

/// Orders the first hits anew and says how many; 0 where time was up.
Result<std::size_t> expand(Collection& collection, const HeardQuery& query, const System& system, unsigned threads,
                           const std::function<bool()>& stopped, std::vector<Found>& hits) {
  const std::size_t count = std::min(hits.size(), NeighbourGraph::kHits);
  std::vector<Line> lines = {query.line};
  for (std::size_t i = 0; i < count; ++i) {
    auto piece = collection.get(hits[i].piece);
    if (!piece) return fail(std::move(piece.error()));
    lines.push_back(make_line(piece->voices[hits[i].voice], query.heard));
  }
  const auto order = order_by_neighbours(system, lines, threads, stopped);
  if (!order) return 0;
  std::vector<Found> anew;
  for (const std::size_t i : *order) anew.push_back(std::move(hits[i]));
  std::move(anew.begin(), anew.end(), hits.begin());
  return count;
}

}  // namespace

Result<HeardQuery> hear_query(Collection& collection, const SearchRequest& request) {
  HeardQuery out;
  out.self = request.except;
  Voice whole = request.query;
  if (request.like) {
    auto piece = collection.get(*request.like);
    if (!piece) return fail(std::move(piece.error()));
    if (piece->voices.empty()) return fail("query-empty", "this record has no notation");
    if (request.like_voice >= piece->voices.size()) {
      return fail("voice-missing", fmt::format("the piece has {} voice{}; they are counted from 0",
                                               piece->voices.size(), piece->voices.size() == 1 ? "" : "s"));
    }
    whole = std::move(piece->voices[request.like_voice]);
    auto key = collection.key_of(*request.like);
    if (!key) return fail(std::move(key.error()));
    out.self = *key;
  }
  out.cut = whole.notes.size() > kMostQueryNotes;
  out.voice = out.cut ? beginning_of(whole, kMostQueryNotes) : std::move(whole);
  out.query_heard = without_opening(request.heard);
  out.line = make_line(out.voice, out.query_heard);
  if (!request.like) out.line.unknown = unknown_of_line(out.voice, out.query_heard, request.unknown);
  if (out.line.size() == 0) {
    return fail("query-empty", "there are no notes in it that can be compared", {}, "add notes, for instance '4CDEC");
  }
  out.heard = out.query_heard;
  std::size_t notes = out.line.size();
  for (const UnknownNotes& one : out.line.unknown) notes += one.notes;
  if (request.anchored) out.heard.opening = opening_for(notes);
  return out;
}

Result<void> check_query(const HeardQuery& query, const ChosenSystem& system) {
  if (!query.line.unknown.empty() && !system.row->unknown_notes) {
    return fail("query-wildcards", fmt::format("{} does not support unknown notes", system.name), {},
                "leave them out, or choose pattern, pattern-contour or pattern-rhythm");
  }
  return check_length(query, system);
}

Result<void> check_length(const HeardQuery& query, const ChosenSystem& system) {
  const std::size_t notes = query.line.size();
  if (notes >= system.shortest) return {};
  return fail("query-short",
              fmt::format("the query has {} note{}; {} needs at least {}", notes, notes == 1 ? "" : "s", system.name,
                          system.shortest),
              {}, "add notes, or choose another system");
}

CollectionSnapshot::CollectionSnapshot(std::unique_ptr<State> state) : state_(std::move(state)) {}
CollectionSnapshot::~CollectionSnapshot() = default;

Result<std::shared_ptr<CollectionSnapshot>> CollectionSnapshot::open(Collection& collection, SnapshotOptions options) {
  // First: what is written while the index is made, makes this snapshot an old one.
  auto opened = moment_of(collection);
  if (!opened) return fail(std::move(opened.error()));
  auto card = card_for(options.device);
  if (!card) return fail(std::move(card.error()));
  auto index = open_index(collection, {}, options, options.progress);
  if (!index) return fail(std::move(index.error()));
  auto state = std::make_unique<State>();
  state->card = std::move(*card);
  state->path = collection.path();
  state->options = std::move(options);
  state->worker = make_background(state->options.background, BackgroundTask::prepare);
  state->opened = *opened;
  state->standard = std::make_shared<const Index>(std::move(*index));
  return std::shared_ptr<CollectionSnapshot>(new CollectionSnapshot(std::move(state)));
}

Result<SearchAnswer> CollectionSnapshot::search(Collection& collection, const SearchRequest& request) {
  const auto start = Clock::now();
  const auto until = request.time_limit ? start + *request.time_limit : Clock::time_point::max();
  SearchAnswer answer;
  auto query = hear_query(collection, request);
  if (!query) return fail(std::move(query.error()));
  answer.query = std::move(*query);
  // Before anything is made for it.
  auto chosen = chosen_by(request, state_->options.device);
  if (!chosen) return fail(std::move(chosen.error()));
  if (auto fine = check_query(answer.query, **chosen); !fine) return fail(std::move(fine.error()));
  if (request.expand && !std::holds_alternative<RondoPlan>((*chosen)->system->plan())) {
    return fail("expand-system", "only hits of the system rondo can be ordered by their neighbours", {},
                "leave the option or the system out");
  }
  // Before the filters, which would be worked out in vain by a request that does not wait.
  State::Making making{collection, request.wait ? until : std::min(until, start)};
  making.here = !request.time_limit;
  auto ready = state_->ready(request, answer.query.heard, making);
  if (!ready) return fail(std::move(ready.error()));
  answer.system = ready->system;
  auto filtered = state_->filter(request, collection, until);
  if (!filtered) return fail(std::move(filtered.error()));
  answer.selected = filtered->known ? filtered->pieces : PieceChoice(std::vector<PieceKey>());

  SearchOptions options;
  options.k = request.offset + request.k;
  if (request.expand) options.k = std::max(options.k, NeighbourGraph::kHits);
  options.threads = threads_for(request, *ready->index);
  options.among = in_both(filtered->pieces, request.among);
  if (filtered->only_by_words && !request.among) {
    options.selected = state_->documents_with(request.text, filtered->pieces, *ready->index, answer.query.heard);
  }
  options.except = answer.query.self;
  options.fold_duplicates = request.fold_duplicates;
  options.least_score = request.least_score;
  options.stop = request.stop;
  if (request.time_limit) options.time_limit = std::max(until - Clock::now(), Clock::duration::zero());
  if (!filtered->known) {
    // Which of them pass the filter was not found out in time, so none is compared.
    std::stop_source ended;
    ended.request_stop();
    options.stop = ended.get_token();
  }
  std::optional<CardUse> card;
  if (ready->on_card) card.emplace(CardUse{ready->on_card.get(), state_->cpu_goes_on()});
  if (card) options.card = &*card;
  const auto id_of = [&](PieceKey key) { return collection.id_of(key).value_or(std::string()); };
  const SystemRow& row = *answer.system->row;
  answer.result =
      ready->rest == nullptr
          ? rondo::search(*ready->index, row, *answer.system->system, answer.query.line, options, id_of)
          : rondo::search(*ready->index, *ready->rest, row, *answer.system->system, answer.query.line, options, id_of);
  answer.card_failure = std::move(ready->card_failure);
  if (card && card->failure) {
    state_->give_up_card(*card->failure);
    if (!state_->cpu_goes_on()) return fail(std::move(*card->failure));
    answer.card_failure = std::move(card->failure);
  }
  const auto stopped = [&] { return request.stop.stop_requested() || Clock::now() >= until; };
  if (row.calibration && request.settings.empty()) {
    const auto prepared = answer.system->system->prepare(answer.query.line);
    answer.spread = score_spread(ready->index->snapshot(), *prepared, answer.query.line.size(), stopped,
                                 card ? std::span<const double>(card->sample) : std::span<const double>());
  }
  std::vector<Found>& hits = answer.result.hits;
  if (answer.spread) {
    const std::size_t melodies = answer.result.compared + answer.result.not_reached;
    for (Found& hit : hits) hit.probability = row.calibration->probability(hit.score.value, *answer.spread, melodies);
  }
  answer.total = hits.size() < options.k ? hits.size() : std::max(answer.result.compared, hits.size());
  if (request.expand) {
    auto ordered = expand(collection, answer.query, *answer.system->system, options.threads, stopped, hits);
    if (!ordered) return fail(std::move(ordered.error()));
    answer.expanded = *ordered;
  }
  hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(std::min(request.offset, hits.size())));
  if (hits.size() > request.k) hits.resize(request.k);
  answer.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return answer;
}

Result<void> CollectionSnapshot::prepare(Collection& collection, const SearchRequest& request,
                                         const IndexProgress& progress) {
  auto query = hear_query(collection, request);
  if (!query) return fail(std::move(query.error()));
  auto chosen = chosen_by(request, state_->options.device);
  if (!chosen) return fail(std::move(chosen.error()));
  if (auto fine = check_query(*query, **chosen); !fine) return fine;
  State::Making making{collection};
  making.here = true;
  making.progress = progress;
  auto ready = state_->ready(request, query->heard, making);
  if (!ready) return fail(std::move(ready.error()));
  return {};
}

void CollectionSnapshot::prepare_all() {
  if (state_->warmer) return;
  state_->warmer = make_background(state_->options.background, BackgroundTask::warm);
  state_->warmer->run([this] {
    State& state = *state_;
    auto own = Collection::open(state.path, OpenMode::read);
    if (!own) return;
    // As one client among others; it only never gives up.
    const State::Making making{*own, Clock::now() + std::chrono::hours(24)};
    const auto ready = [&](std::string system, const LineOptions& heard) {
      if (state.ending.stop_requested()) return;
      SearchRequest request;
      request.system = std::move(system);
      (void)state.ready(request, heard, making);
    };
    ready(std::string(kDefaultSystem), {});
    // To teach Orio takes a minute for a million melodies: then it is taught when somebody asks for it.
    constexpr std::size_t kFewEnough = 200'000;
    const bool few = state.standard->voices() <= kFewEnough;
    for (const SystemRow* row : systems()) {
      if (row->polyphonic) ready(std::string(row->name), {});
    }
    for (bool LineOptions::*option :
         {&LineOptions::ignore_repeated, &LineOptions::fold_octaves, &LineOptions::graces}) {
      LineOptions heard;
      heard.*option = true;
      ready(std::string(kDefaultSystem), heard);
    }
    // Last: what takes longest must not hold up the rest.
    for (const SystemRow* row : systems()) {
      if (few && learns_slowly(*row->make(Parameters(row->parameters)))) ready(std::string(row->name), {});
    }
  });
}

std::vector<Preparation> CollectionSnapshot::preparations() const {
  const std::lock_guard lock(state_->listing);
  std::vector<Preparation> out = state_->preparations;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].state != Preparation::State::running) continue;
    out[i].seconds = std::chrono::duration<double>(Clock::now() - state_->starts[i]).count();
  }
  return out;
}

bool CollectionSnapshot::on_card() const { return state_->card != nullptr; }

Result<std::shared_ptr<const ChosenSystem>> CollectionSnapshot::system(Collection& collection, std::string_view name,
                                                                       const std::vector<std::string>& settings,
                                                                       const LineOptions& heard,
                                                                       std::chrono::steady_clock::time_point until) {
  State::Making making{collection, until};
  making.here = until == Clock::time_point::max();
  auto whole = state_->index(heard, making);
  if (!whole) return fail(std::move(whole.error()));
  return state_->system(name, settings, *whole, heard, making);
}

Result<void> CollectionSnapshot::teach(Collection& collection, System& system, const LineOptions& heard) {
  State::Making making{collection};
  making.here = true;
  auto whole = state_->index(heard, making);
  if (!whole) return fail(std::move(whole.error()));
  rondo::teach(**whole, system);
  return {};
}

Result<bool> CollectionSnapshot::current(Collection& collection) const {
  auto now = moment_of(collection);
  if (!now) return fail(std::move(now.error()));
  return *now == state_->opened;
}

}  // namespace rondo
