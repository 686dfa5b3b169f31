#include <fmt/format.h>

#include <sstream>

#include "concordances/aligned_staves.h"
#include "concordances/group_facts.h"
#include "concordances/markup.h"
#include "server/concordances/job.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"

/// The run of concordances of a collection: start, progress, cancel; its groups; what editors decide about them.
/// Whoever may search may read it; only the editor starts, cancels and decides.
namespace rondo::server {
namespace {

using concordances::Decision;
using concordances::Decisions;
using concordances::Group;
using concordances::MelodyRef;

constexpr std::size_t kMostGroups = 50;
constexpr std::size_t kLastGroup = 1'000'000;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

/// Why a run failed may name files of this machine: that is for the editor.
Json status_json(const ConcordanceJob::Status& status, Role role) {
  Json out = {{"state", to_string(status.state)}, {"options", nullptr}, {"progress", nullptr}, {"result", nullptr}};
  if (status.state == ConcordanceJob::State::none) return out;
  out["options"] = options_json(status.options);
  out["started"] = status.started;
  if (!status.ended.empty()) out["ended"] = status.ended;
  if (status.state == ConcordanceJob::State::running && status.progress.total > 0) {
    const concordances::Progress& now = status.progress;
    const auto own = static_cast<double>(now.done - now.before);
    out["progress"] = {{"done", now.done},
                       {"total", now.total},
                       {"pairs_per_second", now.seconds > 0 ? static_cast<double>(now.pairs) / now.seconds : 0},
                       {"seconds_left", own > 0 ? now.seconds * static_cast<double>(now.total - now.done) / own : 0}};
  }
  if (status.result) {
    out["result"] = {
        {"compared", status.result->found.compared},        {"too_short", status.result->found.too_short},
        {"melodies", status.result->found.melodies.size()}, {"pairs", status.result->found.pairs.size()},
        {"groups", status.result->grouping.groups.size()},  {"last_voice", status.result->found.last_voice}};
  }
  if (status.error) {
    const bool editor = role == Role::researcher;
    out["error"] = {{"code", status.error->code},
                    {"detail", editor ? status.error->message : "the reason is shown to editors only"},
                    {"hint", editor ? status.error->hint : ""}};
  }
  return out;
}

/// Error `concordances-missing`.
Result<std::shared_ptr<const ConcordanceResult>> result_of(const Call& call) {
  const ConcordanceJob::Status status = call.session.app.concordance_job().status();
  if (status.result) return status.result;
  return fail("concordances-missing", "there is no result", {},
              "GET /api/v1/concordances returns the progress of the run");
}

Json decision_json(const Decision* decision) {
  if (decision == nullptr) return nullptr;
  return {{"decision", to_string(decision->verdict)}, {"note", decision->note}, {"decided", decision->at}};
}

/// What a run has found, what editors decided about it, and the system that found it.
struct Outcome {
  std::shared_ptr<const ConcordanceResult> result;
  Decisions decisions;
  ChosenSystem system;
};

/// Error `concordances-missing`.
Result<Outcome> outcome_of(const Call& call) {
  auto result = result_of(call);
  if (!result) return fail(result.error());
  auto decisions = call.session.app.concordance_job().decisions();
  if (!decisions) return fail(decisions.error());
  auto system = resolve_system((*result)->options.system, (*result)->options.settings);
  if (!system) return fail(system.error());
  return Outcome{std::move(*result), std::move(*decisions), std::move(*system)};
}

/// The sources of melodies. Error `concordances-outdated`: the collection no longer has one of them.
Result<std::vector<concordances::Source>> sources_of(const concordances::Concordances& found, Session& session) {
  auto sources = concordances::read_sources(found, session.collection, nullptr);
  if (sources || (sources.error().code != "piece-missing" && sources.error().code != "voice-missing")) return sources;
  return fail("concordances-outdated", "the collection has changed since the run", {}, "start the run again");
}

/// A group with its sources, its evidence, its staves, and what was decided about each member and the centre.
Result<Json> group_json(Session& session, const ConcordanceResult& result, std::size_t number,
                        const Decisions& decisions, const System& system) {
  const concordances::LoneGroup own = concordances::alone(result.found, result.grouping.groups[number]);
  auto sources = sources_of(own.found, session);
  if (!sources) return fail(sources.error());
  const concordances::Shown shown{own.found, own.grouping, *sources, system, result.options, {}};
  const Group& group = own.grouping.groups.front();
  const auto staves = concordances::aligned_staves(shown, group);
  const auto evidence = concordances::evidence_of(shown, group);
  const MelodyRef& centre = own.found.melodies[group.centre];
  Json members = Json::array();
  for (std::size_t m = 0; m < group.members.size(); ++m) {
    const MelodyRef& melody = own.found.melodies[m];
    const Metadata& metadata = (*sources)[m].metadata;
    const bool is_centre = m == group.centre;
    members.push_back(
        {{"id", melody.id},
         {"voice", melody.voice},
         {"title", metadata.title},
         {"composer", metadata.composer},
         {"library", metadata.library},
         {"shelfmark", metadata.shelfmark},
         {"year", metadata.year},
         {"uri", metadata.uri},
         {"centre", is_centre},
         {"partners", evidence[m].partners},
         {"best", own.found.melodies[evidence[m].best].id},
         {"score", evidence[m].score},
         {"probability", number_or_null(evidence[m].probability)},
         {"staff", staves[m].svg},
         {"notes",
          {{"same", staves[m].same},
           {"other", staves[m].other},
           {"added", staves[m].added},
           {"missing", staves[m].missing}}},
         {"decision",
          is_centre ? Json() : decision_json(decisions.find({melody.id, melody.voice}, {centre.id, centre.voice}))}});
  }
  const ConcordanceResult::Facts& facts = result.facts[number];
  return Json{{"number", number + 1},
              {"mean", group.mean},
              {"probability", number_or_null(group.probability)},
              {"pairs", group.pairs.size()},
              {"libraries", facts.libraries},
              {"centuries", facts.centuries},
              {"composers", facts.composers},
              {"members", std::move(members)}};
}

struct GroupFilter {
  bool libraries = false, centuries = false, composers = false, undecided = false;
  std::string words;

