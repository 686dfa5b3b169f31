#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/scoring.h"
#include "cli/terminal.h"
#include "query/fit.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"
#include "similarity/alignment_json.h"

namespace rondo::cli {
namespace {

struct CompareArguments {
  std::string a;
  std::string b;
  std::string db;
  std::string system = "all";
  std::vector<std::string> settings;
  std::string format = "table";
  LineOptions line;
};

/// A melody, and what it leaves open where it `may_be_open`.
Result<Line> melody(const std::string& text, const CompareArguments& options, bool may_be_open) {
  if (!options.db.empty()) {
    auto collection = Collection::open(options.db, OpenMode::read);
    if (!collection) return fail(collection.error());
    auto found = collection->get(text);
    if (!found && found.error().code != "piece-missing") return fail(std::move(found.error()));
    if (found && found->voices.empty()) return fail("melody-empty", "'" + text + "' has no notes");
    if (found) return make_line(found->voices.front(), options.line);
  }
  auto reading = read_query(text);
  if (!reading) return fail(std::move(reading.error()));
  const std::string system = options.system == "all" ? std::string(kDefaultSystem) : options.system;
  auto fit = fit_system(*reading, system, {});
  if (!fit) return fail(std::move(fit.error()));
  if (reading->has_wildcards() && (!may_be_open || fit->system != system)) {
    return fail(
        "query-wildcards",
        may_be_open ? system + " does not support unknown notes" : "only the first melody may have unknown notes", {},
        may_be_open ? "use " + fit->system : "swap the two melodies");
  }
  print_remarks(fit->warnings);
  Line line = make_line(reading->voice(), options.line);
  line.unknown = unknown_of_line(reading->voice(), options.line, reading->unknown);
  return line;
}

int run(const CompareArguments& options) {
  std::vector<std::string> names;
  if (options.system == "all") {
    for (const SystemRow* row : systems()) names.emplace_back(row->name);
  } else {
    names.push_back(options.system);
  }
  auto a = melody(options.a, options, true);
  if (!a) return report(a.error());
  auto b = melody(options.b, options, false);
  if (!b) return report(b.error());

  Table table({{"system"}, {"score", Table::Align::right}, {"remark", Table::Align::left, true}});
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string alignment;
  for (const std::string& name : names) {
    auto chosen = resolve_system(name, options.settings);
    if (!chosen) return report(chosen.error());
    // Two melodies are all there is to learn from here.
    chosen->system->learn(*a);
    chosen->system->learn(*b);
    const auto prepared = chosen->system->prepare(*a);
    const Explanation why = prepared->explain(*b);
    table.row({name, why.score.comparable ? fmt::format("{:.4f}", why.score.value) : "-", why.summary});
    nlohmann::ordered_json one = {{"system", name}, {"comparable", why.score.comparable}};
    if (why.score.comparable) one["score"] = why.score.value;
    one["alignment"] = alignment_json(why);
    all.push_back(std::move(one));
    if (names.size() == 1) alignment = alignment_text(why, *a, *b);
  }
  if (options.format == "json") {
    print_to(stdout, "{}\n", all.dump(2));
  } else {
    table.print(stdout);
    if (!alignment.empty()) print_to(stdout, "\n{}", alignment);
  }
  return kSuccess;
}

}  // namespace

Action define_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  app.add_option("a", options->a, "a file, '-', notes, or with --db an id")->required();
  app.add_option("b", options->b, "the melody to compare it with")->required();
  app.add_option("--db", options->db, "the collection that contains the ids");
  app.add_option("--system", options->system, "one system (then with its alignment), or all")->capture_default_str();
  app.add_option("--set", options->settings, "a parameter of the system, NAME=VALUE");
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  app.add_flag("--ignore-repeated", options->line.ignore_repeated, "repeated notes count as one");
  app.add_flag("--fold-octaves", options->line.fold_octaves, "octaves do not matter");
  app.add_flag("--graces", options->line.graces, "take grace notes into account");
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
