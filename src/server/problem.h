#pragma once

#include "rondo/base/result.h"
#include "server/message.h"

namespace rondo::server {

/// An error as application/problem+json (RFC 9457), with the status of its code. `code` is stable; for errors in a text
/// that was sent, `line` and `column` give the place.
[[nodiscard]] Response problem(const Error& error);
[[nodiscard]] Response problem(unsigned status, const Error& error);
/// 429 with Retry-After.
[[nodiscard]] Response too_many(int seconds);

/// 422 for invalid requests, 404 for missing resources, 503 for temporary failures, 500 for internal errors.
[[nodiscard]] unsigned status_of(const Error& error);

}  // namespace rondo::server
