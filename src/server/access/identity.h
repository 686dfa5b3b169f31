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

/// Checks whether a request may reach its handler. Sets `call.who`. Rules, in this order: a participant's browser
/// cannot access the collection; with --studies-only only the researcher can; routes of the researcher or of
/// participants require them; and a write with a cookie requires the session's CSRF token and, if an Origin is sent,
/// our own.
[[nodiscard]] Result<void> admit(const Route& route, Call& call);

/// For routes that are open to everybody but read the collection.
[[nodiscard]] Result<void> admit_to_collection(const Call& call);

/// Host and port that the request is for: in the absolute form those of the target, else of the header Host (RFC 9112,
/// 3.2.2).
[[nodiscard]] std::string_view authority_of(const Request& request, const Target& target);

/// Error `origin-foreign`: the request comes from a page of another site.
[[nodiscard]] Result<void> check_origin(const Call& call);

/// A value of the Cookie header; empty: none.
[[nodiscard]] std::string_view cookie(const Request& request, std::string_view name);
/// For Set-Cookie. An empty token deletes the cookie.
[[nodiscard]] std::string set_cookie(const Call& call, std::string_view name, std::string_view token,
                                     std::int64_t seconds);

/// The client's address for rate limits; behind a trusted proxy, the address that it forwards.
[[nodiscard]] std::string client_address(const Call& call);
[[nodiscard]] std::string client_address(const Request& request, const AppOptions& options);

}  // namespace rondo::server
