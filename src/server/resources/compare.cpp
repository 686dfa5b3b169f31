#include <array>

#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/search_request.h"

namespace rondo::server {
namespace {

std::string_view name_of(Step::Kind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"match", "mismatch", "gap_in_document", "gap_in_query", "flow"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json span_json(const NoteSpan& span) {
  if (span.empty()) return nullptr;
  return Json::array({span.begin, span.end});
}

Json steps_json(const Explanation& why) {
  Json steps = Json::array();
  for (const Step& step : why.steps) {
    steps.push_back({{"kind", name_of(step.kind)},
                     {"query", span_json(step.query)},
                     {"document", span_json(step.document)},
                     {"score", step.score}});
  }
  return steps;
}

Json side_json(const Voice& voice, const LineOptions& heard) {
  Json sources = Json::array();
  for (const auto& notes : sources_of(voice, heard)) sources.push_back(notes);
  return {{"pae", pae_line(voice)}, {"mei", engraving_json(voice)}, {"notes", notes_json(voice)}, {"line", sources}};
}

}  // namespace

Response get_compare(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  std::vector<std::string_view> names = asked_arguments();
  names.insert(names.end(), {"with", "with_voice"});
  if (auto known = arguments.only(names); !known) return problem(known.error());
  auto asked = Asked::from(arguments);
  if (!asked) return problem(asked.error());
  Asked other = *asked;
  other.q.clear();
  other.id = arguments.text("with");
  if (other.id.empty()) return problem(Error{"query-missing", "'with' is missing: the id to compare with", {}, {}});
  auto voice = arguments.number("with_voice", 0, 0, 511);
  if (!voice) return problem(voice.error());
  other.voice = *voice;

  auto wanted = read_wanted(*asked, call.session);
  if (!wanted) return problem(wanted.error());
  auto document = read_wanted(other, call.session);
  if (!document) return problem(document.error());
  auto system = call.session.edition->system(call.session.collection, asked->system, asked->settings, wanted->heard,
                                             call.session.deadline());
  if (!system) return problem(system.error());
  if (auto fine = check_length(*wanted, **system); !fine) return problem(fine.error());

  const Line line = make_line(document->voice, wanted->heard);
  const auto prepared = (*system)->system->prepare(wanted->line);
  const Explanation why = prepared->explain(line);
  return json_response({{"system", (*system)->name},
                        {"comparable", why.score.comparable},
                        {"score", why.score.comparable ? Json(why.score.value) : Json(nullptr)},
                        {"total", why.total},
                        {"steps", steps_json(why)},
                        {"summary", why.summary},
                        {"query", side_json(wanted->voice, wanted->query_heard)},
                        {"document", side_json(document->voice, wanted->heard)}});
}

}  // namespace rondo::server
