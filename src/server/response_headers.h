#pragma once

#include <string>
#include <string_view>

#include "server/app.h"
#include "server/router.h"

/// Added to every response: ETags, compression, security headers.
namespace rondo::server {

/// The ETag of a successful response to this request; empty if it has none, or if the handler sets it.
[[nodiscard]] std::string tag_of(const Route& route, const Request& request, std::string_view program,
                                 std::string_view snapshot);
/// Whether the client already has that response, compressed or not.
[[nodiscard]] bool is_known(const Request& request, std::string_view tag);
[[nodiscard]] Response not_modified(std::string_view tag);
/// Sets the ETag and Cache-Control of a successful response.
void mark(Response& response, const Route& route, std::string_view tag);

[[nodiscard]] Response preflight(const AppOptions& options, const Request& request, std::string_view allowed);

/// The last step for every response.
void finish_response(Response& response, const Request& request, const AppOptions& options);

}  // namespace rondo::server
