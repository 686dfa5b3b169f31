#include "server/search.h"

#include <algorithm>
#include <limits>

#include "search/select.h"
#include "server/metrics.h"

namespace rondo::server {
namespace {

/// Maximal number of hits examined to count those that resemble the query, and to sort them.
constexpr std::size_t kMostRelevant = 500;
/// The same for systems whose cut comes from the scores of random pairs (SystemRow::relevance_by_chance). With five
/// hundred, a server answered a fifth of the requests.
constexpr std::size_t kMostByChance = 100;
/// Hits that are requested at first. Of ten more often all resemble the query, and then a second search is needed: with
/// ten hits to a page the slowest answers of a server took longer than with twenty.
constexpr std::size_t kFirst = 20;

Result<std::vector<Listed>> listed(const std::vector<Found>& hits, bool with_views, Session& session) {
  std::vector<Listed> places;
  // One for the page: to take one for each hit costs as much as to read a hit.
  auto whole = session.collection.snapshot();
  if (!whole) return fail(std::move(whole.error()));
  for (const Found& hit : hits) {
    Listed place{hit, nullptr, {}};
    if (with_views) {
      auto view = session.snapshot->hit_views().get(session.collection, hit.piece, hit.voice);
      if (!view) {
        // The collection has changed since the search began: skip removed pieces.
        const bool gone = view.error().code == "piece-missing" || view.error().code == "voice-missing";
        if (gone) continue;
        return fail(std::move(view.error()));
      }
      place.view = std::move(*view);
    }
    for (const PieceKey key : hit.same) {
      if (auto id = session.collection.id_of(key)) place.duplicates.push_back(std::move(*id));
    }
    places.push_back(std::move(place));
  }
  return places;
}

bool any_chosen(const Choices& choices) {
  return std::any_of(choices.begin(), choices.end(), [](const auto& values) { return !values.empty(); });
}

/// A page of a list.
void keep_page(std::vector<Found>& hits, std::size_t offset, std::size_t count) {
  hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(std::min(offset, hits.size())));
  if (hits.size() > count) hits.resize(count);
}

Result<SearchAnswer> search(SearchRequest request, Session& session) {
  request.time_limit = session.time_left();
  request.stop = session.stop();
  request.wait = session.may_wait;
  auto answer = session.snapshot->collection_snapshot().search(session.collection, request);
  if (!answer) session.note(answer.error());
  return answer;
}

/// Whether the system finds patterns, where every hit has the score 1 and resembles the query.
bool finds_or_not(const System& system) { return std::holds_alternative<PatternPlan>(system.plan()); }

/// The score from which hits resemble the query. nullopt if that is unknown.
std::optional<double> cut_for(const SearchAnswer& answer, Session& session) {
  if (finds_or_not(*answer.system->system)) return 1;
  if (answer.spread) {
    const std::size_t melodies = answer.result.compared + answer.result.not_reached;
    return answer.system->row->calibration->score_for(kLeastLikely, *answer.spread, melodies);
  }
  if (!answer.system->row->relevance_by_chance) return std::nullopt;
  auto random = session.snapshot->random_melodies(session.collection, answer.query.heard, session.deadline());
  if (!random) return std::nullopt;
  const auto prepared = answer.system->system->prepare(answer.query.line);
  return relevance_cut(*prepared, answer.query.line, **random,
                       static_cast<std::size_t>(session.snapshot->size().pieces));
}

/// How many hits to request at least, so that they include those that resemble the query; 0: only the hits wanted. A
/// system that is calibrated or finds patterns compares every melody, so this is free on the CPU; others find ten
/// faster than five hundred, and the first hits of a mixture may depend on the number requested.
std::size_t hits_to_look_at(const SearchRequest& request) {
  const auto system = resolve_system(request.system, request.settings);
  if (!system) return 0;
  if (finds_or_not(*system->system) || (system->row->calibration && request.settings.empty())) return kMostRelevant;
  return system->row->relevance_by_chance ? kMostByChance : 0;
}

std::size_t count_from(const std::vector<Found>& hits, double cut) {
  return static_cast<std::size_t>(
      std::count_if(hits.begin(), hits.end(), [&](const Found& hit) { return hit.score.value >= cut; }));
}

Relevant relevant_of(const std::vector<Found>& hits, double cut, std::size_t looked_at) {
  Relevant out;
  out.cut = cut;
  out.count = count_from(hits, cut);
  out.more = out.count == hits.size() && hits.size() >= looked_at;
  for (const Found& hit : hits) {
    if (hit.score.value >= cut) out.pieces.push_back(hit.piece);
  }
  std::sort(out.pieces.begin(), out.pieces.end());
  return out;
}

/// Sorts the first hits by year or title; the others follow unchanged.
Result<void> sort_hits(std::vector<Found>& hits, std::size_t first, Sort sort, Session& session) {
  if (sort == Sort::score) return {};
  auto orders = session.snapshot->sort_orders(session.collection, session.deadline());
  if (!orders) return fail(std::move(orders.error()));
  const auto place = [&](const Found& hit) { return (*orders)->place(hit.piece, sort).value_or(~0U); };
  std::stable_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(std::min(first, hits.size())),
                   [&](const Found& a, const Found& b) { return place(a) < place(b); });
  return {};
}

}  // namespace

