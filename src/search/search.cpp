#include "search/search.h"

#include <algorithm>
#include <map>

#include "search/fast/orio_digest.h"
#include "search/index_lists.h"
#include "search/melody_fingerprint.h"
#include "search/mixed_list.h"
#include "search/rank.h"
#include "similarity/mixture.h"

namespace rondo {
namespace {

bool learn_all(const index::Snapshot& snapshot, System& system, const std::stop_token& stop) {
  Line line;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    for (index::DocumentId d = 0; d < snapshot.segments[s].size(); ++d) {
      if (snapshot.removed[s].has(d)) continue;
      if (d % 1024 == 0 && stop.stop_requested()) return false;
      snapshot.segments[s].line(d, line);
      system.learn(line);
    }
  }
  return true;
}

using Entries = std::vector<IndexLists::Entry>;

void add_hits(const Entries& entries, SearchResult& result) {
  for (const IndexLists::Entry& entry : entries) {
    result.hits.push_back({PieceKey{static_cast<std::int64_t>(entry.document)}, entry.voice, {entry.score, true}, {}});
  }
}

/// Each kind of melody once, the others with the best of it. False: more hits could be had, and fewer than k differ.
bool add_folded(const IndexLists& lists, const Entries& entries, bool all, std::size_t k, SearchResult& result) {
  std::map<MelodyFingerprint, std::size_t> places;
  Line line;
  for (const IndexLists::Entry& entry : entries) {
    lists.line(entry, line);
    const auto [place, is_new] = places.try_emplace(fingerprint_of(line), result.hits.size());
    const PieceKey piece{static_cast<std::int64_t>(entry.document)};
    if (is_new) {
      result.hits.push_back({piece, entry.voice, {entry.score, true}, {}});
    } else {
      result.hits[place->second].same.push_back(piece);
    }
  }
  if (!all && result.hits.size() < k) return false;
  if (result.hits.size() > k) result.hits.resize(k);
  return true;
}

void keep_from(std::optional<double> least_score, SearchResult& result) {
  if (least_score) std::erase_if(result.hits, [&](const Found& hit) { return hit.score.value < *least_score; });
}

SearchResult search_index(const Index& index, const Corpus* rest, const SystemRow& row, const System& system,
                          const Line& query, const SearchOptions& options,
                          const std::function<std::string(PieceKey)>& id_of) {
  SearchOptions of_lists = options;
  // The scores of a mixture's parts are others than its own.
  if (system.mixture() != nullptr && !IndexLists::searched_as_one(system)) of_lists.least_score.reset();
  IndexLists lists(index.snapshot(), rest, query, of_lists);
  SearchResult result;
  // As many more as it takes to have k that differ.
  const std::size_t first = options.fold_duplicates ? 2 * options.k : options.k;
  for (std::size_t k = first;; k *= 4) {
    auto found = list_of(lists, row, system, std::max<std::size_t>(1, k));
    // A shorter list that is complete is better than half of a longer one.
    if (k > first && lists.stopped()) break;
    result.hits.clear();
    const Entries entries = lists.in_order(std::move(found), k, id_of);
    if (!options.fold_duplicates) {
      add_hits(entries, result);
      break;
    }
    if (add_folded(lists, entries, entries.size() < k || lists.stopped(), options.k, result)) break;
  }
  keep_from(options.least_score, result);
  lists.count(result);
  return result;
}

}  // namespace

bool teach(const Index& index, System& system, const std::stop_token& stop) {
  if (!system.learns()) return true;
  if (const Mixture* mixture = system.mixture(); mixture != nullptr && !IndexLists::searched_as_one(system)) {
    return std::all_of(mixture->parts().begin(), mixture->parts().end(),
                       [&](const Part& part) { return teach(index, *part.system, stop); });
  }
  const index::Snapshot& snapshot = index.snapshot();
  const SearchPlan plan = system.plan();
  if (const auto* windows = std::get_if<WindowPlan>(&plan); windows != nullptr && windows->counts != nullptr) {
    *windows->counts = snapshot.threes;
    return true;
  }
  if (!learn_all(snapshot, system, stop)) return false;
  fast::digest_for(snapshot, system, stop);
  return !stop.stop_requested();
}

void teach(const Index& index, System& system) { (void)teach(index, system, std::stop_token()); }

SearchResult search(const Corpus& corpus, const SystemRow& row, const System& system, const Line& query,
                    const SearchOptions& options) {
  const auto& documents = corpus.documents;
  std::vector<char> chosen;
  SearchResult result;
  if (options.among || options.except) {
    chosen.reserve(documents.size());
    for (const Document& document : documents) {
      const bool among =
          !options.among || std::binary_search(options.among->begin(), options.among->end(), document.key);
      const bool asked_about = options.except == document.key;
      chosen.push_back(among && !asked_about ? 1 : 0);
      if (!among && !asked_about) ++result.filtered_out;
    }
  }
  const Ranking ranking = rank_all(row, system, query, corpus,
                                   {.k = options.k,
                                    .threads = std::max(1U, options.threads),
                                    .chosen = chosen,
                                    .time_limit = options.time_limit,
                                    .stop = options.stop});
  result.compared = ranking.compared;
  result.too_short = ranking.too_short;
  result.not_reached = ranking.not_reached;
  result.scored = ranking.compared;
  result.complete = ranking.complete;
  result.method = "exhaustive";
  for (const Hit& hit : ranking.hits) result.hits.push_back({documents[hit.document].key, hit.voice, hit.score, {}});
  keep_from(options.least_score, result);
  return result;
}

SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                    const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of) {
  return search_index(index, nullptr, row, system, query, options, id_of);
}

SearchResult search(const Index& index, const Corpus& rest, const SystemRow& row, const System& system,
                    const Line& query, const SearchOptions& options,
                    const std::function<std::string(PieceKey)>& id_of) {
  return search_index(index, &rest, row, system, query, options, id_of);
}

}  // namespace rondo
