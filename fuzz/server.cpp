// Feeds arbitrary bytes to the server as a request, over a small collection, and checks what must hold: whatever comes
// in, an answer goes out that is no server error, and data that says it is JSON is.

#include "server/server.h"

#include <nlohmann/json.hpp>

#include "broken.h"
#include "server_stage.h"

namespace {

using namespace rondo::server;

void check(Response& response, Session& session) {
  if (response.status == 500 || response.status < 200 || response.status > 599) {
    broken("a server error", std::to_string(response.status) + " " + response.body);
  }
  for (const auto& [name, value] : response.headers) {
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) broken("a header of two lines", value);
  }
  const bool plain = header(response.headers, "Content-Encoding").empty();
  const bool is_json = header(response.headers, "Content-Type").find("json") != std::string_view::npos &&
                       header(response.headers, "Content-Type").find("jsonl") == std::string_view::npos;
  if (is_json && plain && !response.length && !nlohmann::json::accept(response.body)) {
    broken("no JSON", response.body);
  }
  while (response.stream && response.stream(session)) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static rondo::fuzzing::Stage stage;
  auto request = parse_request({reinterpret_cast<const char*>(data), size}, *stage.app);
  Response response = request ? stage.app->handle(*request, *stage.session) : stage.app->refusal(request.error());
  check(response, *stage.session);
  return 0;
}
