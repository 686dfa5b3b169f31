#include "server/problem.h"

#include <array>

#include "server/json.h"

namespace rondo::server {
namespace {

struct Row {
  std::string_view code;  ///< prefix of codes
  unsigned status;
};

/// Codes that are not listed are errors of the request.
constexpr std::array kStatus = {
    Row{"target-too-long", 414},
    Row{"target-malformed", 400},
    Row{"argument-", 400},
    Row{"login-needed", 401},
    Row{"token-wrong", 401},
    Row{"join-needed", 401},
    Row{"code-unknown", 403},
    Row{"csrf-wrong", 403},
    Row{"origin-foreign", 403},
    Row{"participants-not", 403},
    Row{"collection-closed", 403},
    Row{"study-closed", 403},
    Row{"study-not-open", 403},
    Row{"consent-missing", 403},
    Row{"study-missing", 404},
    Row{"study-participant", 404},
    Row{"studies-missing", 404},
    Row{"candidates-missing", 404},
    Row{"study-query-missing", 404},
    Row{"study-exists", 409},
    Row{"ranking-conflict", 409},
    Row{"concordances-missing", 404},
    Row{"concordances-outdated", 409},
    Row{"concordances-running", 409},
    Row{"concordances-not-running", 409},
    Row{"decisions-", 500},
    Row{"write-failed", 500},
    Row{"rate-limited", 429},
    Row{"report-unavailable", 501},
    Row{"disk-full", 507},
    Row{"path-unknown", 404},
    Row{"piece-missing", 404},
    Row{"link-unknown", 404},
    Row{"body-type", 415},
    Row{"voice-missing", 404},
    Row{"method-unknown", 405},
    Row{"not-acceptable", 406},
    Row{"request-time", 408},
    Row{"length-required", 411},
    Row{"body-too-large", 413},
    Row{"headers-too-large", 431},
    Row{"framing-too-long", 400},
    Row{"body-not-json", 400},
    Row{"host-unknown", 421},
    Row{"request-malformed", 400},
    Row{"http-version", 505},
    Row{"not-implemented", 501},
    Row{"parameter-", 400},
    Row{"system-unknown", 400},
    Row{"part-", 400},
    Row{"parts-", 400},
    Row{"sql-timeout", 503},
    Row{"store-busy", 503},
    Row{"server-", 503},
    Row{"search-preparing", 503},
    Row{"store-", 500},
    Row{"disk-", 500},
    Row{"index-", 500},
    Row{"packed-", 500},
    Row{"internal", 500},
};

}  // namespace

unsigned status_of(const Error& error) {
  for (const Row& row : kStatus) {
    if (error.code.starts_with(row.code)) return row.status;
  }
  return 422;
}

Response problem(const Error& error) { return problem(status_of(error), error); }

Response problem(unsigned status, const Error& error) {
  Json body = {{"type", "about:blank"},
               {"title", reason(status)},
               {"status", status},
               {"detail", error.message},
               {"code", error.code}};
  if (error.place.line > 0) body["line"] = error.place.line;
  if (error.place.column > 0) body["column"] = error.place.column;
  if (!error.hint.empty()) body["hint"] = error.hint;
  Response response = text_response(status, "application/problem+json", json_text(body));
  response.set("Cache-Control", "no-store");
  if (status == 503) response.set("Retry-After", "2");
  if (status == 429) response.set("Retry-After", "10");
  if (status == 401) response.set("WWW-Authenticate", "Bearer");
  return response;
}

Response too_many(int seconds) {
  Response response =
      problem(Error{"rate-limited", "too many wrong tries from this address", {}, "wait a little and try again"});
  return std::move(response.set("Retry-After", std::to_string(seconds)));
}

}  // namespace rondo::server