  [[nodiscard]] bool passes(const ConcordanceResult& result, std::size_t number, const Decisions& decisions) const {
    const ConcordanceResult::Facts& facts = result.facts[number];
    if ((libraries && !facts.libraries) || (centuries && !facts.centuries) || (composers && !facts.composers)) {
      return false;
    }
    if (!words.empty() && facts.words.find(words) == std::string::npos) return false;
    return !undecided || is_open(result, number, decisions);
  }

 private:
  /// Whether something is still to be decided about a member.
  static bool is_open(const ConcordanceResult& result, std::size_t number, const Decisions& decisions) {
    const Group& group = result.grouping.groups[number];
    const MelodyRef& centre = result.found.melodies[group.centre];
    return std::any_of(group.members.begin(), group.members.end(), [&](std::uint32_t m) {
      const MelodyRef& melody = result.found.melodies[m];
      return m != group.centre && decisions.find({melody.id, melody.voice}, {centre.id, centre.voice}) == nullptr;
    });
  }
};

Result<GroupFilter> filter_in(const Arguments& arguments) {
  GroupFilter out;
  const std::pair<const char*, bool*> flags[] = {{"libraries", &out.libraries},
                                                 {"centuries", &out.centuries},
                                                 {"composers", &out.composers},
                                                 {"undecided", &out.undecided}};
  for (const auto& [name, value] : flags) {
    auto on = arguments.flag(name, false);
    if (!on) return fail(on.error());
    *value = *on;
  }
  out.words = arguments.text("text");
  for (char& c : out.words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

struct ExportFormat {
  std::string_view name, type, ending;
  void (*write)(std::ostream&, const concordances::Shown&);
};
constexpr ExportFormat kExportFormats[] = {
    {"pairs", "text/csv; charset=utf-8", "csv", concordances::write_pairs_csv},
    {"groups", "text/csv; charset=utf-8", "csv", concordances::write_groups_csv},
    {"decisions", "text/csv; charset=utf-8", "csv", concordances::write_decisions_csv},
    {"json", "application/json", "json", concordances::write_json},
    {"html", "text/html; charset=utf-8", "html", concordances::write_page},
    {"turtle", "text/turtle; charset=utf-8", "ttl", concordances::write_turtle},
    {"marcxml", "application/marcxml+xml", "xml", concordances::write_marcxml},
};

/// {"id": "x", "voice": 0}
Result<concordances::MelodyName> melody_in(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found != body.end() && found->is_object() && found->contains("id") && (*found)["id"].is_string()) {
    const Json voice = found->value("voice", Json(0U));
    if (voice.is_number_unsigned() && voice.get<std::uint64_t>() < 1'000'000) {
      return concordances::MelodyName{(*found)["id"].get<std::string>(), voice.get<std::uint32_t>()};
    }
  }
  return fail("body-not-json", fmt::format("'{}' must be an object with 'id' and 'voice'", name));
}

}  // namespace

Response get_concordances(const Call& call) {
  if (auto known = call.target.arguments.only({}); !known) return problem(known.error());
  return json_response(status_json(call.session.app.concordance_job().status(), call.who.role));
}

Response post_concordances(const Call& call) {
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto options = concordance_options(*body);
  if (!options) return problem(options.error());
  ConcordanceJob& job = call.session.app.concordance_job();
  if (auto started = job.start(*options); !started) return problem(started.error());
  Response response = json_response(status_json(job.status(), call.who.role));
  response.status = 202;
  return response;
}

Response post_concordances_cancel(const Call& call) {
  ConcordanceJob& job = call.session.app.concordance_job();
  if (auto cancelled = job.cancel(); !cancelled) return problem(cancelled.error());
  return json_response(status_json(job.status(), call.who.role));
}

Response get_concordance_groups(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"offset", "k", "libraries", "centuries", "composers", "undecided", "text"});
      !known) {
    return problem(known.error());
  }
  auto offset = arguments.number("offset", 0, 0, kLastGroup);
  if (!offset) return problem(offset.error());
  auto most = arguments.number("k", 10, 1, kMostGroups);
  if (!most) return problem(most.error());
  auto filter = filter_in(arguments);
  if (!filter) return problem(filter.error());
  auto outcome = outcome_of(call);
  if (!outcome) return problem(outcome.error());
  const auto& [result, decisions, system] = *outcome;
  Json groups = Json::array();
  std::size_t total = 0;
  for (std::size_t g = 0; g < result->grouping.groups.size(); ++g) {
    if (!filter->passes(*result, g, decisions)) continue;
    const std::size_t place = total++;
    if (place < *offset || place >= *offset + *most) continue;
    auto group = group_json(call.session, *result, g, decisions, *system.system);
    if (!group) return problem(group.error());
    groups.push_back(std::move(*group));
  }
  return json_response({{"total", total}, {"offset", *offset}, {"groups", std::move(groups)}});
}

