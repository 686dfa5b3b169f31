#include "server/query.h"

#include "server/hit_view.h"
#include "server/problem.h"
#include "server/resources/resources.h"

namespace rondo::server {

Response get_query(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"q"}); !known) return problem(known.error());
  auto query = read_query_text(arguments.text("q"));
  return query ? json_response(query_json(*query)) : problem(query.error());
}

Response post_query(const Call& call) {
  auto query = read_query_bytes(call.request.body);
  if (!query) return problem(query.error());
  Json out = query_json(*query);
  out["id"] = query->piece.id;
  out.update(metadata_json(query->piece.metadata));
  out["voices"] = Json::array();
  for (const Voice& voice : query->piece.voices) {
    const Voice shown = beginning_of(voice, kShownNotes);
    out["voices"].push_back({{"name", voice.name},
                             {"notes", voice.notes.size()},
                             {"pae", pae_line(shown)},
                             {"mei", engraving_json(shown)}});
  }
  return json_response(out);
}

}  // namespace rondo::server
