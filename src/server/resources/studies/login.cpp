#include "server/access/access_control.h"
#include "server/access/identity.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"

namespace rondo::server {
namespace {

/// Before a token has been made, nobody can log in.
Error no_token(Error error) {
  if (error.code == "studies-missing") error.hint = "make a token first: rondo study token --db FILE";
  return error;
}

}  // namespace

Response post_login(const Call& call) {
  if (auto fine = check_origin(call); !fine) return problem(fine.error());
  auto body = object_in(call.request);
  if (!body) return problem(body.error());
  auto token = text_in(*body, "token");
  if (!token) return problem(token.error());
  auto studies = call.session.studies();
  if (!studies) return problem(no_token(std::move(studies.error())));
  auto right = call.session.app.access_control().admit_token(**studies, client_address(call),
                                                             token->value_or(std::string()), call.session.may_check);
  if (!right) {
    call.session.note(right.error());
    return problem(right.error());
  }
  auto secret = study::Access(**studies).begin_researcher();
  if (!secret) return problem(secret.error());
  Response response = json_response({{"csrf", secret->csrf}});
  return std::move(
      response.set("Set-Cookie", set_cookie(call, kResearcherCookie, secret->token, study::kResearcherSeconds)));
}

Response post_logout(const Call& call) {
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  const std::string_view token = cookie(call.request, kResearcherCookie);
  if (auto done = study::Access(**studies).end(token); !done) return problem(done.error());
  Response response;
  response.status = 204;
  return std::move(response.set("Set-Cookie", set_cookie(call, kResearcherCookie, {}, 0)));
}

Response get_me(const Call& call) {
  Json out = {{"role", "visitor"}};
  if (call.who.role == Role::researcher) {
    out["role"] = "researcher";
    out["csrf"] = call.who.csrf;
  } else if (call.who.seat) {
    out["role"] = "participant";
    out["csrf"] = call.who.seat_csrf;
    out["study"] = call.who.seat->name;
  }
  return json_response(out);
}

}  // namespace rondo::server
