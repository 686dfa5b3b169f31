#include "server/router.h"

#include <algorithm>
#include <optional>

namespace rondo::server {
namespace {

std::optional<std::vector<std::string>> fits(std::string_view pattern, const std::vector<std::string>& segments) {
  std::vector<std::string> path_parameters;
  std::size_t i = 0;
  while (!pattern.empty()) {
    pattern.remove_prefix(1);  // the slash
    const std::size_t end = std::min(pattern.find('/'), pattern.size());
    const std::string_view part = pattern.substr(0, end);
    pattern.remove_prefix(end);
    if (part == "*") return path_parameters;
    if (i == segments.size()) return std::nullopt;
    if (part == "{}") {
      if (segments[i].empty()) return std::nullopt;
      path_parameters.push_back(segments[i]);
    } else if (part != segments[i]) {
      return std::nullopt;
    }
    ++i;
  }
  if (i != segments.size()) return std::nullopt;
  return path_parameters;
}

void add_word(std::string& list, std::string_view word) {
  if (list.find(word) != std::string::npos) return;
  if (!list.empty()) list += ", ";
  list += word;
}

}  // namespace

Match find_route(std::span<const Route> table, std::string_view method, const Target& target) {
  if (method == "HEAD") method = "GET";
  Match match;
  for (const Route& route : table) {
    auto parameters = fits(route.pattern, target.segments);
    if (!parameters) continue;
    // A specific path takes precedence over the catch-all pattern.
    if (route.pattern.ends_with('*') && !match.allowed.empty()) break;
    if (route.method == method && match.route == nullptr) {
      match.route = &route;
      match.path_parameters = std::move(*parameters);
    }
    add_word(match.allowed, route.method);
    if (route.method == "GET") add_word(match.allowed, "HEAD");
  }
  if (!match.allowed.empty()) add_word(match.allowed, "OPTIONS");
  return match;
}

}  // namespace rondo::server
