#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "search/candidates.h"
#include "study/picks.h"
#include "study/secrets.h"
#include "study/studies.h"

namespace rondo::study {
namespace {

/// How close a folded melody is to the one it was folded into; the closest may represent it.
int closeness(const std::string& relation) { return relation == "identical" ? 0 : relation == "transposition" ? 1 : 2; }

class QueryMaker {
 public:
  QueryMaker(Collection& collection, const CandidateSet& set, bool plant)
      : collection_(collection), set_(set), plant_(plant) {}

  Result<Query> make() {
    query_.label = set_.name;
    query_.candidate_set = set_.name;
    auto piece = collection_.get(set_.recipe.query);
    if (!piece) return fail(std::move(piece.error()));
    const std::string& title = piece->metadata.title;
    if (!title.empty() && check_line("title", title)) query_.label = title;
    auto copy = copy_of(*piece, 0);
    if (!copy) return fail(std::move(copy.error()));
    query_.melody = std::move(*copy);
    for (const rondo::Candidate& one : set_.candidates) {
      if (one.status != rondo::Candidate::Status::chosen) continue;
      auto done = one.id == set_.recipe.query && !plant_ ? add_stand_in() : add(one, one.id);
      if (!done) return fail(std::move(done.error()));
    }
    if (query_.candidates.empty()) {
      return fail("study-candidates", fmt::format("the set '{}' has no candidate", set_.name));
    }
    if (query_.candidates.size() > kMostStudyCandidates) {
      return fail("study-candidates",
                  fmt::format("the set '{}' has {} candidates; a person can compare at most {}", set_.name,
                              query_.candidates.size(), kMostStudyCandidates),
                  {}, "filter more, or take some out by hand: rondo candidates pick");
    }
    return std::move(query_);
  }

 private:
  /// `stands_for`: the melody whose folded ones it also represents, besides its own.
  Result<void> add(const rondo::Candidate& one, const std::string& stands_for) {
    auto piece = collection_.get(one.id);
    if (!piece) return fail(std::move(piece.error()));
    auto copy = copy_of(*piece, one.voice);
    if (!copy) return fail(std::move(copy.error()));
    Candidate candidate;
    do {
      candidate.code = random_letters(40);
    } while (!codes_.insert(candidate.code).second);
    candidate.melody = std::move(*copy);
    candidate.planted = one.id == set_.recipe.query;
    for (const rondo::Candidate& other : set_.candidates) {
      if (other.status != rondo::Candidate::Status::folded || other.id == one.id) continue;
      if (other.folded_into == stands_for) candidate.folded.push_back({other.id, other.relation});
    }
    query_.candidates.push_back(std::move(candidate));
    return {};
  }

  /// If the query itself is not judged, the melodies folded into it must be.
  Result<void> add_stand_in() {
    const rondo::Candidate* closest = nullptr;
    for (const rondo::Candidate& one : set_.candidates) {
      if (one.status != rondo::Candidate::Status::folded || one.folded_into != set_.recipe.query) continue;
      if (closest == nullptr || closeness(one.relation) < closeness(closest->relation)) closest = &one;
    }
    return closest == nullptr ? Result<void>() : add(*closest, set_.recipe.query);
  }

  Collection& collection_;
  const CandidateSet& set_;
  bool plant_;
  Query query_;
  std::set<std::string> codes_;
};

}  // namespace

Result<Study> make_study(Collection& collection, Settings settings, const std::vector<std::string>& sets,
                         Studies* picks) {
  if (auto fine = check(settings); !fine) return fail(std::move(fine.error()));
  if (sets.empty() || sets.size() > kMostQueries) {
    return fail("study-queries", fmt::format("a study has 1 to {} queries", kMostQueries), {},
                "name sets of candidates; 'rondo candidates list' shows them");
  }
  Study study;
  study.settings = std::move(settings);
  std::set<std::string> queries;
  for (const std::string& name : sets) {
    auto set = load_candidates(collection, name);
    if (!set) return fail(std::move(set.error()));
    if (set->recipe.query.empty()) {
      return fail("study-queries", fmt::format("the set '{}' has no query", name), {}, "make it with --like ID");
    }
    if (!queries.insert(set->recipe.query).second) {
      return fail("study-query-twice", fmt::format("two sets are about the query '{}'", set->recipe.query));
    }
    if (picks != nullptr) {
      auto decided = load_picks(*picks, *set);
      if (!decided) return fail(std::move(decided.error()));
      apply_picks(*set, *decided);
    }
    auto query = QueryMaker(collection, *set, study.settings.plant_query).make();
    if (!query) return fail(std::move(query.error()));
    study.queries.push_back(std::move(*query));
  }
  return study;
}

}  // namespace rondo::study
