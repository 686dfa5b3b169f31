#include "server/json.h"
#include "server/metrics.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {

Response get_health(const Call& call) {
  return json_response({{"status", "ok"}, {"version", call.session.app.options().version}});
}

Response get_metrics(const Call& call) {
  return text_response(200, "text/plain; version=0.0.4; charset=utf-8", call.session.app.metrics().to_text());
}

}  // namespace rondo::server
