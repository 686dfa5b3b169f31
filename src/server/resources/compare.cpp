#include <fmt/format.h>

#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/search_request.h"
#include "server/session.h"
#include "similarity/alignment_json.h"

namespace rondo::server {
namespace {

/// Notes of the one times notes of the other: an alignment keeps up to three tables of that size.
constexpr std::size_t kMostPairs = 4'000'000;

Json side_json(const Voice& voice, const LineOptions& heard) {
  Json sources = Json::array();
  for (const auto& notes : line_sources(voice, heard)) sources.push_back(notes);
  return {{"pae", pae_line(voice)}, {"mei", engraving_json(voice)}, {"notes", notes_json(voice)}, {"line", sources}};
}

}  // namespace

Response get_compare(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  std::vector<std::string_view> names = asked_arguments();
  names.insert(names.end(), {"with", "with_voice"});
  if (auto known = arguments.only(names, list_arguments()); !known) return problem(known.error());
  auto resolved = resolve_names(arguments, call.session.app);
  if (!resolved) return problem(resolved.error());
  auto asked = AskedMelody::from(*resolved);
  if (!asked) return problem(asked.error());
  SearchRequest other = asked->request;
  other.like = std::string(arguments.text("with"));
  if (other.like->empty()) return problem(Error{"query-missing", "'with' is missing: the id to compare with", {}, {}});
  auto voice = arguments.number("with_voice", 0, 0, 511);
  if (!voice) return problem(voice.error());
  other.like_voice = static_cast<std::uint32_t>(*voice);

  Collection& collection = call.session.collection;
  auto query = hear_query(collection, asked->request);
  if (!query) return problem(query.error());
  auto document = hear_query(collection, other);
  if (!document) return problem(document.error());
  auto system = call.session.snapshot->collection_snapshot().system(
      collection, asked->request.system, asked->request.settings, query->heard, call.session.preparation_deadline());
  if (!system) {
    call.session.note(system.error());
    return problem(system.error());
  }
  if (auto fine = check_query(*query, **system); !fine) return problem(fine.error());

  const Line line = make_line(document->voice, query->heard);
  if (query->line.size() * line.size() > kMostPairs) {
    return problem(Error{"result-too-large",
                         fmt::format("melodies of {} and {} notes are too long to be aligned for display",
                                     query->line.size(), line.size()),
                         {},
                         "compare shorter ones"});
  }
  const auto prepared = (*system)->system->prepare(query->line);
  const Explanation why = prepared->explain(line);
  return json_response({{"system", (*system)->name},
                        {"comparable", why.score.comparable},
                        {"score", why.score.comparable ? Json(why.score.value) : Json(nullptr)},
                        {"total", why.total},
                        {"steps", steps_json(why, StepNames::identifiers)},
                        {"summary", why.summary},
                        {"query", side_json(query->voice, query->query_heard)},
                        {"document", side_json(document->voice, query->heard)}});
}

}  // namespace rondo::server
