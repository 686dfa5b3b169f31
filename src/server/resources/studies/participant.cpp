#include <charconv>

#include "base/json.h"
#include "server/access/access_control.h"
#include "server/access/identity.h"
#include "server/hit_view.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"
#include "study/answering.h"
#include "study/json.h"

/// The resources for participants. They reveal nothing of a melody but its notes.
namespace rondo::server {
namespace {

/// Calls `act` with the participant's Answering; errors become responses.
template <typename Act>
Response answering(const Call& call, const Act& act) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  if (!call.who.seat) return problem(Error{"join-needed", "only participants may do this", {}, {}});
  study::Answering participant(**studies, *call.who.seat);
  return act(participant);
}

Response nothing() {
  Response response;
  response.status = 204;
  return response;
}

std::size_t number_of(const Call& call) {
  const std::string& text = call.path_parameters.back();
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? number : 0;
}

Json voice_json(const Voice& voice) { return {{"mei", engraving_json(voice)}, {"notes", notes_json(voice)}}; }

/// The error for a participant if the file cannot be opened, read or written: has the code, for support, but nothing
/// about the server's disk.
Response failed_join(const Error& error) {
  if (!error.code.starts_with("store-") && !error.code.starts_with("disk-")) return problem(error);
  return problem(Error{error.code,
                       "the study cannot be opened at the moment",
                       {},
                       "nothing of yours is lost; try again later, and inform the person who invited you"});
}

Response joined(const Call& call, study::Studies& studies, const study::Seat& seat, const std::string& code) {
  auto secret = study::Access(studies).begin_participant(seat);
  if (!secret) return failed_join(secret.error());
  Json out = {{"csrf", secret->csrf}};
  if (!code.empty()) out["code"] = code;
  Response response = json_response(out);
  return std::move(
      response.set("Set-Cookie", set_cookie(call, kParticipantCookie, secret->token, study::kParticipantSeconds)));
}

Response join_by_link(const Call& call, study::Studies& studies, const std::string& link) {
  AccessControl& control = call.session.app.access_control();
  if (const int seconds = control.newcomers.take(client_address(call)); seconds != 0) return too_many(seconds);
  auto fresh = study::Access(studies).join_by_link(call.path_parameters.front(), link);
  if (!fresh) {
    const int seconds = fresh.error().code == "code-unknown" ? control.wrong.take(client_address(call)) : 0;
    return seconds != 0 ? too_many(seconds) : failed_join(fresh.error());
  }
  control.beginnings.give_back(beginning_of(client_address(call), link));
  return joined(call, studies, fresh->seat, fresh->code);
}

Result<study::Answering::Save> save_in(const Call& call) {
  auto body = object_in(call.request);
  if (!body) return fail(std::move(body.error()));
  const auto version = body->find("version");
  if (version == body->end() || !version->is_number_unsigned()) {
    return fail("body-not-json", "'version' must be the version that was read, a whole number");
  }
  auto id = text_in(*body, "save");
  if (!id) return fail(std::move(id.error()));
  auto done = switch_in(*body, "done");
  if (!done) return fail(std::move(done.error()));
  auto ranking = study::ranking_from(body->value("ranking", Json()));
  if (!ranking) return fail(std::move(ranking.error()));
  return study::Answering::Save{version->get<std::int64_t>(), id->value_or(std::string()), std::move(*ranking),
                                done->value_or(false)};
}

/// 409, with the current state.
Response conflict(const study::Answer& now) {
  Response response = problem(Error{"ranking-conflict",
                                    "this ranking was changed in the meantime, on another device or in another window",
                                    {},
                                    "continue with the ranking in this response"});
  Json body = json_or_null<Json>(response.body);
  body["version"] = now.version;
  body["ranking"] = study::ranking_json(now.ranking);
  body["done"] = now.done;
  response.body = json_text(body);
  return response;
}

}  // namespace

