#pragma once

#include "unit/world/world.h"

/// How the world passes requests on, and what holds for each of them.
namespace rondo::world {

inline void World::fail(const std::string& what) const {
  std::string out = fmt::format("seed {}: {}\n", seed, what);
  for (const std::string& line : last_) out += "  " + line + "\n";
  throw Violation(out + fmt::format("repeat it: RONDO_WORLD_SEED={} build/tests/unit_world", seed));
}

inline void World::log(const std::string& line) {
  static const std::size_t kShown = std::getenv("RONDO_WORLD_SEED") != nullptr ? 100'000 : 25;
  for (const char c : line) trace_ = (trace_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  last_.push_back(
      fmt::format("{:.3f} s  {}", static_cast<double>(SimClock::the().nanoseconds()) / 1e9, line.substr(0, 300)));
  if (last_.size() > kShown) last_.pop_front();
}

inline std::string bytes_of(const Ask& ask) {
  std::string out = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", ask.method, ask.target);
  if (!ask.cookie.empty()) out += "Cookie: " + ask.cookie + "\r\n";
  if (!ask.csrf.empty()) out += "X-Rondo-Csrf: " + ask.csrf + "\r\n";
  if (!ask.bearer.empty()) out += "Authorization: Bearer " + ask.bearer + "\r\n";
  if (!ask.tag.empty()) out += "If-None-Match: " + ask.tag + "\r\n";
  if (ask.body.is_null()) return out + "\r\n";
  const std::string body = ask.body.dump();
  return out + fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
}

inline World::Fate World::draw_fate() {
  const std::uint64_t chance = below(200);
  if (chance < 160) return Fate::kept;
  if (chance < 167) return Fate::torn;
  if (chance < 174) return Fate::dropped;
  if (chance < 181) return Fate::abandoned;
  if (chance < 188) return Fate::lost;
  if (chance < 196) return Fate::fault;
  return chance < 198 ? Fate::killed : Fate::power;
}

inline std::optional<Reply> World::ask(const Ask& ask) { return deliver(ask, draw_fate()); }

inline std::optional<Reply> World::deliver(const Ask& ask, Fate fate) {
  static constexpr std::array<const char*, 8> kFates = {
      "", "torn: ", "dropped: ", "abandoned: ", "no reply: ", "fault: ", "killed: ", "power lost: "};
  log(fmt::format("{}{} {} {} {}", kFates[static_cast<std::size_t>(fate)], ask.address, ask.method, ask.target,
                  ask.body.is_null() ? "" : ask.body.dump()));
  faulted_ = reached_ = false;
  SimDisk& disk = SimDisk::the();
  disk.stamp_files();
  const std::string bytes = bytes_of(ask);
  if (fate == Fate::torn) {
    // What was cut off must not be run.
    require(!server::parse_request(std::string_view(bytes).substr(0, below(bytes.size())), *app).has_value(),
            "a part of a request was taken for a whole one");
    return std::nullopt;
  }
  auto request = server::parse_request(bytes, *app);
  if (!request) fail("our own request is refused: " + request.error().to_string());
  request->peer = ask.address;
  request->arrived = Background::Clock::now();
  std::stop_source gone;
  request->cancel = gone.get_token();
  (void)app->plan(*request);
  if (fate == Fate::dropped) {
    ++app->metrics().abandoned;
    return std::nullopt;  // as the queue does with requests whose clients have gone
  }
  if (fate == Fate::abandoned) SimClock::the().at_look(1 + below(30), [gone]() mutable { gone.request_stop(); });
  if (fate == Fate::fault) {
    const std::array kinds = {SimDisk::Fault::full, SimDisk::Fault::read, SimDisk::Fault::write, SimDisk::Fault::sync};
    const SimDisk::Fault kind = kinds[below(kinds.size())];
    disk.fail_at(kind, 1 + below(kind == SimDisk::Fault::sync ? 2 : 12));
  }
  const bool ends = fate == Fate::killed || fate == Fate::power;
  if (ends) disk.off_at(1 + below(12));
  reached_ = true;
  server::Session& session = *one_of(sessions);
  server::Response response = app->handle(*request, session);
  SimClock::the().at_look(0, {});
  if (!ends) faulted_ = disk.disarm();
  if (ends) {
    crash(fate == Fate::power);
    return std::nullopt;
  }
  Reply reply{response.status, std::move(response.headers), std::move(response.body), nullptr};
  if (response.stream) {
    if (once_in(3)) {
      streams.push_back({std::move(response.stream)});  // the client reads on later, or never
    } else {
      while (auto part = response.stream(session)) reply.body += *part;
    }
  }
  const std::string type = reply.header("Content-Type");
  if (type.starts_with("application/json") || type.starts_with("application/problem+json")) {
    reply.json = Json::parse(reply.body, nullptr, false);
  }
  app->metrics().answered(reply.status, 0);
  const bool counted = ask.target.starts_with("/api/v1/search?") || ask.target.starts_with("/api/v1/export?");
  if (counted && reply.status == 200) ++searches;
  if (counted && reply.status >= 500) searches = app->metrics().searches;  // it may have failed after the search
  check(ask, reply);
  check_released();
  // What depends on the real disk is not part of the trace: the numbers of files.
  log(fmt::format("  {} {}", reply.status, ask.target == "/health" ? "" : reply.body));
  if (fate == Fate::abandoned || fate == Fate::lost) return std::nullopt;
  return reply;
}

/// What holds for every reply.
inline void World::check(const Ask& ask, const Reply& reply) {
  constexpr std::array<unsigned, 20> kSane = {200, 201, 202, 204, 304, 400, 401, 403, 404, 405,
                                              409, 413, 421, 422, 429, 500, 503, 507, 406, 415};
  const std::string what = fmt::format("{} {}: {} {}", ask.method, ask.target, reply.status, reply.body.substr(0, 600));
  require(std::find(kSane.begin(), kSane.end(), reply.status) != kSane.end(), "strange status: " + what);
  require(!reply.json.is_discarded(), "not JSON: " + what);
  require(reply.status < 400 || !reply.code().empty(), "an error without a code: " + what);
  require(reply.code() != "internal", "something was thrown: " + what);
  // 503 also says that another process writes, or that a search was not finished in time.
  require(reply.status != 500 && reply.status != 507 ? true : faulted_, "failed without a cause: " + what);
  if (reply.status == 503) require(!reply.header("Retry-After").empty(), "no Retry-After: " + what);
  if (reply.status == 204 || reply.status == 304) require(reply.body.empty(), "a body with " + what);
  // Participants learn nothing of a melody but its notes.
  if (ask.target.starts_with("/api/v1/study/") || ask.cookie.starts_with("rondo_participant")) {
    require(reply.body.find(kMark) == std::string::npos, "a participant learns what a melody is: " + what);
    for (const auto& [name, value] : reply.headers) {
      require(value.find(kMark) == std::string::npos, "a participant learns what a melody is by " + name);
    }
  }
}

/// No request leaves a lock or an open statement behind, which would stop others from writing.
inline void World::check_released() {
  const auto check = [&](Database& database, const char* which) {
    require(!database.in_transaction(), fmt::format("a transaction of {} is left open", which));
    sqlite3_stmt* statement = nullptr;
    while ((statement = sqlite3_next_stmt(database.handle(), statement)) != nullptr) {
      require(sqlite3_stmt_busy(statement) == 0,
              fmt::format("a statement of {} is left running: {}", which, sqlite3_sql(statement)));
    }
  };
  for (const auto& session : sessions) {
    check(database_of(session->collection), "the collection");
    if (session->opened_studies) check(session->opened_studies->database(), "the studies");
  }
}

inline std::optional<Reply> World::ask(const Ask& ask, const Expected& expected) {
  auto reply = this->ask(ask);
  const bool succeeds = expected.status < 400;
  const auto after = [&](const Reply* known) {
    Durable changed = durable;
    if (succeeds && expected.apply) expected.apply(changed, known);
    return changed;
  };
  if (!reply) {
    if (!reached_) return reply;
    const Durable changed = after(nullptr);
    resolve(&changed);
    return reply;
  }
  // Another process holds the lock, or the disk failed: then nothing has changed, or all of it has.
  const bool excused = (lock && reply->code() == "store-busy") || (faulted_ && reply->status >= 500);
  if (excused && reply->status != expected.status) {
    const Durable changed = after(nullptr);
    resolve(faulted_ ? &changed : nullptr);
    return std::nullopt;
  }
  require(reply->status == expected.status && (expected.code.empty() || expected.code == reply->code()),
          fmt::format("expected {} {}, got {}: {}", expected.status, expected.code, reply->status,
                      reply->body.substr(0, 600)));
  durable = after(&*reply);
  return reply;
}

/// Empty: the file of the studies is what the model says.
inline std::string World::compare(const Durable& with, study::Studies& studies) {
  auto list = studies.list();
  if (!list) fail("the studies cannot be read: " + list.error().to_string());
  if (list->size() != with.studies.size())
    return fmt::format("{} studies instead of {}", list->size(), with.studies.size());
  for (const study::Summary& summary : *list) {
    const auto model = with.studies.find(summary.settings.name);
    if (model == with.studies.end()) return "a study too many: " + summary.settings.name;
    auto study = studies.load(summary.settings.name, true);
    if (!study) fail("a study cannot be read: " + study.error().to_string());
    if (!same(model->second, *study)) return difference(model->second, *study);
    if (summary.open_link != (with.links.count(summary.settings.name) > 0))
      return "open link of " + summary.settings.name;
  }
  return {};
}

/// After a request whose end nobody knows: the file has the old state or the new one.
inline void World::resolve(const Durable* after) {
  auto studies = study::Studies::open(db(), OpenMode::write);
  if (!studies) fail("the studies cannot be opened: " + studies.error().to_string());
  const std::string old = compare(durable, *studies);
  if (old.empty()) return;
  const std::string fresh = after == nullptr ? "nothing may have changed" : compare(*after, *studies);
  require(fresh.empty(), fmt::format("neither the old state ({}) nor the new ({})", old, fresh));
  durable = *after;
}

inline void World::check_files() {
  resolve(nullptr);
  check_decisions();
}

}  // namespace rondo::world
