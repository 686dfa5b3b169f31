#include "server/json.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {

Response get_collection(const Call& call) {
  const Edition& edition = *call.session.edition;
  return json_response({{"name", call.session.collection.path().stem().string()},
                        {"pieces", edition.size().pieces},
                        {"voices", edition.size().voices},
                        {"notes", edition.size().notes},
                        {"version", edition.version()},
                        {"program", call.session.app.options().version}});
}

}  // namespace rondo::server
