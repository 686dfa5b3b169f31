#include <fmt/format.h>

#include <set>
#include <unordered_set>

#include "base/json.h"
#include "study/json.h"

namespace rondo::study {
namespace {

constexpr std::int64_t kForm = 1;

std::string text_of(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json melody_json(const MelodyCopy& melody) { return json_or_null<Json>(melody.json); }

Json candidate_json(const Candidate& candidate) {
  return {{"code", candidate.code},
          {"planted", candidate.planted},
          {"folded", folded_json(candidate.folded)},
          {"melody", melody_json(candidate.melody)}};
}

Json participant_json(const Participant& one) {
  Json answers = Json::array();
  for (const Answer& answer : one.answers) {
    answers.push_back({{"query", answer.query + 1},
                       {"version", answer.version},
                       {"ranking", ranking_json(answer.ranking)},
                       {"done", answer.done},
                       {"saved", answer.saved}});
  }
  Json moves = Json::array();
  for (const Move& move : one.moves) {
    moves.push_back({{"query", move.query + 1},
                     {"save", move.save},
                     {"version", move.version},
                     {"ranking", ranking_json(move.ranking)},
                     {"done", move.done},
                     {"at", move.at}});
  }
  Json out = {{"number", one.number},
              {"label", one.label},
              {"origin", one.origin},
              {"joined", one.joined},
              {"last_seen", one.last_seen},
              {"consented", one.consented},
              {"background", background_json(one.background)},
              {"answers", std::move(answers)},
              {"moves", std::move(moves)}};
  if (!one.excluded.empty()) out["excluded"] = one.excluded;
  return out;
}

/// Reads nested objects and tracks the path for errors.
class Reader {
 public:
  Result<Study> read(const Json& json) {
    Study study;
    auto done = read_settings(json, study.settings);
    if (done) done = each(json, "queries", kMostQueries, [&](const Json& one) { return read_query(one, study); });
    if (done) {
      done =
          each(json, "participants", kMostParticipants, [&](const Json& one) { return read_participant(one, study); });
    }
    if (done && json.contains("withdrawn")) {
      auto withdrawn = number(json, "withdrawn", 0);
      if (!withdrawn) return fail(std::move(withdrawn.error()));
      study.withdrawn = static_cast<std::size_t>(*withdrawn);
    }
    if (!done) return fail(std::move(done.error()));
    if (study.queries.empty()) return wrong("there is no query");
    return study;
  }

 private:
  [[nodiscard]] Failure wrong(std::string_view what) const {
    Place place;
    place.field = where_;
    return fail("study-json", fmt::format("this is not a study that Rondo wrote: {}", what), place);
  }

  template <typename Visit>
  Result<void> each(const Json& object, const char* name, std::size_t most, const Visit& visit) {
    const auto list = object.find(name);
    if (list == object.end()) return {};
    if (!list->is_array() || list->size() > most)
      return wrong(fmt::format("'{}' is not a list of at most {}", name, most));
    const std::string before = where_;
    std::size_t number = 0;
    for (const Json& one : *list) {
      where_ = fmt::format("{}{}{}[{}]", before, before.empty() ? "" : ".", name, ++number);
      if (!one.is_object()) return wrong("an object is expected here");
      if (auto done = visit(one); !done) return done;
    }
    where_ = before;
    return {};
  }

  Result<void> text(const Json& object, const char* name, std::string& into, bool needed = false) {
    const auto found = object.find(name);
    if (found == object.end() && !needed) return {};
    if (found == object.end() || !found->is_string()) return wrong(fmt::format("'{}' must be a text", name));
    into = found->get<std::string>();
    return {};
  }
  Result<void> line(const Json& object, const char* name, std::string& into, bool needed = false) {
    auto done = text(object, name, into, needed);
    return done ? check_line(name, into) : done;
  }
  Result<void> flag(const Json& object, const char* name, bool& into) {
    const auto found = object.find(name);
    if (found == object.end()) return {};
    if (!found->is_boolean()) return wrong(fmt::format("'{}' must be true or false", name));
    into = found->get<bool>();
    return {};
  }
  /// A whole number from `least` up to 2^53.
  Result<std::int64_t> number(const Json& object, const char* name, std::int64_t least) {
    const auto found = object.find(name);
    const bool whole = found != object.end() && found->is_number_unsigned() && found->get<std::uint64_t>() <= kMostSeed;
    if (!whole || found->get<std::int64_t>() < least) {
      return wrong(fmt::format("'{}' must be a whole number from {}", name, least));
    }
    return found->get<std::int64_t>();
  }

  Result<void> read_settings(const Json& json, Settings& settings) {
    if (!json.is_object() || json.value("rondo-study", Json()) != Json(kForm)) {
      return wrong("the member \"rondo-study\": 1 is missing");
    }
    std::string state = "draft";
    auto done = line(json, "name", settings.name, true);
    if (done) done = line(json, "title", settings.title);
    if (done) done = text(json, "instructions", settings.instructions);
    if (done) done = text(json, "consent", settings.consent);
    if (done) done = flag(json, "ties", settings.ties);
    if (done) done = flag(json, "plant_query", settings.plant_query);
    if (done) done = flag(json, "simulated", settings.simulated);
    if (done) done = line(json, "state", state);
    if (done) done = line(json, "created", settings.created);
    if (!done) return done;
    const auto known = state_of(state);
    if (!known) return wrong("the state must be draft, open or closed");
    settings.state = *known;
    auto seed = number(json, "seed", 0);
    if (!seed) return fail(std::move(seed.error()));
    settings.seed = static_cast<std::uint64_t>(*seed);
    return check(settings);
  }

  Result<void> read_melody(const Json& object, MelodyCopy& into) {
    const auto found = object.find("melody");
    if (found == object.end() || !found->is_object()) return wrong("'melody' must be a melody");
    into.json = text_of(*found);
    into.id = found->value("id", Json()).is_string() ? found->at("id").get<std::string>() : std::string();
    if (into.id.empty()) return wrong("a melody needs an id");
    if (auto fine = check_line("id", into.id); !fine) return fine;
    auto piece = piece_of(into);
    if (!piece) return wrong(piece.error().message);
    return {};
  }

  Result<void> read_query(const Json& json, Study& study) {
    Query query;
    auto done = line(json, "label", query.label);
    if (done) done = line(json, "candidate_set", query.candidate_set);
    if (done) done = read_melody(json, query.melody);
    if (done) {
      done =
          each(json, "candidates", kMostStudyCandidates, [&](const Json& one) { return read_candidate(one, query); });
    }
    if (!done) return done;
    if (query.candidates.empty()) return wrong("a query needs candidates");
    if (!query_ids_.insert(query.melody.id).second) return wrong("two queries have the same id");
    study.queries.push_back(std::move(query));
    return {};
  }

  Result<void> read_candidate(const Json& json, Query& query) {
    Candidate candidate;
    auto done = line(json, "code", candidate.code, true);
    if (done) done = flag(json, "planted", candidate.planted);
    if (done) done = read_melody(json, candidate.melody);
    if (done) {
      done = each(json, "folded", 10 * kMostStudyCandidates, [&](const Json& one) -> Result<void> {
        Folded folded;
        auto read = line(one, "id", folded.id, true);
        if (read) read = line(one, "relation", folded.relation);
        candidate.folded.push_back(std::move(folded));
        return read;
      });
    }
    if (!done) return done;
    for (const Candidate& other : query.candidates) {
      if (other.code == candidate.code || candidate.code.empty()) return wrong("every candidate needs its own code");
    }
    query.candidates.push_back(std::move(candidate));
    return {};
  }

  Result<void> read_participant(const Json& json, Study& study) {
    Participant one;
    auto number_read = number(json, "number", 1);
    if (!number_read) return fail(std::move(number_read.error()));
    one.number = *number_read;
    if (!numbers_.insert(one.number).second) return wrong("two participants have the same number");
    auto done = line(json, "label", one.label);
    if (done) done = line(json, "origin", one.origin);
    if (done) done = line(json, "joined", one.joined);
    if (done) done = line(json, "last_seen", one.last_seen);
    if (done) done = line(json, "consented", one.consented);
    if (done) done = line(json, "excluded", one.excluded);
    if (!done) return done;
    if (const auto background = json.find("background"); background != json.end() && !background->is_null()) {
      auto read = background_from(*background);
      if (!read) return wrong(read.error().message);
      one.background = std::move(*read);
    }
    std::set<std::size_t> answered;
    done = each(json, "answers", kMostQueries, [&](const Json& answer) -> Result<void> {
      auto read = read_answer(answer, study, "saved");
      if (!read) return fail(std::move(read.error()));
      if (!answered.insert(read->query).second) return wrong("a query is answered twice");
      one.answers.push_back(std::move(*read));
      return {};
    });
    constexpr std::size_t kMostMoves = 100'000;
    std::set<std::pair<std::size_t, std::string>> saves;
    std::set<std::pair<std::size_t, std::int64_t>> versions;
    if (done) {
      done = each(json, "moves", kMostMoves, [&](const Json& move) -> Result<void> {
        auto read = read_answer(move, study, "at");
        if (!read) return fail(std::move(read.error()));
        Move out{read->query, {}, read->version, std::move(read->ranking), read->done, std::move(read->saved)};
        if (auto named = line(move, "save", out.save, true); !named) return named;
        const bool fresh = saves.emplace(out.query, out.save).second && versions.emplace(out.query, out.version).second;
        if (!fresh) return wrong("a move occurs twice");
        one.moves.push_back(std::move(out));
        return {};
      });
    }
    if (!done) return done;
    study.participants.push_back(std::move(one));
    return {};
  }

  Result<Answer> read_answer(const Json& json, const Study& study, const char* when) {
    auto query = number(json, "query", 1);
    if (!query) return fail(std::move(query.error()));
    if (static_cast<std::size_t>(*query) > study.queries.size()) return wrong("there is no such query");
    auto version = number(json, "version", 0);
    if (!version) return fail(std::move(version.error()));
    Answer out;
    out.query = static_cast<std::size_t>(*query) - 1;
    out.version = *version;
    auto ranking = ranking_from(json.value("ranking", Json()));
    if (!ranking) return wrong(ranking.error().message);
    if (auto fine = check(*ranking, study.queries[out.query], study.settings.ties); !fine) {
      return wrong(fine.error().message);
    }
    out.ranking = std::move(*ranking);
    auto done = flag(json, "done", out.done);
    if (done) done = line(json, when, out.saved);
    if (!done) return fail(std::move(done.error()));
    return out;
  }

  std::string where_;
  std::unordered_set<std::string> query_ids_;
  std::unordered_set<std::int64_t> numbers_;
};

/// A list with one entry per line, so that line-based diffs work.
void write_list(std::string& out, const char* name, const std::vector<std::string>& entries) {
  out += fmt::format(",\n\"{}\": [", name);
  const char* separator = "\n";
  for (const std::string& entry : entries) {
    out += separator + entry;
    separator = ",\n";
  }
  out += "\n]";
}

std::string query_text(const Query& query) {
  const Json head = {
      {"label", query.label}, {"candidate_set", query.candidate_set}, {"melody", melody_json(query.melody)}};
  std::string out = text_of(head);
  out.pop_back();
  std::vector<std::string> candidates;
  candidates.reserve(query.candidates.size());
  for (const Candidate& candidate : query.candidates) candidates.push_back(text_of(candidate_json(candidate)));
  write_list(out, "candidates", candidates);
  return out + "}";
}

}  // namespace

std::string to_json(const Study& study) {
  Json head = {{"rondo-study", kForm}};
  head.update(settings_json(study.settings));
  if (study.withdrawn != 0) head["withdrawn"] = study.withdrawn;
  std::string out = text_of(head);
  out.pop_back();
  std::vector<std::string> queries;
  queries.reserve(study.queries.size());
  for (const Query& query : study.queries) queries.push_back(query_text(query));
  write_list(out, "queries", queries);
  std::vector<std::string> participants;
  participants.reserve(study.participants.size());
  for (const Participant& one : study.participants) participants.push_back(text_of(participant_json(one)));
  write_list(out, "participants", participants);
  return out + "}\n";
}

Result<Study> study_from_json(std::string_view text) {
  auto json = parse_json<Json>(text, kLargeJson);
  if (!json) {
    json.error().code = "study-json";
    json.error().hint = "'rondo study export' writes studies";
    return fail(std::move(json.error()));
  }
  return Reader().read(*json);
}

}  // namespace rondo::study
