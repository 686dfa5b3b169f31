#include "search/filter.h"
#include "search/select.h"
#include "search/sql_similarity.h"
#include "server/json.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {
namespace {

constexpr std::size_t kMostSteps = 50;
constexpr std::size_t kMostMelodies = 1000;

Result<Funnel> funnel_of(const Filter& filter, Session& session) {
  if (filter.steps.size() > kMostSteps) return fail("filter-line", "the filter has more than 50 steps");
  SqlLimits limits;
  limits.time = session.time_left();
  limits.stop = session.stop();
  auto sql = UserSql::open(session.collection.path(), limits);
  if (!sql) return fail(std::move(sql.error()));
  if (!filter.like.empty()) {
    auto piece = session.collection.get(filter.like);
    if (!piece) return fail(std::move(piece.error()));
    if (piece->voices.empty()) return fail("query-empty", "the melody to compare with has no notes");
    auto done = compare_with(*sql, session.collection, piece->voices.front());
    if (!done) return fail(std::move(done.error()));
  }
  return run_filter(*sql, filter);
}

Json steps_json(const Funnel& funnel) {
  Json steps = Json::array();
  for (const FunnelStep& step : funnel.steps) {
    steps.push_back({{"step", step.name},
                     {"before", step.before},
                     {"excluded", step.excluded()},
                     {"percent", step.percent()},
                     {"left", step.left}});
  }
  return steps;
}

}  // namespace

Response get_funnel(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"steps", "ids"}); !known) return problem(known.error());
  auto ids = arguments.number("ids", 0, 0, kMostMelodies);
  if (!ids) return problem(ids.error());
  auto filter = parse_filter(arguments.text("steps"), "");
  if (!filter) return problem(filter.error());
  auto funnel = funnel_of(*filter, call.session);
  if (!funnel) return problem(funnel.error());
  const std::span<const SelectedMelody> left(funnel->survivors);
  auto named = name_melodies(call.session.collection, left.first(std::min(*ids, left.size())));
  if (!named) return problem(named.error());
  Json melodies = Json::array();
  for (const NamedMelody& one : *named) {
    melodies.push_back({{"id", one.id}, {"voice", one.voice}, {"title", one.title}, {"composer", one.composer}});
  }
  return json_response({{"total", funnel->total},
                        {"steps", steps_json(*funnel)},
                        {"left", funnel->survivors.size()},
                        {"melodies", std::move(melodies)}});
}

}  // namespace rondo::server
