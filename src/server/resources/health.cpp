#include <fmt/format.h>

#include <chrono>

#include "server/json.h"
#include "server/metrics.h"
#include "server/mirror_follower.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/self_check.h"
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

double seconds_behind(const FollowState& state) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - state.current).count();
}

/// A server that accepts connections but does not respond gives no error: then only the time shows it.
bool is_behind(const FollowState& state) {
  constexpr double kSeconds = 30;
  return state.error.has_value() || seconds_behind(state) > kSeconds;
}

Json mirror_json(const FollowState& state) {
  // Rounded to seconds, which is precise enough.
  Json mirror = {{"current", !is_behind(state)},
                 {"seconds", static_cast<std::int64_t>(seconds_behind(state))},
                 {"failures", state.failures}};
  // This is public, and messages contain hosts and roles, so they go only to the log.
  if (state.error) mirror["code"] = state.error->code;
  return mirror;
}

}  // namespace

Response get_health(const Call& call) {
  if (auto works = call.session.app.self_check().run(call.session); !works) {
    // This is public, and messages name melodies, so they go only to the log.
    return problem(503, Error{works.error().code, "searches fail; the log says why", {}, {}});
  }
  const ServerSnapshot& snapshot = *call.session.snapshot;
  Json prepared = Json::array();
  for (const Preparation& one : snapshot.collection_snapshot().preparations()) {
    prepared.push_back({{"what", one.what}, {"state", word_of(one.state)}, {"seconds", one.seconds}});
  }
  const auto follow = call.session.app.follow_state();
  Json health = {{"status", follow && is_behind(*follow) ? "behind" : "ok"},
                 {"version", call.session.app.options().version},
                 {"snapshot", snapshot.version()},
                 {"melodies", snapshot.size().pieces},
                 {"prepared", std::move(prepared)}};
  if (follow) health["mirror"] = mirror_json(*follow);
  return json_response(health);
}

Response get_metrics(const Call& call) {
  std::string text = call.session.app.metrics().to_text();
  if (const auto follow = call.session.app.follow_state()) {
    text += fmt::format(
        "# HELP rondo_mirror_seconds_behind Time since the mirror was last up to date with the PostgreSQL server.\n"
        "# TYPE rondo_mirror_seconds_behind gauge\nrondo_mirror_seconds_behind {:.1f}\n"
        "# HELP rondo_mirror_failures_total Failed attempts to update the mirror.\n"
        "# TYPE rondo_mirror_failures_total counter\nrondo_mirror_failures_total {}\n",
        seconds_behind(*follow), follow->failures);
  }
  return text_response(200, "text/plain; version=0.0.4; charset=utf-8", std::move(text));
}

}  // namespace rondo::server
