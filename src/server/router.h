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

/// Who asks. A researcher's browser may hold a seat as well, to look at a study from the other side.
struct Identity {
  Role role = Role::visitor;
  bool by_token = false;  ///< the researcher's token itself came with the request, not a cookie
  std::string csrf{};     ///< of the researcher's session
  std::optional<study::Seat> seat{};
  std::string seat_csrf{};
};

/// What a handler gets: the request, its target taken apart, and the parameters in its path.
struct Call {
  const Request& request;
  const Target& target;
  std::vector<std::string> path_parameters;
  Session& session;
  Identity who{};  ///< known where the route is not everybody's
};

enum class Caching : std::uint8_t {
  none,        ///< every answer is made anew
  collection,  ///< depends on nothing but the URL, the type asked for, and the state of the collection
  measured,    ///< the same, but holds how long it took: its tag is a weak one
  own          ///< the handler sees to it
};

/// Who may ask.
enum class Access : std::uint8_t {
  everybody,    ///< without being looked at
  known,        ///< everybody, but the handler wants to know who
  collection,   ///< not participants; with --studies-only the researcher alone
  researcher,   ///< by cookie or token
  participant,  ///< of the study that is the first parameter of the path
};

/// What a request may take. Those of high cost wait in a queue of their own.
enum class Cost : std::uint8_t { low, high };

/// One row of the table of routes. To add a resource: one file with its handler, one row in routes.cpp.
struct Route {
  std::string_view method{};
  /// "/api/v1/melodies/{}": a pair of braces stands for one segment; "*" at the end for any rest.
  std::string_view pattern{};
  Response (*handle)(const Call& call) = nullptr;
  Caching caching = Caching::none;
  std::size_t body_limit = 0;  ///< bytes; 0: a body is not wanted
  /// What it answers when asked for several; the first is the standard.
  std::string_view types = "application/json";
  Access access = Access::collection;
  Cost cost = Cost::low;
};

[[nodiscard]] std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;              ///< null: none fits
  std::vector<std::string> path_parameters;  ///< what stands for the braces
  std::string allowed;                       ///< methods that this path knows, for 405
};

/// HEAD is routed like GET.
[[nodiscard]] Match find_route(std::span<const Route> table, std::string_view method, const Target& target);

}  // namespace rondo::server
