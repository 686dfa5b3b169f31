#include "server/search.h"

#include <algorithm>
#include <map>
#include <thread>

#include "rondo/search/select.h"
#include "search/likeness.h"
#include "server/metrics.h"

namespace rondo::server {
namespace {

using Keys = PieceChoice;

constexpr std::size_t kWorthThreads = 20'000;  // voices; below, requests at once keep the cores busy enough
constexpr std::size_t kDeepest = 20'000;       // hits looked at to fold melodies that are the same

Result<Keys> pieces_fulfilling(const std::string& where, Session& session) {
  if (where.empty()) return Keys();
  SqlLimits limits;
  limits.time = session.app.options().search_time;
  auto keys = pieces_where(session.collection, where, limits);
  if (!keys) return fail(std::move(keys.error()));
  return Keys(std::move(*keys));
}

/// One search with everything it needs; asked again when more hits are wanted.
class Searcher {
 public:
  Searcher(Session& session, const SearchAnswer& answer, const Keys& among, Clock::time_point until)
      : session_(session), answer_(answer), among_(among), until_(until) {}

  [[nodiscard]] Result<SearchResult> best(std::size_t k) {
    const bool whole = answer_.system->row->polyphonic || !searches_index(*answer_.system->system);
    return whole ? best_pieces(k) : best_voices(k);
  }

 private:
  [[nodiscard]] std::chrono::milliseconds time_left() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(1));
  }

  [[nodiscard]] SearchOptions options(std::size_t k, std::size_t voices) const {
    SearchOptions out;
    out.k = k;
    out.threads = voices < kWorthThreads ? 1 : std::max(1U, std::thread::hardware_concurrency());
    out.among = among_;
    out.except = answer_.wanted.except;
    out.time_limit = time_left();
    out.stop = session_.stop();
    return out;
  }

  Result<SearchResult> best_voices(std::size_t k) {
    auto index = session_.edition->index(session_.collection, answer_.wanted.heard, until_);
    if (!index) return fail(std::move(index.error()));
    const auto id_of = [this](PieceKey key) { return session_.collection.id_of(key).value_or(std::string()); };
    return search(**index, *answer_.system->row, *answer_.system->system, answer_.wanted.line,
                  options(k, (*index)->voices()), id_of);
  }

  Result<SearchResult> best_pieces(std::size_t k) {
    auto corpus = session_.edition->corpus(session_.collection, answer_.wanted.heard, until_);
    if (!corpus) return fail(std::move(corpus.error()));
    return search(**corpus, *answer_.system->row, *answer_.system->system, answer_.wanted.line,
                  options(k, (*corpus)->documents.size()));
  }

  Session& session_;
  const SearchAnswer& answer_;
  const Keys& among_;
  Clock::time_point until_;
};

/// Puts hits into places, from the best on; those that are the same as one before into its place.
Result<std::vector<Listed>> in_places(const std::vector<Found>& hits, const SearchRequest& request,
                                      const LineOptions& heard, Session& session) {
  std::vector<Listed> places;
  std::map<Likeness, std::size_t> known;
  for (const Found& hit : hits) {
    if (!request.with_cards && !request.fold_duplicates) {
      places.push_back({hit, nullptr, {}});
      continue;
    }
    auto card = session.edition->cards().get(session.collection, hit.piece, hit.voice);
    if (!card) {
      // The collection has changed since the search began: what is gone is no hit.
      const bool gone = card.error().code == "piece-missing" || card.error().code == "voice-missing";
      if (gone) continue;
      return fail(std::move(card.error()));
    }
    if (request.fold_duplicates) {
      const auto [found, is_new] = known.emplace(likeness_of(make_line((*card)->voice, heard)), places.size());
      if (!is_new) {
        places[found->second].duplicates.push_back((*card)->id);
        continue;
      }
    }
    places.push_back({hit, std::move(*card), {}});
  }
  return places;
}

/// Fills in what was found; looks deeper as long as folding leaves too few.
Result<void> fill(SearchAnswer& answer, const SearchRequest& request, Searcher& searcher, Session& session) {
  const std::size_t wanted = request.offset + request.k;
  for (std::size_t depth = request.fold_duplicates ? wanted * 2 : wanted;; depth *= 4) {
    auto result = searcher.best(depth);
    if (!result) return fail(std::move(result.error()));
    const bool exhausted = result->hits.size() < depth;
    answer.compared = result->compared;
    answer.not_compared = result->not_compared;
    answer.complete = result->complete;
    answer.total = exhausted ? result->hits.size() : std::max(result->compared, result->hits.size());
    if (!request.fold_duplicates) {
      const std::size_t skip = std::min(request.offset, result->hits.size());
      result->hits.erase(result->hits.begin(), result->hits.begin() + static_cast<std::ptrdiff_t>(skip));
    }
    auto places = in_places(result->hits, request, answer.wanted.heard, session);
    if (!places) return fail(std::move(places.error()));
    if (request.fold_duplicates) {
      const bool enough = places->size() >= wanted || exhausted || !answer.complete || depth >= kDeepest;
      if (!enough) continue;
      if (exhausted) answer.total = places->size();
      const std::size_t skip = std::min(request.offset, places->size());
      places->erase(places->begin(), places->begin() + static_cast<std::ptrdiff_t>(skip));
    }
    if (places->size() > request.k) places->resize(request.k);
    answer.places = std::move(*places);
    return {};
  }
}

}  // namespace

Result<SearchAnswer> perform(const SearchRequest& request, Session& session) {
  const auto start = Clock::now();
  const auto until = session.deadline();
  SearchAnswer answer;
  auto wanted = read_wanted(request.asked, session);
  if (!wanted) return fail(std::move(wanted.error()));
  answer.wanted = std::move(*wanted);
  auto system = session.edition->system(session.collection, request.asked.system, request.asked.settings,
                                        answer.wanted.heard, until);
  if (!system) return fail(std::move(system.error()));
  answer.system = std::move(*system);
  if (auto fine = check_length(answer.wanted, *answer.system); !fine) return fail(std::move(fine.error()));

  auto with_words = pieces_with(session.collection, request.text);
  if (!with_words) return fail(std::move(with_words.error()));
  auto fulfilling = pieces_fulfilling(request.where, session);
  if (!fulfilling) return fail(std::move(fulfilling.error()));
  answer.selected = in_both(*with_words, *fulfilling);
  Keys among = answer.selected;
  if (std::any_of(request.choices.begin(), request.choices.end(), [](const auto& c) { return !c.empty(); })) {
    auto facets = session.edition->facets(session.collection, until);
    if (!facets) return fail(std::move(facets.error()));
    among = in_both(among, (*facets)->chosen(request.choices));
  }
  Searcher searcher(session, answer, among, until);
  if (auto done = fill(answer, request, searcher, session); !done) return fail(std::move(done.error()));
  answer.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  Metrics& metrics = session.app.metrics();
  ++metrics.searches;
  if (!answer.complete) ++metrics.incomplete;
  return answer;
}

}  // namespace rondo::server