Response get_concordance_export(const Call& call) {
  if (auto known = call.target.arguments.only({"format"}); !known) return problem(known.error());
  const std::string_view name = call.target.arguments.text("format", "pairs");
  const auto* const format = std::find_if(std::begin(kExportFormats), std::end(kExportFormats),
                                          [&](const ExportFormat& one) { return one.name == name; });
  if (format == std::end(kExportFormats)) {
    return problem(
        Error{"argument-format", "'format' is pairs, groups, decisions, json, html, turtle or marcxml", {}, {}});
  }
  auto outcome = outcome_of(call);
  if (!outcome) return problem(outcome.error());
  const auto& [result, decisions, system] = *outcome;
  auto sources = sources_of(result->found, call.session);
  if (!sources) return problem(sources.error());
  const std::string collection = call.session.app.options().collection.filename().string();
  const concordances::Shown shown{result->found,  result->grouping, *sources,
                                  *system.system, result->options,  "Concordances of " + collection,
                                  &decisions};
  std::ostringstream out;
  format->write(out, shown);
  Response response = text_response(200, format->type, std::move(out).str());
  return std::move(
      response.set("Content-Disposition", fmt::format("attachment; filename=\"concordances.{}\"", format->ending)));
}

Response put_concordance_decision(const Call& call) {
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto a = melody_in(*body, "a");
  if (!a) return problem(a.error());
  auto b = melody_in(*body, "b");
  if (!b) return problem(b.error());
  auto word = text_in(*body, "decision");
  if (!word) return problem(word.error());
  auto note = text_in(*body, "note");
  if (!note) return problem(note.error());
  auto verdict = concordances::verdict_of(word->value_or(""));
  if (!verdict) return problem(verdict.error());
  for (const auto* melody : {&*a, &*b}) {
    auto key = call.session.collection.find_key(melody->id);
    if (!key) return problem(key.error());
    if (!*key) return problem(Error{"piece-missing", fmt::format("there is no piece '{}'", melody->id), {}, {}});
  }
  ConcordanceJob& job = call.session.app.concordance_job();
  if (auto done = job.decide({*a, *b, *verdict, note->value_or(""), {}}); !done) return problem(done.error());
  auto decisions = job.decisions();
  if (!decisions) return problem(decisions.error());
  return json_response({{"decision", decision_json(decisions->find(*a, *b))}});
}

}  // namespace rondo::server
