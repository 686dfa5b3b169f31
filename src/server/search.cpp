#include "server/search.h"

#include <algorithm>

#include "server/metrics.h"

namespace rondo::server {
namespace {

Result<std::vector<Listed>> listed(const SearchAnswer& answer, bool with_views, Session& session) {
  std::vector<Listed> places;
  for (const Found& hit : answer.result.hits) {
    Listed place{hit, nullptr, {}};
    if (with_views) {
      auto view = session.snapshot->hit_views().get(session.collection, hit.piece, hit.voice);
      if (!view) {
        // The collection has changed since the search began: what is gone is no hit.
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

}  // namespace

Result<ListedAnswer> perform(const AskedSearch& asked, Session& session) {
  SearchRequest request = asked.request();
  const auto until = session.deadline();
  if (std::any_of(asked.choices.begin(), asked.choices.end(), [](const auto& c) { return !c.empty(); })) {
    auto facets = session.snapshot->facets(session.collection, until);
    if (!facets) return fail(std::move(facets.error()));
    request.among = (*facets)->chosen(asked.choices);
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
  request.time_limit = std::max(left, std::chrono::milliseconds(1));
  request.stop = session.stop();
  auto answer = session.snapshot->collection_snapshot().search(session.collection, request);
  if (!answer) return fail(std::move(answer.error()));
  auto places = listed(*answer, asked.with_views, session);
  if (!places) return fail(std::move(places.error()));
  Metrics& metrics = session.app.metrics();
  ++metrics.searches;
  if (!answer->result.complete) ++metrics.incomplete;
  return ListedAnswer{std::move(*answer), std::move(*places)};
}

}  // namespace rondo::server
