#pragma once

#include <string>
#include <string_view>

#include "server/app.h"
#include "server/router.h"

/// What every answer gets, whoever made it: tags, compression, headers that keep browsers safe.
namespace rondo::server {

/// The tag that a good answer to this request will have; empty where it has none, or sees to it itself.
[[nodiscard]] std::string tag_of(const Route& route, const Request& request, std::string_view program,
                                 std::string_view snapshot);
/// Whether the client has that answer already, compressed or not.
[[nodiscard]] bool is_known(const Request& request, std::string_view tag);
[[nodiscard]] Response not_modified(std::string_view tag);
/// Gives a good answer its tag and tells how it may be kept.
void mark(Response& response, const Route& route, std::string_view tag);

[[nodiscard]] Response preflight(const AppOptions& options, const Request& request, std::string_view allowed);

/// The last thing done to any answer.
void finish_response(Response& response, const Request& request, const AppOptions& options);

}  // namespace rondo::server
