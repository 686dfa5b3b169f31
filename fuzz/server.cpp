// Feeds arbitrary bytes to the server as a request, over a small collection, and checks what must hold: whatever comes
// in, an answer goes out that is no server error, and data that says it is JSON is.

#include "server/server.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "broken.h"
#include "formats/pae.h"
#include "rondo/store/collection.h"

namespace {

using namespace rondo;
using namespace rondo::server;

template <typename T>
T must(Result<T> result) {
  if (!result) broken("cannot begin", result.error().to_string());
  return std::move(*result);
}

/// A collection of its own for this process, gone with it.
struct Stage {
  Stage() {
    folder = std::filesystem::temp_directory_path() / "rondo-fuzz-XXXXXX";
    std::string name = folder.string();
    if (mkdtemp(name.data()) == nullptr) broken("no folder", name);
    folder = name;
    {
      Collection collection = must(Collection::open(folder / "c.db", OpenMode::create));
      for (const char* pae : {"%G-2@3/4$xF ''4CDE/FGA/", "'8CDECDEFG/4AB''C", "''4C'BAG/FEDC"}) {
        Piece piece;
        Diagnostics warnings;
        piece.id = "m" + std::to_string(++number);
        piece.metadata.title = "Menuet";
        piece.metadata.year = "1750";
        piece.voices.push_back(must(parse_pae_query(pae, warnings)));
        (void)must(collection.put(piece));
      }
    }
    AppOptions options;
    options.collection = folder / "c.db";
    options.search_time = std::chrono::milliseconds(500);
    app = must(App::open(options));
    session = must(app->session());
  }
  ~Stage() {
    session.reset();
    app.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::filesystem::path folder;
  int number = 0;
  std::unique_ptr<App> app;
  std::shared_ptr<Session> session;
};

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
  static Stage stage;
  auto request = parse_request({reinterpret_cast<const char*>(data), size}, *stage.app);
  Response response = request ? stage.app->handle(*request, *stage.session) : stage.app->refusal(request.error());
  check(response, *stage.session);
  return 0;
}
