#include "server/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "server/access/access_control.h"
#include "server/access/identity.h"
#include "server/concordances/job.h"
#include "server/melody_links.h"
#include "server/metrics.h"
#include "server/mirror_follower.h"
#include "server/problem.h"
#include "server/request_budget.h"
#include "server/response_headers.h"
#include "server/router.h"
#include "server/self_check.h"
#include "server/session.h"
#include "server/snapshot_holder.h"
#include "store/sqlite.h"

namespace rondo::server {
namespace {

/// The name in a Host header, without the port: "localhost" of "localhost:8080", "[::1]" of "[::1]:8080".
std::string_view host_name(std::string_view host) {
  const std::size_t bracket = host.find(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos) return host;
  // What follows the colon may be no port but the rest of a user and password, and another host.
  const std::string_view port = host.substr(colon + 1);
  return port.find_first_not_of("0123456789") == std::string_view::npos ? host.substr(0, colon) : host;
}

Result<void> check_host(const AppOptions& options, const Request& request, const Target& target) {
  if (options.hosts.empty()) return {};
  const std::string_view host = host_name(authority_of(request, target));
  for (const std::string& allowed : options.hosts) {
    if (same_word(host, allowed)) return {};
  }
  return fail("host-unknown", fmt::format("unknown host '{}'", host), {},
              "start the server with '--allow-host NAME' to allow it");
}

bool known_method(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

/// Small SQLite caches: every thread has a connection, and the system caches the file anyway. Caches of the size for
/// imports would only use memory.
Result<Collection> open_for_session(const std::filesystem::path& file) {
  auto collection = Collection::open(file, OpenMode::read);
  if (!collection) return collection;
  if (auto done = database_of(*collection).execute("PRAGMA cache_size = -8192"); !done) return fail(done.error());
  return collection;
}

Response not_allowed(const Request& request, const Match& match) {
  if (match.allowed.empty()) {
    return problem(
        Error{"path-unknown", "there is no resource at this address", {}, "/api/v1/openapi.json lists all resources"});
  }
  Response response = problem(Error{"method-unknown",
                                    fmt::format("method not allowed: {}", request.method),
                                    {},
                                    fmt::format("allowed are {}", match.allowed)});
  return std::move(response.set("Allow", match.allowed));
}

/// The limits of what reads the collection and computes. A search that takes too long gives what it has.
Response within_budget(const Route& route, const Call& call) {
  if (route.access != Access::collection) return route.handle(call);
  const std::size_t most = std::max(route.result_bytes, call.session.app.options().result_bytes);
  std::optional<RequestBudget> budget;
  if (!route.partial) budget.emplace(call.session.deadline(), call.session.stop(), most);
  Response response = route.handle(call);
  // Also in place of an error: half a result may look wrong.
  auto exceeded = budget ? budget->exceeded() : std::nullopt;
  if (!exceeded) exceeded = RequestBudget::too_large(response.body.size(), most);
  return exceeded ? problem(*exceeded) : std::move(response);
}

Response answer(const Request& request, Session& session, const AppOptions& options) {
  static const Target no_target;
  auto target = Target::parse(request.target);
  if (auto fine = check_host(options, request, target ? *target : no_target); !fine) return problem(fine.error());
  if (!known_method(request.method)) {
    return problem(Error{"not-implemented", "unknown method", {}, {}});
  }
  if (!target) return problem(target.error());
  Match match = find_route(routes(), request.method, *target);
  if (request.method == "OPTIONS" && !match.allowed.empty()) return preflight(options, request, match.allowed);
  if (match.route == nullptr) return not_allowed(request, match);
  if (request.body.size() > match.route->body_limit) {
    return problem(
        Error{"body-too-large", fmt::format("the body has more than {} bytes", match.route->body_limit), {}, {}});
  }
  Call call{request, *target, std::move(match.path_parameters), session, {}};
  if (auto fine = admit(*match.route, call); !fine) {
    session.note(fine.error());
    return problem(fine.error());
  }
  session.renew();
  const std::string tag = tag_of(*match.route, request, options.version, session.snapshot->version());
  if (!tag.empty() && is_known(request, tag)) return not_modified(tag);
  Response response = within_budget(*match.route, call);
  // So that the log says it, and the collection is opened anew, even if nobody asks /health.
  if (response.status == 500 && match.route->access == Access::collection) (void)session.app.self_check().run(session);
  mark(response, *match.route, tag);
  return response;
}

}  // namespace

void Session::renew() {
  // A restored backup is another file under the same name. Keys of its melodies mean others, so the connection is
  // exchanged together with the snapshot; until the new one is made, both stay in use.
  const std::uint64_t reload = app.reloads_;
  const std::filesystem::path path = app.file();
  const FileIdentity now = FileIdentity::of(path);
  const bool other = now.inode != 0 && now != file;
  if (reload != reloads || other) app.holder_->renew();
  std::shared_ptr<ServerSnapshot> current = app.holder_->current();
  const bool ready = now.same_file(current->file());
  if (ready && (reload != reloads || other)) {
    if (auto again = open_for_session(path)) {
      collection = std::move(*again);
      file = now;
      data_version = -1;
      reloads = reload;
    }
  }
  if (auto version = database_of(collection).number("PRAGMA data_version"); version && *version != data_version) {
    // At the first time there is nothing to compare with.
    data_version = *version;
    app.holder_->renew();
  }
  if (snapshot == nullptr || current->file().same_file(file)) snapshot = std::move(current);
}

Result<study::Studies*> Session::studies() {
  // Whatever was restored or moved away: what is acknowledged must be in the file that has the name.
  const FileIdentity now = FileIdentity::of(study::Studies::path_for(app.options().collection));
  if (opened_studies && !now.same_file(studies_file)) opened_studies.reset();
  if (!opened_studies) {
    auto opened = study::Studies::open(app.options().collection, OpenMode::write);
    if (!opened) return fail(std::move(opened.error()));
    opened_studies.emplace(std::move(*opened));
    studies_file = now;
  }
  return &*opened_studies;
}

App::App(AppOptions options)
    : options_(std::move(options)),
      metrics_(std::make_unique<Metrics>()),
      access_control_(std::make_unique<AccessControl>()),
      self_check_(std::make_unique<SelfCheck>()) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::open(AppOptions options) {
  auto collection = Collection::open(options.collection, OpenMode::read);
  if (!collection) return fail(std::move(collection.error()));
  const std::filesystem::path address = options.collection;
  options.collection = collection->path();
  std::unique_ptr<App> app(new App(std::move(options)));
  app->file_ = app->options_.collection;
  auto holder = SnapshotHolder::open(*collection, app->options_.device, app->options_.background);
  if (!holder) return fail(std::move(holder.error()));
  app->holder_ = std::move(*holder);
  auto links = MelodyLinks::open(app->options_.collection);
  if (!links) return fail(std::move(links.error()));
  app->links_ = std::move(*links);
  app->concordance_job_ = std::make_unique<ConcordanceJob>(app->options_.collection, app->options_.background);
  if (is_server_address(address.native())) {
    app->follower_ = std::make_unique<MirrorFollower>(
        std::move(*collection), address,
        MirrorFollower::Watchers{
            app->options_.notice,
            [app = app.get()](const std::filesystem::path& file) { app->use_file(file); },
        });
  }
  return app;
}

std::filesystem::path App::file() const {
  const std::lock_guard lock(file_mutex_);
  return file_;
}

std::optional<FollowState> App::follow_state() const {
  if (follower_ == nullptr) return std::nullopt;
  return follower_->state();
}

void App::use_file(const std::filesystem::path& file) {
  {
    const std::lock_guard lock(file_mutex_);
    file_ = file;
  }
  holder_->use_file(file);
  concordance_job_->use_file(file);
  reload();
}

Result<std::shared_ptr<Session>> App::session() {
  const std::filesystem::path path = file();
  auto collection = open_for_session(path);
  if (!collection) return fail(std::move(collection.error()));
  return std::shared_ptr<Session>(new Session{*this, std::move(*collection), nullptr, FileIdentity::of(path)});
}

Response App::handle(const Request& request, Session& session) {
  Response response;
  session.arrived = request.arrived;
  session.cancel = request.cancel;
  session.elsewhere = Session::Elsewhere::no;
  try {
    response = answer(request, session, options_);
    finish_response(response, request, options_);
  } catch (const std::exception& bug) {
    // Our code does not throw for bad input, but memory may run out, and one request must not affect the others.
    response = problem(Error{"internal", fmt::format("internal error: {}", bug.what()), {}, {}});
    finish_response(response, request, options_);
  }
  return response;
}

std::size_t App::body_limit(std::string_view method, std::string_view target) const {
  auto parsed = Target::parse(target);
  if (!parsed) return 0;
  const Match match = find_route(routes(), method, *parsed);
  return match.route == nullptr ? 0 : match.route->body_limit;
}

App::Plan App::plan(const Request& request) const {
  Plan plan;
  plan.address = limited_address(client_address(request, options_));
  auto target = Target::parse(request.target);
  if (!target) return plan;
  plan.patient = !target->path.starts_with("/api/");
  const Match match = find_route(routes(), request.method, *target);
  if (match.route == nullptr) return plan;
  plan.expensive = match.route->cost == Cost::high;
  // The times of systems differ by a factor of a thousand; an SQL condition can take any time; and some systems take as
  // much longer as a query is.
  constexpr std::size_t kLongestName = 64;
  constexpr std::size_t kLongQuery = 512;  // bytes
  const Arguments& arguments = target->arguments;
  const std::size_t query = std::max(arguments.text("q").size(), arguments.text("query").size()) + request.body.size();
  plan.long_query = query > kLongQuery;
  plan.kind = fmt::format("{} {} {} {}", match.route->pattern, arguments.text("system").substr(0, kLongestName),
                          arguments.text("where").empty() ? "" : "where", plan.long_query ? "long" : "");
  return plan;
}

Response App::refusal(const Error& error, int retry_after) const {
  Response response = problem(error);
  if (retry_after > 0) response.set("Retry-After", std::to_string(retry_after));
  finish_response(response, Request{}, options_);
  return response;
}

}  // namespace rondo::server
