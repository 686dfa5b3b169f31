#include "server/access/identity.h"

#include <fmt/format.h>

#include "server/access/access_control.h"
#include "server/session.h"
#include "study/secrets.h"

namespace rondo::server {
namespace {

bool is_write(std::string_view method) { return method != "GET" && method != "HEAD" && method != "OPTIONS"; }

std::string_view bearer(const Request& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = trimmed(header(request.headers, "Authorization"));
  return value.size() > kScheme.size() && same_word(value.substr(0, kScheme.size()), kScheme)
             ? trimmed(value.substr(kScheme.size()))
             : std::string_view();
}

/// The visitor of a session cookie, if the session is still valid.
Result<std::optional<study::Visitor>> visitor_of(study::Studies& studies, std::string_view token) {
  if (token.empty()) return std::optional<study::Visitor>();
  return study::Access(studies).find(token);
}

Result<void> by_token(Call& call, study::Studies& studies, std::string_view token) {
  auto right =
      call.session.app.access_control().admit_token(studies, client_address(call), token, call.session.may_check);
  if (!right) return right;
  call.who.role = Role::researcher;
  call.who.by_token = true;
  return {};
}

/// Without studies, everybody is a visitor.
Result<void> identify(Call& call) {
  const std::string_view token = bearer(call.request);
  const std::string_view researcher = cookie(call.request, kResearcherCookie);
  const std::string_view participant = cookie(call.request, kParticipantCookie);
  if (token.empty() && researcher.empty() && participant.empty()) return {};
  auto studies = call.session.studies();
  if (!studies) {
    if (studies.error().code == "studies-missing") return {};
    return fail(std::move(studies.error()));
  }
  auto seat = visitor_of(**studies, participant);
  if (!seat) return fail(std::move(seat.error()));
  if (seat->has_value() && (*seat)->seat) {
    call.who.seat = (*seat)->seat;
    call.who.seat_csrf = (*seat)->csrf;
    call.who.role = Role::participant;
  }
  if (!token.empty()) return by_token(call, **studies, token);
  auto master = visitor_of(**studies, researcher);
  if (!master) return fail(std::move(master.error()));
  if (master->has_value() && !(*master)->seat) {
    call.who.role = Role::researcher;
    call.who.csrf = (*master)->csrf;
  }
  return {};
}

Result<void> check_csrf(const Request& request, std::string_view expected) {
  if (study::same_secret(trimmed(header(request.headers, "X-Rondo-Csrf")), expected)) return {};
  return fail("csrf-wrong", "the request does not have the CSRF token of this session", {},
              "send 'csrf' of the login, or of /me, as the header X-Rondo-Csrf");
}

Result<void> admit_researcher(const Call& call) {
  if (call.who.role != Role::researcher) {
    return fail("login-needed", "only the researcher may do this", {}, "log in with the token of 'rondo study token'");
  }
  if (!is_write(call.request.method) || call.who.by_token) return {};
  if (auto fine = check_origin(call); !fine) return fine;
  return check_csrf(call.request, call.who.csrf);
}

Result<void> admit_participant(const Call& call) {
  // A session is valid only for its own study.
  if (!call.who.seat || call.path_parameters.empty() || call.who.seat->name != call.path_parameters.front()) {
    return fail("join-needed", "only participants of this study may do this", {}, "join with your code");
  }
  if (!is_write(call.request.method)) return {};
  if (auto fine = check_origin(call); !fine) return fine;
  return check_csrf(call.request, call.who.seat_csrf);
}

}  // namespace

std::string_view authority_of(const Request& request, const Target& target) {
  return target.authority.empty() ? trimmed(header(request.headers, "Host")) : std::string_view(target.authority);
}

Result<void> check_origin(const Call& call) {
  const std::string_view origin = trimmed(header(call.request.headers, "Origin"));
  if (origin.empty()) return {};
  const std::size_t scheme = origin.find("://");
  const std::string_view host = scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
  if (!host.empty() && same_word(host, authority_of(call.request, call.target))) return {};
  return fail("origin-foreign", "the request comes from a page of another site");
}

std::string_view cookie(const Request& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (!same_word(key, "Cookie")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string_view pair = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
    }
  }
  return {};
}

std::string set_cookie(const Call& call, std::string_view name, std::string_view token, std::int64_t seconds) {
  const bool https = call.session.app.options().behind_proxy &&
                     same_word(trimmed(header(call.request.headers, "X-Forwarded-Proto")), "https");
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", name, token, token.empty() ? 0 : seconds,
                     https ? "; Secure" : "");
}

std::string client_address(const Call& call) { return client_address(call.request, call.session.app.options()); }

std::string client_address(const Request& request, const AppOptions& options) {
  if (!options.behind_proxy) return request.peer;
  // The last address is the one that the proxy has seen; earlier ones, also in earlier headers, may be forged.
  std::string_view chain;
  for (const auto& [name, value] : request.headers) {
    if (same_word(name, "X-Forwarded-For")) chain = value;
  }
  const std::size_t comma = chain.rfind(',');
  const std::string_view last = trimmed(comma == std::string_view::npos ? chain : chain.substr(comma + 1));
  return last.empty() ? request.peer : std::string(last);
}

Result<void> admit_to_collection(const Call& call) {
  if (call.who.role == Role::researcher) return {};
  if (call.who.role == Role::participant) {
    return fail("participants-not", "participants of a study cannot search the collection while they take part", {},
                "leave the study first");
  }
  if (call.session.app.options().studies_only) {
    return fail("collection-closed", "this server is only for studies; the collection is not open");
  }
  return {};
}

Result<void> admit(const Route& route, Call& call) {
  if (route.access == Access::everybody) return {};
  if (auto done = identify(call); !done) return done;
  switch (route.access) {
    case Access::everybody:
    case Access::known: return {};
    case Access::collection: return admit_to_collection(call);
    case Access::researcher: return admit_researcher(call);
    case Access::participant: return admit_participant(call);
  }
  return {};
}

}  // namespace rondo::server
