#pragma once

#include <optional>
#include <string>

#include "rondo/base/result.h"
#include "server/json.h"
#include "server/router.h"

/// Reads members of a JSON body, with the same errors for all of these resources.
namespace rondo::server {

/// Error `body-not-json`.
[[nodiscard]] Result<Json> object_in(const Request& request);

/// An optional member; a wrong type is the error `body-not-json`.
[[nodiscard]] Result<std::optional<std::string>> text_in(const Json& body, const char* name);
[[nodiscard]] Result<std::optional<bool>> switch_in(const Json& body, const char* name);
[[nodiscard]] Result<std::vector<std::string>> texts_in(const Json& body, const char* name);
[[nodiscard]] Result<std::vector<std::int64_t>> numbers_in(const Json& body, const char* name);

/// 201 with a body that must not be cached.
[[nodiscard]] Response created(const Json& json);

/// For the audit log.
inline constexpr std::string_view kWho = "researcher";

}  // namespace rondo::server
