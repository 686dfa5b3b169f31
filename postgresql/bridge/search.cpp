#include "search/search.h"

#include <algorithm>

#include "bridge/cache.h"
#include "bridge/guard.h"
#include "bridge/query.h"

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

/// The k best are searched for, and when they have been given out, eight times as many: a longer list begins with the
/// shorter one, as nothing but the melodies decides on the order. The first k is the caller's: the fewer hits are
/// wanted, the sooner a bound rules a melody out, so a search for 64 takes up to three times as long as one for ten.
struct RondoSearch {
  std::shared_ptr<const IndexState> state;
  std::optional<ReadyQuery> query;  ///< nothing: all rows in no order
  std::vector<Found> hits;
  std::size_t next = 0;   ///< of `hits`
  std::size_t first = 0;  ///< k of the first search
  std::size_t k = 0;      ///< of the last search
  bool all_ranked = false;
  // What no hit is comes last.
  std::vector<const LiveSegment*> segments;
  std::vector<std::int64_t> ranked;  ///< keys, ascending
  std::size_t segment = 0;
  std::uint64_t row = 0;

  /// False: interrupted, and nothing has changed.
  [[nodiscard]] Result<bool> search_on();
  void begin_unranked();
  bool next_unranked(RondoHit& hit);
};

namespace {

constexpr std::size_t kGrowth = 8;

}  // namespace

Result<bool> RondoSearch::search_on() {
  const index::Snapshot& snapshot = *state->snapshot;
  const std::size_t wanted = std::min(k == 0 ? first : k * kGrowth, snapshot.documents() + 1);
  SearchOptions options;
  options.k = wanted;
  const Index searched(state->snapshot);
  const auto id_of = [this](PieceKey key) { return state->id_of(key); };
  const SystemRow& system_row = *query->chosen->row;
  const System& system = *query->chosen->system;
  SearchResult result;
  if (system_row.polyphonic) {
    auto rest = state->rest();
    if (!rest) return fail(std::move(rest.error()));
    result = search(searched, **rest, system_row, system, *query->line, options, id_of);
  } else {
    result = search(searched, system_row, system, *query->line, options, id_of);
  }
  if (!result.complete || interrupted()) return false;
  hits = std::move(result.hits);
  k = wanted;
  all_ranked = hits.size() < wanted;
  if (all_ranked) begin_unranked();
  return true;
}

void RondoSearch::begin_unranked() {
  segments = state->all();
  for (const Found& hit : hits) ranked.push_back(static_cast<std::int64_t>(hit.piece));
  std::sort(ranked.begin(), ranked.end());
}

bool RondoSearch::next_unranked(RondoHit& hit) {
  for (; segment < segments.size(); ++segment, row = 0) {
    const LiveSegment& live = *segments[segment];
    for (; row < live.stored->rows(); ++row) {
      if (has_bit(live.removed, row)) continue;
      if (row < live.stored->melodies()) {
        const auto key = static_cast<std::int64_t>(live.stored->first_key() + row);
        if (std::binary_search(ranked.begin(), ranked.end(), key)) continue;
      }
      hit.tid = live.stored->tid(row++);
      return true;
    }
  }
  return false;
}

RondoStatus rondo_search_make(RondoCache* cache, RondoBytes bytes, uint32_t first_hits, RondoSearch** out) {
  return guarded([&]() -> Result<void> {
    auto made = std::make_unique<RondoSearch>();
    if (!cache->current) return fail("internal-error", "the index has not been read");
    made->state = cache->current;
    made->first = std::max<std::size_t>(1, first_hits);
    if (bytes.size > 0) {
      auto query = decode(view(bytes));
      if (!query) return fail(std::move(query.error()));
      auto ready = make_ready(*query);
      if (!ready) return fail(std::move(ready.error()));
      made->query = std::move(*ready);
    }
    made->all_ranked = !made->query || made->state->snapshot->documents() == 0;
    if (made->all_ranked) made->begin_unranked();
    *out = made.release();
    return {};
  });
}

RondoStatus rondo_search_next(RondoSearch* search, RondoHit* hit) {
  return guarded([&]() -> Result<void> {
    *hit = {};
    if (search->next == search->hits.size() && !search->all_ranked) {
      auto done = search->search_on();
      if (!done) return fail(std::move(done.error()));
      if (!*done) return {};
    }
    if (search->next < search->hits.size()) {
      const Found& found = search->hits[search->next++];
      hit->tid = search->state->tid_of(found.piece);
      hit->distance = -found.score.value;
      hit->ranked = true;
      return {};
    }
    hit->end = !search->next_unranked(*hit);
    return {};
  });
}

void rondo_search_free(RondoSearch* search) { delete search; }
