#pragma once

#include "rondo/base/result.h"
#include "server/message.h"

namespace rondo::server {

/// An error as application/problem+json (RFC 9457), with the status that goes with its code. `code` is stable; where
/// the error has a place in a text that was sent, `line` and `column` tell it.
[[nodiscard]] Response problem(const Error& error);
[[nodiscard]] Response problem(unsigned status, const Error& error);
/// 429, and when to try again.
[[nodiscard]] Response too_many(int seconds);

/// 422 for what was asked wrongly, 404 for what is not there, 503 for what may work later, 500 for trouble of our own.
[[nodiscard]] unsigned status_of(const Error& error);

}  // namespace rondo::server