Response post_join(const Call& call) {
  if (auto fine = check_origin(call); !fine) return problem(fine.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto code = text_in(*body, "code");
  if (!code) return problem(code.error());
  auto link = text_in(*body, "link");
  if (!link) return problem(link.error());
  AccessControl& control = call.session.app.access_control();
  const std::string address = client_address(call);
  const std::string typed = code->value_or(link->value_or(std::string()));
  const std::string beginning = beginning_of(address, typed);
  if (const int seconds = control.beginnings.take(beginning); seconds != 0) return too_many(seconds);
  auto studies = call.session.studies();
  if (!studies && studies.error().code == "studies-missing") {
    return problem(Error{"code-unknown", "unknown code", {}, {}});
  }
  if (!studies) {
    control.beginnings.give_back(beginning);
    return failed_join(studies.error());
  }
  if (link->has_value()) return join_by_link(call, **studies, **link);
  auto seat = study::Access(**studies).join(call.path_parameters.front(), code->value_or(std::string()));
  if (!seat) {
    const bool unknown = seat.error().code == "code-unknown";
    if (!unknown) control.beginnings.give_back(beginning);
    const int seconds = unknown ? control.wrong.take(address) : 0;
    return seconds != 0 ? too_many(seconds) : failed_join(seat.error());
  }
  control.beginnings.give_back(beginning);
  return joined(call, **studies, *seat, {});
}

Response get_participant(const Call& call) {
  return answering(call, [&](study::Answering& participant) {
    auto overview = participant.overview();
    if (!overview) return problem(overview.error());
    const study::Settings& settings = overview->settings;
    Json queries = Json::array();
    for (const auto& progress : overview->queries) {
      queries.push_back({{"number", queries.size() + 1},
                         {"ranked", progress.ranked},
                         {"total", progress.total},
                         {"done", progress.done}});
    }
    return json_response({{"csrf", call.who.seat_csrf},
                          {"participant", participant.number()},
                          {"study",
                           {{"title", settings.title},
                            {"instructions", settings.instructions},
                            {"consent", settings.consent},
                            {"ties", settings.ties},
                            {"state", to_string(settings.state)}}},
                          {"consented", overview->consented},
                          {"background", study::background_json(overview->background)},
                          {"queries", std::move(queries)}});
  });
}

Response put_consent(const Call& call) {
  return answering(call, [&](study::Answering& participant) {
    auto body = object_in(call.request);
    if (!body) return problem(body.error());
    auto agreed = switch_in(*body, "agreed");
    if (!agreed) return problem(agreed.error());
    if (!agreed->value_or(false)) return problem(Error{"body-not-json", "'agreed' must be true", {}, {}});
    auto done = participant.consent();
    return done ? nothing() : problem(done.error());
  });
}

Response put_background(const Call& call) {
  return answering(call, [&](study::Answering& participant) {
    auto body = object_in(call.request);
    if (!body) return problem(body.error());
    auto background = study::background_from(*body);
    if (!background) return problem(background.error());
    auto done = participant.tell(*background);
    return done ? nothing() : problem(done.error());
  });
}

Response get_task(const Call& call) {
  return answering(call, [&](study::Answering& participant) {
    const std::size_t number = number_of(call);
    auto task = participant.task(number);
    if (!task) return problem(task.error());
    Json candidates = Json::array();
    for (const auto& candidate : task->candidates) {
      Json one = {{"code", candidate.code}};
      one.update(voice_json(candidate.voice));
      candidates.push_back(std::move(one));
    }
    return json_response({{"number", number},
                          {"query", voice_json(task->query)},
                          {"candidates", std::move(candidates)},
                          {"ranking", study::ranking_json(task->answer.ranking)},
                          {"version", task->answer.version},
                          {"done", task->answer.done},
                          {"ties", task->ties}});
  });
}

Response put_ranking(const Call& call) {
  return answering(call, [&](study::Answering& participant) {
    auto save = save_in(call);
    if (!save) return problem(save.error());
    auto outcome = participant.save(number_of(call), *save);
    if (!outcome) return problem(outcome.error());
    if (outcome->conflict) return conflict(outcome->answer);
    return json_response({{"version", outcome->answer.version}, {"saved", outcome->answer.saved}});
  });
}

Response post_leave(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto done = study::Access(**studies).end(cookie(call.request, kParticipantCookie));
  if (!done) return problem(done.error());
  Response response = nothing();
  return std::move(response.set("Set-Cookie", set_cookie(call, kParticipantCookie, {}, 0)));
}

}  // namespace rondo::server
