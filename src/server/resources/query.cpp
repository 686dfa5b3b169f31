#include "server/query.h"

#include "query/query_file.h"
#include "server/hit_view.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/search_request.h"
#include "server/session.h"

namespace rondo::server {

Response get_query(const Call& call) {
  if (auto known = call.target.arguments.only({"q", "m"}); !known) return problem(known.error());
  auto arguments = resolve_names(call.target.arguments, call.session.app);
  if (!arguments) return problem(arguments.error());
  auto query = read_query_text(arguments->text("q"));
  if (!query) return problem(query.error());
  Json out = query_json(*query);
  // A client that follows a link does not have the text yet.
  if (call.target.arguments.has("m")) out["text"] = arguments->text("q");
  return json_response(out);
}

Response post_query(const Call& call) {
  if (auto known = call.target.arguments.only({"piece"}); !known) return problem(known.error());
  auto piece = call.target.arguments.number("piece", 0, 0, QueryFile::kMostPieces - 1);
  if (!piece) return problem(piece.error());
  auto file = read_query_file(call.request.body, *piece);
  if (!file) return problem(file.error());
  QueryReading* const query = &file->reading;
  Json out = query_json(*query);
  out["pieces"] = file->pieces;
  out["more_pieces"] = file->more;
  out["piece"] = *piece;
  out["voice"] = query->voice_number;
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
