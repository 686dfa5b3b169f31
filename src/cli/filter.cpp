#include "search/filter.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "query/fit.h"
#include "rondo/similarity/system.h"
#include "search/select.h"
#include "search/sql_similarity.h"

namespace rondo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FilterArguments {
  std::string db;
  std::string steps;
  std::vector<std::string> where;
  std::string like;
  std::string query;
  std::string order;
  bool ids = false;
  std::string format = "table";
  double seconds = 600;
};

Result<Filter> filter_of(const FilterArguments& options) {
  Filter filter;
  if (!options.steps.empty()) {
    auto text = read_file(options.steps);
    if (!text) return fail(text.error());
    auto parsed = parse_filter(*text, options.steps);
    if (!parsed) return parsed;
    filter = std::move(*parsed);
  }
  for (const std::string& expression : options.where) filter.steps.push_back({expression, expression, false, 0});
  if (!options.like.empty()) filter.like = options.like;
  if (!options.order.empty()) filter.order = options.order;
  return filter;
}

Result<Funnel> funnel_of(const FilterArguments& options, const Filter& filter, Collection& collection) {
  SqlLimits limits = SqlLimits::owner();
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000));
  auto sql = UserSql::open(collection.path(), limits);
  if (!sql) return fail(sql.error());
  if (!options.query.empty() || !filter.like.empty()) {
    auto piece = [&]() -> Result<Piece> {
      if (options.query.empty()) return collection.get(filter.like);
      auto reading = read_query(options.query);
      if (!reading) return fail(std::move(reading.error()));
      // Pieces are compared by the standard system.
      if (auto fit = fit_system(*reading, std::string(kDefaultSystem), {}); !fit) return fail(std::move(fit.error()));
      return std::move(reading->piece);
    }();
    if (!piece) return fail(piece.error());
    if (piece->voices.empty()) return fail("query-empty", "the melody to compare with has no notes");
    if (auto done = compare_with(*sql, collection, piece->voices.front()); !done) return fail(done.error());
  }
  return run_filter(*sql, filter);
}

void print_table(const Funnel& funnel, std::FILE* out) {
  Table table({{"step", Table::Align::left, true},
               {"excluded", Table::Align::right},
               {"%", Table::Align::right},
               {"left", Table::Align::right}});
  table.row({"all melodies", "", "", grouped(funnel.total)});
  for (const FunnelStep& step : funnel.steps) {
    table.row({step.name, grouped(step.excluded()), fmt::format("{:.1f}", step.percent()), grouped(step.left)});
  }
  table.print(out);
}

void print_json(const Funnel& funnel, const std::vector<NamedMelody>& named, bool ids) {
  Json steps = Json::array();
  for (const FunnelStep& step : funnel.steps) {
    steps.push_back({{"step", step.name},
                     {"before", step.before},
                     {"excluded", step.excluded()},
                     {"percent", step.percent()},
                     {"left", step.left}});
  }
  Json all = {{"total", funnel.total}, {"steps", steps}, {"left", funnel.survivors.size()}};
  if (ids) {
    Json melodies = Json::array();
    for (const NamedMelody& one : named) {
      melodies.push_back({{"id", one.id}, {"voice", one.voice}, {"title", one.title}, {"composer", one.composer}});
    }
    all["melodies"] = melodies;
  }
  print_to(stdout, "{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_csv(const Funnel& funnel, const std::vector<NamedMelody>& named, bool ids) {
  if (ids) {
    print_to(stdout, "{}", csv_line({"id", "voice", "title", "composer"}));
    for (const NamedMelody& one : named) {
      print_to(stdout, "{}", csv_line({one.id, std::to_string(one.voice), one.title, one.composer}));
    }
    return;
  }
  print_to(stdout, "{}", csv_line({"step", "before", "excluded", "percent", "left"}));
  for (const FunnelStep& step : funnel.steps) {
    print_to(stdout, "{}",
             csv_line({step.name, std::to_string(step.before), std::to_string(step.excluded()),
                       fmt::format("{:.4f}", step.percent()), std::to_string(step.left)}));
  }
}

int run(const FilterArguments& options) {
  auto filter = filter_of(options);
  if (!filter) return report(filter.error());
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto funnel = funnel_of(options, *filter, *collection);
  if (!funnel) {
    if (funnel.error().place.line != 0 && funnel.error().place.file.empty()) funnel.error().place.file = options.steps;
    return report(funnel.error());
  }
  std::vector<NamedMelody> named;
  if (options.ids) {
    auto found = name_melodies(*collection, funnel->survivors);
    if (!found) return report(found.error());
    named = std::move(*found);
  }
  if (options.format == "json") {
    print_json(*funnel, named, options.ids);
  } else if (options.format == "csv") {
    print_csv(*funnel, named, options.ids);
  } else {
    // The ids alone go where a pipe takes them.
    print_table(*funnel, options.ids ? stderr : stdout);
    for (const NamedMelody& one : named) print_to(stdout, "{}\n", one.id);
  }
  return kSuccess;
}

}  // namespace

Action define_filter(CLI::App& app) {
  auto options = std::make_shared<FilterArguments>();
  add_db(app, options->db);
  app.add_option("--steps", options->steps, "a file of named steps; see docs/filter.md");
  app.add_option("--where", options->where, "a condition in SQL over the view 'melodies'; several are several steps");
  auto* like = app.add_option("--like", options->like, "id of the melody that query() and the distances refer to");
  app.add_option("--query", options->query, "the same, as a file, '-', or notes")->excludes(like);
  app.add_option("--order", options->order, "lowest values of this SQL expression first");
  app.add_flag("--ids", options->ids, "list the melodies that are left; the table goes to standard error");
  app.add_option("--format", options->format, "table, json or csv")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->capture_default_str();
  app.add_option("--seconds", options->seconds, "abort a step that takes longer")
      ->check(within(0.001, 1e6))
      ->capture_default_str();
  app.callback([options] {
    if (options->steps.empty() && options->where.empty()) throw CLI::ValidationError("give --steps or --where");
  });
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
