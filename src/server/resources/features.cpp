#include "features/features.h"

#include "features/json.h"
#include "server/json.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {
Response get_features(const Call& call) {
  if (auto known = call.target.arguments.only({}); !known) return problem(known.error());
  auto piece = call.session.collection.get(call.path_parameters.front());
  if (!piece) return problem(piece.error());
  Json voices = Json::array();
  for (const Voice& voice : piece->voices) voices.push_back(features_json(features_of(voice)));
  return json_response({{"id", piece->id}, {"title", piece->metadata.title}, {"voices", std::move(voices)}});
}

}  // namespace rondo::server
