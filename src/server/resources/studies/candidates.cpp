#include "search/candidates.h"

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "server/hit_view.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/server_snapshot.h"
#include "server/session.h"
#include "study/picks.h"

/// A set of candidates before a study is made from it: the candidates, why they were proposed, and the researcher's
/// decisions.
namespace rondo::server {
namespace {

constexpr std::size_t kMostAtOnce = 500;

Json counts_json(const CandidateSet& set, const study::Picks& picks) {
  const study::PickCounts counts = study::count_picks(set, picks);
  return {{"keep", counts.keep},
          {"drop", counts.drop},
          {"undecided", counts.undecided},
          {"folded", set.count(rondo::Candidate::Status::folded)},
          {"excluded", set.count(rondo::Candidate::Status::excluded)}};
}

/// "filter P3#4" as [{"by": "filter"}, {"by": "P3", "rank": 4}]; sets that were made earlier have no ranks.
Json found_json(std::string_view origin) {
  Json out = Json::array();
  while (!origin.empty()) {
    const std::size_t end = std::min(origin.find(' '), origin.size());
    const std::string_view word = origin.substr(0, end);
    origin.remove_prefix(std::min(origin.size(), end + 1));
    if (word.empty()) continue;
    const std::size_t mark = word.rfind('#');
    std::uint64_t rank = 0;
    const char* const last = word.data() + word.size();
    if (mark != std::string_view::npos && std::from_chars(word.data() + mark + 1, last, rank).ptr == last && rank > 0) {
      out.push_back({{"by", word.substr(0, mark)}, {"rank", rank}});
    } else {
      out.push_back({{"by", word}});
    }
  }
  return out;
}

/// As in the list of a search; a melody that is no longer in the collection has only its id.
Result<Json> melody_of(Session& session, const std::string& id, std::uint32_t voice) {
  auto key = session.collection.find_key(id);
  if (!key) return fail(std::move(key.error()));
  if (!*key) return Json{{"id", id}, {"missing", true}};
  auto view = session.snapshot->hit_views().get(session.collection, **key, voice);
  if (!view) return fail(std::move(view.error()));
  Json out = json_or_null<Json>("{" + (*view)->members + "}", kLargeJson);
  out["voice"] = voice;
  return out;
}

Result<Json> candidate_json(Session& session, const CandidateSet& set, const study::Picks& picks,
                            const rondo::Candidate& one) {
  auto out = melody_of(session, one.id, one.voice);
  if (!out) return out;
  (*out)["found"] = found_json(one.origin);
  (*out)["folded"] = Json::array();
  for (const rondo::Candidate& other : set.candidates) {
    if (other.status != rondo::Candidate::Status::folded || other.folded_into != one.id) continue;
    (*out)["folded"].push_back({{"id", other.id}, {"relation", other.relation}});
  }
  const auto at = picks.find(one.id);
  (*out)["pick"] = to_string(at == picks.end() ? study::Pick::undecided : at->second);
  return out;
}

Json funnel_json(const CandidateSet& set) {
  Json steps = Json::array();
  for (const FunnelStep& step : set.funnel) {
    steps.push_back({{"step", step.name},
                     {"before", step.before},
                     {"excluded", step.excluded()},
                     {"percent", step.percent()},
                     {"left", step.left}});
  }
  return {{"total", set.total}, {"steps", std::move(steps)}};
}

}  // namespace

Response get_candidates(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"offset", "limit"}); !known) return problem(known.error());
  auto offset = arguments.number("offset", 0, 0, kMostCandidates);
  if (!offset) return problem(offset.error());
  auto limit = arguments.number("limit", 200, 1, kMostAtOnce);
  if (!limit) return problem(limit.error());
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto set = load_candidates(call.session.collection, call.path_parameters.front());
  if (!set) return problem(set.error());
  auto picks = study::load_picks(**studies, *set);
  if (!picks) return problem(picks.error());
  Json query = nullptr;
  if (!set->recipe.query.empty()) {
    auto shown = melody_of(call.session, set->recipe.query, 0);
    if (!shown) return problem(shown.error());
    query = std::move(*shown);
  }
  Json list = Json::array();
  std::size_t number = 0;
  for (const rondo::Candidate& one : set->candidates) {
    if (!study::can_be_picked(*set, one)) continue;
    const std::size_t place = number++;
    if (place < *offset || place >= *offset + *limit) continue;
    auto shown = candidate_json(call.session, *set, *picks, one);
    if (!shown) return problem(shown.error());
    list.push_back(std::move(*shown));
  }
  return json_response({{"name", set->name},
                        {"made", set->made},
                        {"query", std::move(query)},
                        {"funnel", funnel_json(*set)},
                        {"counts", counts_json(*set, *picks)},
                        {"total", number},
                        {"offset", *offset},
                        {"candidates", std::move(list)}});
}

Response put_picks(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto ids = texts_in(*body, "ids");
  if (!ids) return problem(ids.error());
  auto word = text_in(*body, "pick");
  if (!word) return problem(word.error());
  const auto pick = study::pick_of(word->value_or(""));
  if (!pick || ids->empty()) {
    return problem(Error{"body-not-json", "give 'ids' and 'pick': keep, drop or undecided", {}, {}});
  }
  auto set = load_candidates(call.session.collection, call.path_parameters.front());
  if (!set) return problem(set.error());
  if (auto done = study::save_picks(**studies, *set, *ids, *pick); !done) return problem(done.error());
  auto picks = study::load_picks(**studies, *set);
  if (!picks) return problem(picks.error());
  return json_response({{"counts", counts_json(*set, *picks)}});
}

}  // namespace rondo::server
