#include "server/json.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {

Response get_collection(const Call& call) {
  const ServerSnapshot& snapshot = *call.session.snapshot;
  return json_response({{"name", call.session.collection.path().stem().string()},
                        {"pieces", snapshot.size().pieces},
                        {"voices", snapshot.size().voices},
                        {"notes", snapshot.size().notes},
                        {"version", snapshot.version()},
                        {"program", call.session.app.options().version}});
}

}  // namespace rondo::server
