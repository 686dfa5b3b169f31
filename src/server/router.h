#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/message.h"
#include "server/target.h"
#include "study/access.h"

namespace rondo::server {

struct Session;

enum class Role : std::uint8_t { visitor, participant, researcher };

/// The client. A researcher's browser may also have a participant's session, to preview a study.
struct Identity {
  Role role = Role::visitor;
  bool by_token = false;  ///< authenticated by the researcher's token itself, not by a cookie
  std::string csrf{};     ///< of the researcher's session
  std::optional<study::Seat> seat{};
  std::string seat_csrf{};
};

/// The input of a handler: the request, its parsed target, and the parameters in its path.
struct Call {
  const Request& request;
  const Target& target;
  std::vector<std::string> path_parameters;
  Session& session;
  Identity who{};  ///< set unless the route is for everybody
};

enum class Caching : std::uint8_t {
  none,        ///< not cached
  collection,  ///< depends only on the URL, the requested type, and the state of the collection
  measured,    ///< the same, but contains the time taken: weak ETag
  own          ///< the handler sets it
};

/// Who may call a route.
enum class Access : std::uint8_t {
  everybody,    ///< without identification
  known,        ///< everybody, but the handler needs the identity
  collection,   ///< not participants; with --studies-only the researcher only
  researcher,   ///< by cookie or token
  participant,  ///< of the study that is the first parameter of the path
};

/// The cost of a request. Those of high cost have a separate queue.
enum class Cost : std::uint8_t { low, high };

/// One row of the table of routes. To add a resource: one file with its handler, one row in routes.cpp.
struct Route {
  std::string_view method{};
  /// "/api/v1/melodies/{}": a pair of braces stands for one segment; "*" at the end for any rest.
  std::string_view pattern{};
  Response (*handle)(const Call& call) = nullptr;
  Caching caching = Caching::none;
  std::size_t body_limit = 0;  ///< bytes; 0: no body allowed
  /// The media types it can produce; the first is the default.
  std::string_view types = "application/json";
  Access access = Access::collection;
  Cost cost = Cost::low;
  bool partial = false;          ///< at the end of its time limit it answers with the results so far
  std::size_t result_bytes = 0;  ///< the largest result; 0: AppOptions::result_bytes
};

[[nodiscard]] std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;              ///< null: no match
  std::vector<std::string> path_parameters;  ///< the segments matched by the braces
  std::string allowed;                       ///< methods allowed for this path, for 405
};

/// HEAD is routed like GET.
[[nodiscard]] Match find_route(std::span<const Route> table, std::string_view method, const Target& target);

}  // namespace rondo::server
