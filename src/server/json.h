#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json.h"
#include "server/message.h"

namespace rondo::server {

using Json = nlohmann::ordered_json;

/// As text; bytes that are not UTF-8 become replacement characters rather than an error.
[[nodiscard]] inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

[[nodiscard]] inline Response json_response(const Json& json) {
  return text_response(200, "application/json", json_text(json));
}

/// The body of a request. Error `body-not-json`, with its place.
[[nodiscard]] inline Result<Json> body_json(const Request& request) {
  auto body = parse_json<Json>(request.body);
  if (!body) body.error().code = "body-not-json";
  return body;
}

/// The members of an object without its braces, for concatenation.
[[nodiscard]] inline std::string members_text(const Json& object) {
  std::string text = json_text(object);
  return text.substr(1, text.size() - 2);
}

}  // namespace rondo::server