Result<ListedAnswer> perform(const AskedSearch& asked, Session& session) {
  SearchRequest request = asked.request();
  const bool chosen = any_chosen(asked.choices);
  ListedAnswer out;
  // First all hits that resemble the query, because facet counts cover them independent of the selection. No list is
  // longer than the collection.
  const auto pieces = static_cast<std::size_t>(std::max<std::int64_t>(session.snapshot->size().pieces, 1));
  request.offset = std::min(request.offset, pieces);
  const std::size_t looked_at = !asked.with_views           ? 0
                                : asked.sort != Sort::score ? kMostRelevant
                                                            : hits_to_look_at(request);
  const bool wide = looked_at > 0;
  const std::size_t page_end = request.offset + request.k;
  if (wide) {
    request.k = std::min(std::max(page_end, looked_at), pieces);
    request.offset = 0;
  }
  if (!chosen || wide) {
    // Twenty are found much faster than five hundred, and mostly no more than a page of hits resembles the query; if
    // there are more, they are found fast because their scores are known to be high. Where duplicates are folded, how
    // many hits there are is known from the longer list only.
    SearchRequest first = request;
    const bool by_score = asked.sort == Sort::score && !request.expand && !request.fold_duplicates;
    if (by_score && (looked_at == kMostRelevant || (wide && session.snapshot->on_card()))) {
      first.k = std::min(std::max(page_end, kFirst), request.k);
    }
    auto answer = search(first, session);
    if (!answer) return fail(std::move(answer.error()));
    auto cut = wide ? cut_for(*answer, session) : std::nullopt;
    const std::vector<Found>& hits = answer->result.hits;
    const bool more = cut && first.k < request.k && hits.size() >= first.k && hits.back().score.value >= *cut;
    if (more) {
      const std::size_t total = answer->total;
      request.least_score = cut;
      answer = search(request, session);
      request.least_score.reset();
      if (!answer) return fail(std::move(answer.error()));
      answer->total = std::max(total, answer->total);
      cut = cut_for(*answer, session);
    }
    out.answer = std::move(*answer);
    if (cut) out.relevant = relevant_of(out.answer.result.hits, *cut, looked_at);
  }
  if (chosen) {
    auto facets = session.snapshot->facets(session.collection, session.deadline());
    if (!facets) return fail(std::move(facets.error()));
    request.among = (*facets)->chosen(asked.choices);
    auto answer = search(request, session);
    if (!answer) return fail(std::move(answer.error()));
    out.answer = std::move(*answer);
    if (out.relevant) out.relevant->count = count_from(out.answer.result.hits, out.relevant->cut);
  }
  std::vector<Found>& hits = out.answer.result.hits;
  if (wide) {
    const std::size_t first = out.relevant && out.relevant->count > 0 ? out.relevant->count : kMostRelevant;
    if (auto done = sort_hits(hits, first, asked.sort, session); !done) return fail(std::move(done.error()));
    keep_page(hits, asked.request().offset, asked.request().k);
  }
  auto places = listed(hits, asked.with_views, session);
  if (!places) return fail(std::move(places.error()));
  out.places = std::move(*places);
  Metrics& metrics = session.app.metrics();
  ++metrics.searches;
  if (!out.answer.result.complete) ++metrics.incomplete;
  return out;
}

Result<WordsAnswer> find_words(const AskedSearch& asked, Session& session) {
  const SearchRequest& request = asked.request();
  auto orders = session.snapshot->sort_orders(session.collection, session.deadline());
  if (!orders) return fail(std::move(orders.error()));
  WordsAnswer out;
  if (const std::string where = condition_of(request.where, request.least_notes); !where.empty()) {
    SqlLimits limits;
    limits.stop = session.stop();
    limits.time = session.time_left();
    auto keys = pieces_where(session.collection, where, limits);
    if (!keys) return fail(std::move(keys.error()));
    out.selected = std::move(*keys);
  }
  // Sorted by relevance of the words; without words in the order of the collection.
  std::vector<PieceKey> order((*orders)->pieces().begin(), (*orders)->pieces().end());
  if (!request.text.empty()) {
    auto found = session.collection.find(request.text, std::numeric_limits<std::int32_t>::max());
    if (!found) return fail(std::move(found.error()));
    order.clear();
    for (const TextHit& hit : *found) order.push_back(hit.key);
    std::vector<PieceKey> keys = order;
    std::sort(keys.begin(), keys.end());
    out.selected = in_both(out.selected, PieceChoice(std::move(keys)));
  }
  PieceChoice kept = out.selected;
  if (any_chosen(asked.choices)) {
    auto facets = session.snapshot->facets(session.collection, session.deadline());
    if (!facets) return fail(std::move(facets.error()));
    kept = in_both(kept, (*facets)->chosen(asked.choices));
  }
  std::vector<Found> hits;
  for (const PieceKey key : order) {
    if (kept && !std::binary_search(kept->begin(), kept->end(), key)) continue;
    if ((*orders)->place(key, Sort::score)) hits.push_back({key, 0, {}, {}});
  }
  if (auto done = sort_hits(hits, hits.size(), asked.sort, session); !done) return fail(std::move(done.error()));
  out.total = hits.size();
  keep_page(hits, request.offset, request.k);
  auto places = listed(hits, asked.with_views, session);
  if (!places) return fail(std::move(places.error()));
  out.places = std::move(*places);
  ++session.app.metrics().searches;
  return out;
}

}  // namespace rondo::server
