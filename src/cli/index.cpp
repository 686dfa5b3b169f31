#include "search/index.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"

namespace rondo::cli {
namespace {

struct IndexArguments {
  std::string db;
  bool rebuild = false;
  bool check = false;
  std::string format = "table";
};

int run(const IndexArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  const auto file = Index::path_for(collection->path());
  const auto start = std::chrono::steady_clock::now();
  ProgressBar progress("index", terminal_width(stderr) != 0);
  const IndexProgress show = [&](std::size_t done, std::size_t all) { progress.update(done, all, done); };
  auto index = options.check     ? Index::open(file)
               : options.rebuild ? Index::rebuild(*collection, file, show)
                                 : Index::update(*collection, file, show);
  progress.clear();
  if (!index) return report(index.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  auto fits = index->fits(*collection);
  if (!fits) return report(fits.error());
  if (options.check && !*fits) {
    return report(Error{"index-stale", "the collection has changed since the index was made",
                        Place{file.string(), {}, {}, 0, 0}, "'rondo index' brings it up to date"});
  }
  const double each =
      static_cast<double>(index->bytes()) / static_cast<double>(std::max<std::size_t>(1, index->voices()));
  if (options.format == "json") {
    const nlohmann::ordered_json out = {{"file", file.string()},         {"melodies", index->voices()},
                                        {"bytes", index->bytes()},       {"bytes_a_melody", each},
                                        {"segments", index->segments()}, {"seconds", seconds}};
    print_to(stdout, "{}\n", out.dump(2));
  } else {
    print_to(stdout, "{}: {} melodies, {:.0f} bytes each, {} segment{}; {} in {:.2f} s\n", file.string(),
             grouped(index->voices()), each, index->segments(), index->segments() == 1 ? "" : "s",
             options.check ? "checked" : "up to date", seconds);
  }
  return kSuccess;
}

}  // namespace

Action define_index(CLI::App& app) {
  auto options = std::make_shared<IndexArguments>();
  add_db(app, options->db);
  app.add_flag("--rebuild", options->rebuild, "rebuild it instead of adding new melodies");
  app.add_flag("--check", options->check, "only check whether it is intact and up to date");
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
