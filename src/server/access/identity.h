#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/app.h"
#include "server/router.h"
#include "study/access.h"

namespace rondo::server {

inline constexpr std::string_view kResearcherCookie = "rondo_researcher";
inline constexpr std::string_view kParticipantCookie = "rondo_participant";

/// Lets a request through to its handler, or says why not. Fills in `call.who`. In this order: a participant's browser
/// gets nothing of the collection; with --studies-only nobody but the researcher does; what is the researcher's or the
/// participant's wants them; and a write by a cookie wants the session's CSRF word and, if it tells one, an Origin of
/// our own.
[[nodiscard]] Result<void> admit(const Route& route, Call& call);

/// For what has an open address and reads the collection all the same.
[[nodiscard]] Result<void> admit_to_collection(const Call& call);

/// Error `origin-foreign`: a page of another site has sent this.
[[nodiscard]] Result<void> check_origin(const Request& request);

/// A value of the Cookie header; empty: none.
[[nodiscard]] std::string_view cookie(const Request& request, std::string_view name);
/// For Set-Cookie. An empty token makes the browser forget it.
[[nodiscard]] std::string set_cookie(const Call& call, std::string_view name, std::string_view token,
                                     std::int64_t seconds);

/// Who asks, for limits: the address behind the proxy, where there is a trusted one.
[[nodiscard]] std::string client_address(const Call& call);
[[nodiscard]] std::string client_address(const Request& request, const AppOptions& options);

}  // namespace rondo::server
