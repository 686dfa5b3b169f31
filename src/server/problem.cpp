#include "server/problem.h"

#include <array>

#include "server/json.h"

namespace rondo::server {
namespace {

struct Row {
  std::string_view code;  ///< the beginning of codes
  unsigned status;
};

/// Whatever is not listed is something wrong with what was asked.
constexpr std::array kStatus = {
    Row{"target-too-long", 414},
    Row{"target-malformed", 400},
    Row{"argument-", 400},
    Row{"path-unknown", 404},
    Row{"piece-missing", 404},
    Row{"voice-missing", 404},
    Row{"method-unknown", 405},
    Row{"not-acceptable", 406},
    Row{"request-time", 408},
    Row{"length-required", 411},
    Row{"body-too-large", 413},
    Row{"headers-too-large", 431},
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
  return response;
}

}  // namespace rondo::server
