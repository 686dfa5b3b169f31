#include "study/studies.h"

#include <fmt/format.h>

#include "search/candidates.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"
#include "study/care.h"
#include "study/json.h"
#include "study/picks.h"
#include "study/secrets.h"

/// The researcher's studies: list, create, read, update.
namespace rondo::server {
namespace {

Json summary_json(const study::Summary& summary) {
  return {{"name", summary.settings.name},
          {"title", summary.settings.title},
          {"state", to_string(summary.settings.state)},
          {"queries", summary.queries},
          {"participants", summary.participants},
          {"finished", summary.finished},
          {"votes", summary.votes},
          {"simulated", summary.settings.simulated}};
}

Result<Json> candidate_sets_json(Collection& collection, study::Studies& studies) {
  auto names = candidate_sets(collection);
  if (!names) return fail(std::move(names.error()));
  Json out = Json::array();
  for (const std::string& name : *names) {
    auto set = load_candidates(collection, name);
    if (!set) return fail(std::move(set.error()));
    auto picks = study::load_picks(studies, *set);
    if (!picks) return fail(std::move(picks.error()));
    const study::PickCounts counts = study::count_picks(*set, *picks);
    out.push_back({{"name", name},
                   {"query", set->recipe.query},
                   {"candidates", counts.shown()},
                   {"keep", counts.keep},
                   {"drop", counts.drop},
                   {"undecided", counts.undecided}});
  }
  return out;
}

Json care_json(const study::Care& care) {
  return {{"planted", care.planted},
          {"misplaced", care.misplaced},
          {"unchanged", care.unchanged},
          {"saves", care.saves},
          {"seconds", care.seconds ? Json(*care.seconds) : Json(nullptr)}};
}

Json participant_json(const study::Study& study, const study::Participant& one) {
  const std::size_t queries = study.queries.size();
  std::vector<std::size_t> ranked(queries, 0);
  std::vector<bool> done(queries, false);
  std::size_t finished = 0;
  for (const study::Answer& answer : one.answers) {
    ranked[answer.query] = study::ranked_count(answer.ranking);
    done[answer.query] = answer.done;
    finished += answer.done ? 1 : 0;
  }
  return {{"number", one.number},
          {"label", one.label},
          {"origin", one.origin},
          {"joined", one.joined},
          {"last_seen", one.last_seen},
          {"consented", !one.consented.empty()},
          {"finished", finished == queries},
          {"ranked", ranked},
          {"done", done},
          {"excluded", one.excluded},
          {"care", care_json(study::care_of(study, one))}};
}

Json study_json(const study::Study& study, bool open_link) {
  Json queries = Json::array();
  for (const study::Query& query : study.queries) {
    queries.push_back({{"number", queries.size() + 1},
                       {"label", query.label},
                       {"id", query.melody.id},
                       {"candidate_set", query.candidate_set},
                       {"candidates", query.candidates.size()}});
  }
  Json participants = Json::array();
  for (const study::Participant& one : study.participants) {
    participants.push_back(participant_json(study, one));
  }
  Json out = study::settings_json(study.settings);
  out["open_link"] = open_link;
  out["withdrawn"] = study.withdrawn;
  out["queries"] = std::move(queries);
  out["participants"] = std::move(participants);
  return out;
}

Result<Json> whole_study(study::Studies& studies, std::string_view name) {
  auto summary = studies.summary(name);
  if (!summary) return fail(std::move(summary.error()));
  auto study = studies.load(name, true);
  if (!study) return fail(std::move(study.error()));
  return study_json(*study, summary->open_link);
}

/// Copies a text or flag of the body if it is given.
template <typename Given, typename To>
Result<void> take(Given given, To& into) {
  if (!given) return fail(std::move(given.error()));
  if (given->has_value()) into = std::move(**given);
  return {};
}

Result<study::Settings> settings_in(const Json& body) {
  study::Settings settings;
  auto done = take(text_in(body, "name"), settings.name);
  if (done) done = take(text_in(body, "title"), settings.title);
  if (done) done = take(text_in(body, "instructions"), settings.instructions);
  if (done) done = take(text_in(body, "consent"), settings.consent);
  if (done) done = take(switch_in(body, "ties"), settings.ties);
  if (done) done = take(switch_in(body, "plant_query"), settings.plant_query);
  if (!done) return fail(std::move(done.error()));
  settings.seed = study::random_seed();
  return settings;
}

Result<study::Changes> changes_in(const Json& body) {
  study::Changes changes;
  std::string state;
  auto done = take(text_in(body, "title"), changes.title);
  if (done) done = take(text_in(body, "instructions"), changes.instructions);
  if (done) done = take(text_in(body, "consent"), changes.consent);
  if (done) done = take(switch_in(body, "ties"), changes.ties);
  if (done) done = take(text_in(body, "state"), state);
  if (!done) return fail(std::move(done.error()));
  if (!state.empty()) changes.state = study::state_of(state);
  if (!state.empty() && !changes.state) return fail("body-not-json", "'state' must be open or closed");
  return changes;
}

}  // namespace

Response get_studies(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto list = (*studies)->list();
  if (!list) return problem(list.error());
  auto sets = candidate_sets_json(call.session.collection, **studies);
  if (!sets) return problem(sets.error());
  Json out = Json::array();
  for (const study::Summary& summary : *list) out.push_back(summary_json(summary));
  return json_response({{"studies", std::move(out)}, {"candidate_sets", std::move(*sets)}});
}

Response post_studies(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto settings = settings_in(*body);
  if (!settings) return problem(settings.error());
  auto sets = texts_in(*body, "candidate_sets");
  if (!sets) return problem(sets.error());
  auto study = study::make_study(call.session.collection, std::move(*settings), *sets, *studies);
  if (!study) return problem(study.error());
  if (auto done = (*studies)->add(*study, kWho); !done) return problem(done.error());
  auto whole = whole_study(**studies, study->settings.name);
  return whole ? created(*whole) : problem(whole.error());
}

Response get_study(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto whole = whole_study(**studies, call.path_parameters.front());
  return whole ? json_response(*whole) : problem(whole.error());
}

Response patch_study(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto changes = changes_in(*body);
  if (!changes) return problem(changes.error());
  if (auto done = (*studies)->change(call.path_parameters.front(), *changes, kWho); !done) return problem(done.error());
  return get_study(call);
}

Response post_invitations(const Call& call) {
  constexpr std::size_t kMost = 1000;
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto labels = texts_in(*body, "labels");
  if (!labels) return problem(labels.error());
  if (const auto count = body->find("count"); labels->empty() && count != body->end()) {
    if (!count->is_number_unsigned() || count->get<std::uint64_t>() > kMost) {
      return problem(Error{"body-not-json", fmt::format("'count' must be a number up to {}", kMost), {}, {}});
    }
    labels->resize(count->get<std::size_t>());
  }
  auto again = numbers_in(*body, "again");
  if (!again) return problem(again.error());
  const std::size_t wanted = labels->empty() ? again->size() : labels->size();
  if (wanted == 0 || wanted > kMost || (!labels->empty() && !again->empty())) {
    return problem(Error{"body-not-json", fmt::format("give 'labels', 'count' or 'again', 1 to {}", kMost), {}, {}});
  }
  const std::string& name = call.path_parameters.front();
  auto invitations = again->empty() ? (*studies)->invite(name, *labels, kWho) : (*studies)->renew(name, *again, kWho);
  if (!invitations) return problem(invitations.error());
  return created({{"invitations", study::invitations_json(name, *invitations)}});
}

/// The one number of a participant in the body.
Result<std::int64_t> participant_in(const Json& body) {
  const auto number = body.find("participant");
  if (number == body.end() || !number->is_number_integer()) {
    return fail("body-not-json", "'participant' must be the number of a participant");
  }
  return number->get<std::int64_t>();
}

Response post_left_out(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto number = participant_in(*body);
  if (!number) return problem(number.error());
  auto reason = text_in(*body, "reason");
  if (!reason) return problem(reason.error());
  if (auto done = (*studies)->leave_out(call.path_parameters.front(), *number, reason->value_or(""), kWho); !done) {
    return problem(done.error());
  }
  return get_study(call);
}

Response post_withdrawal(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto number = participant_in(*body);
  if (!number) return problem(number.error());
  auto receipt = (*studies)->withdraw(call.path_parameters.front(), *number, kWho);
  if (!receipt) return problem(receipt.error());
  return created(
      {{"study", receipt->study}, {"at", receipt->at}, {"answers", receipt->answers}, {"moves", receipt->moves}});
}

Response post_open_link(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto enabled = switch_in(*body, "enabled");
  if (!enabled) return problem(enabled.error());
  const std::string& name = call.path_parameters.front();
  auto link = (*studies)->set_open_link(name, enabled->value_or(false), kWho);
  if (!link) return problem(link.error());
  return json_response({{"path", link->empty() ? Json(nullptr) : Json(study::link_path(name, *link))}});
}

}  // namespace rondo::server
