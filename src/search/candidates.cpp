#include "search/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "rondo/search/service.h"
#include "rondo/similarity/system.h"
#include "search/fold.h"
#include "search/select.h"
#include "search/sql_similarity.h"

namespace rondo {
namespace {

/// Gathers candidates from all sides, each once.
class Gatherer {
 public:
  Gatherer(Collection& collection, CandidateSet& set, unsigned threads)
      : collection_(collection), set_(set), threads_(threads) {}

  Result<void> gather() {
    const CandidateRecipe& recipe = set_.recipe;
    auto done = recipe.query.empty() ? Result<void>() : add_query();
    if (done && !recipe.filter.empty()) done = add_filtered();
    if (done && !recipe.systems.empty()) done = add_found();
    for (const std::string& words : recipe.titles) {
      if (done) done = add_titles(words);
    }
    for (const std::string& id : recipe.include) {
      if (done) done = add_by_hand(id);
    }
    return done;
  }

 private:
  void add(const std::string& id, std::uint32_t voice, std::string_view origin) {
    const auto [place, is_new] = places_.try_emplace(id, set_.candidates.size());
    if (is_new) {
      Candidate candidate;
      candidate.id = id;
      candidate.voice = voice;
      candidate.origin = origin;
      set_.candidates.push_back(std::move(candidate));
      return;
    }
    std::string& origins = set_.candidates[place->second].origin;
    const bool told = fmt::format(" {} ", origins).find(fmt::format(" {} ", origin)) != std::string::npos;
    if (!told) (origins += ' ') += origin;
  }

  Result<void> add_query() {
    auto piece = collection_.get(set_.recipe.query);
    if (!piece) return fail(std::move(piece.error()));
    if (piece->voices.empty()) return fail("query-empty", "the query has no notes");
    query_ = piece->voices.front();
    add(piece->id, 0, "query");
    return {};
  }

  Result<void> add_filtered() {
    auto filter = parse_filter(set_.recipe.filter, {});
    if (!filter) return fail(std::move(filter.error()));
    auto sql = UserSql::open(collection_.path(), SqlLimits::owner());
    if (!sql) return fail(std::move(sql.error()));
    if (!set_.recipe.query.empty()) {
      if (auto done = compare_with(*sql, collection_, query_); !done) return done;
    }
    auto funnel = run_filter(*sql, *filter);
    if (!funnel) return fail(std::move(funnel.error()));
    set_.total = funnel->total;
    set_.funnel = std::move(funnel->steps);
    if (funnel->survivors.size() > kMostCandidates) {
      return fail(
          "candidates-many",
          fmt::format("the filter leaves {} melodies; a set has at most {}", funnel->survivors.size(), kMostCandidates),
          {}, "add a step that excludes more");
    }
    auto named = name_melodies(collection_, funnel->survivors);
    if (!named) return fail(std::move(named.error()));
    for (const NamedMelody& melody : *named) add(melody.id, melody.voice, "filter");
    return {};
  }

  Result<void> add_found() {
    if (set_.recipe.query.empty()) {
      return fail("query-missing", "systems need a query to find anything", {}, "name one with --like");
    }
    auto snapshot = CollectionSnapshot::open(collection_);
    if (!snapshot) return fail(std::move(snapshot.error()));
    for (const CandidateRecipe::Top& top : set_.recipe.systems) {
      SearchRequest request;
      request.like = set_.recipe.query;
      request.system = top.system;
      request.k = top.hits;
      request.threads = threads_;
      auto answer = (*snapshot)->search(collection_, request);
      if (!answer) return fail(std::move(answer.error()));
      std::size_t rank = 0;
      for (const Found& hit : answer->result.hits) {
        ++rank;
        auto id = collection_.id_of(hit.piece);
        if (!id) return fail(std::move(id.error()));
        add(*id, hit.voice, fmt::format("{}#{}", top.system, rank));
      }
    }
    return {};
  }

  Result<void> add_titles(const std::string& words) {
    auto hits = collection_.find("title:\"" + words + "\"", kMostCandidates);
    if (!hits) return fail(std::move(hits.error()));
    for (const TextHit& hit : *hits) add(hit.id, 0, "title");
    return {};
  }

  Result<void> add_by_hand(const std::string& id) {
    auto known = collection_.contains(id);
    if (!known) return fail(std::move(known.error()));
    if (!*known) return fail("piece-missing", "there is no melody '" + id + "' in the collection");
    add(id, 0, "hand");
    return {};
  }

  Collection& collection_;
  CandidateSet& set_;
  unsigned threads_;
  Voice query_;
  std::unordered_map<std::string, std::size_t> places_;
};

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Folds every candidate that another contains into the closest that does: one that is identical, else a transposition,
/// else the longest. The query and what was included by hand stay; of equals the one found first stays.
void fold(CandidateSet& set, const std::vector<Line>& lines) {
  const auto stays = [&](std::size_t i) {
    return set.candidates[i].id == set.recipe.query || names(set.recipe.include, set.candidates[i].id);
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (set.candidates[i].status == Candidate::Status::chosen) order.push_back(i);
  }
  // Whoever comes first is settled first, and takes in those that come later.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (lines[a].size() != lines[b].size()) return lines[a].size() > lines[b].size();
    return stays(a) && !stays(b);
  });
  std::vector<std::size_t> representatives;
  for (const std::size_t i : order) {
    Containment closest = Containment::none;
    std::size_t into = 0;
    for (const std::size_t other : representatives) {
      if (stays(i)) break;
      const Containment how = containment(lines[i], lines[other]);
      if (how == Containment::none || (closest != Containment::none && how >= closest)) continue;
      closest = how;
      into = other;
    }
    if (closest == Containment::none) {
      representatives.push_back(i);
      continue;
    }
    set.candidates[i].status = Candidate::Status::folded;
    set.candidates[i].folded_into = set.candidates[into].id;
    set.candidates[i].relation = to_string(closest);
  }
}

}  // namespace

std::string_view to_string(Candidate::Status status) {
  switch (status) {
    case Candidate::Status::chosen: return "chosen";
    case Candidate::Status::folded: return "folded";
    case Candidate::Status::excluded: return "excluded";
  }
  return "";
}

std::size_t CandidateSet::count(Candidate::Status status) const {
  return static_cast<std::size_t>(std::count_if(
      candidates.begin(), candidates.end(), [&](const Candidate& candidate) { return candidate.status == status; }));
}

Result<CandidateSet> make_candidates(Collection& collection, std::string name, CandidateRecipe recipe,
                                     unsigned threads) {
  CandidateSet set;
  set.name = std::move(name);
  set.recipe = std::move(recipe);
  if (auto done = Gatherer(collection, set, threads).gather(); !done) return fail(std::move(done.error()));
  if (set.candidates.size() > kMostCandidates) {
    return fail("candidates-many", fmt::format("{} melodies are more than a set can hold", set.candidates.size()));
  }
  std::vector<Line> lines;
  lines.reserve(set.candidates.size());
  for (Candidate& candidate : set.candidates) {
    if (names(set.recipe.exclude, candidate.id)) candidate.status = Candidate::Status::excluded;
    auto piece = collection.get(candidate.id);
    if (!piece) return fail(std::move(piece.error()));
    lines.push_back(candidate.voice < piece->voices.size() ? make_line(piece->voices[candidate.voice]) : Line{});
  }
  fold(set, lines);
  return set;
}

}  // namespace rondo
