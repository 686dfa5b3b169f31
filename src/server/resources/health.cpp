#include "server/json.h"
#include "server/metrics.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {

namespace {

std::string_view word_of(Preparation::State state) {
  switch (state) {
    case Preparation::State::waiting: return "waiting";
    case Preparation::State::running: return "running";
    case Preparation::State::ready: return "ready";
    case Preparation::State::failed: return "failed";
  }
  return "";
}

}  // namespace

Response get_health(const Call& call) {
  const ServerSnapshot& snapshot = *call.session.snapshot;
  Json prepared = Json::array();
  for (const Preparation& one : snapshot.collection_snapshot().preparations()) {
    prepared.push_back({{"what", one.what}, {"state", word_of(one.state)}, {"seconds", one.seconds}});
  }
  return json_response({{"status", "ok"},
                        {"version", call.session.app.options().version},
                        {"snapshot", snapshot.version()},
                        {"melodies", snapshot.size().pieces},
                        {"prepared", std::move(prepared)}});
}

Response get_metrics(const Call& call) {
  return text_response(200, "text/plain; version=0.0.4; charset=utf-8", call.session.app.metrics().to_text());
}

}  // namespace rondo::server
