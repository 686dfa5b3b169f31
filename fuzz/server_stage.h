#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "broken.h"
#include "formats/pae.h"
#include "rondo/store/collection.h"
#include "server/server.h"
#include "server/session.h"

namespace rondo::fuzzing {

template <typename T>
T must(Result<T> result) {
  if (!result) broken("cannot begin", result.error().to_string());
  return std::move(*result);
}

/// An application over a small collection of its own, gone with it.
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
    server::AppOptions options;
    options.collection = folder / "c.db";
    options.search_time = std::chrono::milliseconds(500);
    app = must(server::App::open(options));
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
  std::unique_ptr<server::App> app;
  std::shared_ptr<server::Session> session;
};

}  // namespace rondo::fuzzing
