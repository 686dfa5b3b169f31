#include "server/resources/studies/body.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace rondo::server {
namespace {

Failure misshapen(std::string_view name, std::string_view kind) {
  return fail("body-not-json", fmt::format("'{}' must be {}", name, kind));
}

}  // namespace

Result<Json> object_in(const Request& request) {
  auto body = body_json(request);
  if (!body) return body;
  if (!body->is_object()) return fail("body-not-json", "the body must be a JSON object");
  return body;
}

Result<std::optional<std::string>> text_in(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return std::optional<std::string>();
  if (!found->is_string()) return misshapen(name, "a text");
  return std::optional<std::string>(found->get<std::string>());
}

Result<std::optional<bool>> switch_in(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return std::optional<bool>();
  if (!found->is_boolean()) return misshapen(name, "true or false");
  return std::optional<bool>(found->get<bool>());
}

Result<std::vector<std::string>> texts_in(const Json& body, const char* name) {
  std::vector<std::string> out;
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return out;
  if (!found->is_array()) return misshapen(name, "a list of texts");
  for (const Json& one : *found) {
    if (!one.is_string()) return misshapen(name, "a list of texts");
    out.push_back(one.get<std::string>());
  }
  return out;
}

Result<std::vector<std::int64_t>> numbers_in(const Json& body, const char* name) {
  std::vector<std::int64_t> out;
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return out;
  if (!found->is_array()) return misshapen(name, "a list of numbers");
  for (const Json& one : *found) {
    if (!one.is_number_integer()) return misshapen(name, "a list of numbers");
    out.push_back(one.get<std::int64_t>());
  }
  return out;
}

Response created(const Json& json) {
  Response response = text_response(201, "application/json", json_text(json));
  return std::move(response.set("Cache-Control", "no-store"));
}

}  // namespace rondo::server
