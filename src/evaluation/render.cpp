#include "evaluation/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/interrupt.h"
#include "render_parts.h"
#include "text_table.h"

namespace rondo::evaluation {
namespace {

using nlohmann::json;
using Cells = std::vector<TextTable::Cell>;

/// Runs that share a tag are distinguished by a number.
std::vector<std::string> run_names(std::span<const Evaluation> runs) {
  std::vector<std::string> names;
  for (const Evaluation& run : runs) names.push_back(run.run);
  return distinct(std::move(names));
}

std::string summary(std::span<const Evaluation> runs, const TableOptions& options) {
  std::vector<std::string> header{"measure"};
  for (std::string& name : run_names(runs)) header.push_back(std::move(name));
  TextTable table(std::move(header));
  for (std::size_t m = 0; m < runs.front().measures.size(); ++m) {
    Cells row{{runs.front().measures[m].name()}};
    for (const Evaluation& run : runs) row.push_back({number(run.means[m], options.digits)});
    table.add(std::move(row));
  }
  const auto counts = [&](const char* name, auto count) {
    Cells row{{name}};
    for (const Evaluation& run : runs) row.push_back({std::to_string(count(run))});
    table.add(std::move(row));
  };
  const auto any = [&](auto part) { return std::any_of(runs.begin(), runs.end(), part); };
  table.add_rule();
  counts("queries", [](const Evaluation& run) { return run.queries.size(); });
  if (any([](const Evaluation& run) { return !run.missing.empty(); })) {
    counts("missing (zero)", [](const Evaluation& run) { return run.missing.size(); });
  }
  if (any([](const Evaluation& run) { return !run.unknown.empty(); })) {
    counts("unknown (ignored)", [](const Evaluation& run) { return run.unknown.size(); });
  }
  return table.render(options.width);
}

std::string per_query(const Evaluation& run, const std::string& name, const TableOptions& options) {
  std::vector<std::string> header{"query"};
  for (const MeasureSpec& measure : run.measures) header.push_back(measure.name());
  TextTable table(std::move(header));
  for (std::size_t q = 0; q < run.queries.size(); ++q) {
    Cells row{{run.queries[q]}};
    for (const auto& values : run.values) row.push_back({number(values[q], options.digits)});
    table.add(std::move(row));
  }
  table.add_rule();
  Cells means{{"all"}};
  for (const double mean : run.means) means.push_back({number(mean, options.digits)});
  table.add(std::move(means));
  return cut(name, std::max<std::size_t>(options.width, 24)) + "\n" + table.render(options.width);
}

}  // namespace

std::string render_table(std::span<const Evaluation> runs, const TableOptions& options) {
  if (runs.empty()) return "";
  std::string out;
  if (options.per_query) {
    const std::vector<std::string> names = run_names(runs);
    for (std::size_t r = 0; r < runs.size(); ++r) out += per_query(runs[r], names[r], options) + "\n";
  }
  out += summary(runs, options);
  const auto undefined = [](double value) { return std::isnan(value); };
  if (std::any_of(runs.front().means.begin(), runs.front().means.end(), undefined)) {
    out += wrap("- : not defined without the number of documents in the collection", options.width);
  }
  return out;
}

std::string render_csv(std::span<const Evaluation> runs, bool per_query) {
  if (runs.empty()) return "";
  std::vector<std::string> line{"run", "query"};
  for (const MeasureSpec& measure : runs.front().measures) line.push_back(measure.name());
  std::string out = csv_line(line);
  const std::vector<std::string> names = run_names(runs);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t q = 0; per_query && q < runs[r].queries.size(); ++q) {
      line = {names[r], runs[r].queries[q]};
      for (const auto& values : runs[r].values) line.push_back(full_number(values[q]));
      out += csv_line(line);
    }
    line = {names[r], "all"};
    for (const double mean : runs[r].means) line.push_back(full_number(mean));
    out += csv_line(line);
  }
  return out;
}

json render_json(std::span<const Evaluation> runs, bool per_query) {
  json out = {{"measures", json::array()}, {"runs", json::array()}};
  if (runs.empty()) return out;
  for (const MeasureSpec& measure : runs.front().measures) out["measures"].push_back(measure.name());
  const std::vector<std::string> names = run_names(runs);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Evaluation& run = runs[r];
    json entry = {{"run", names[r]},
                  {"queries", run.queries.size()},
                  {"missing", run.missing},
                  {"unknown", run.unknown},
                  {"mean", json::object()}};
    for (std::size_t m = 0; m < run.measures.size(); ++m) {
      const std::string name = run.measures[m].name();
      constexpr std::size_t kNumber = 24;  // and blanks
      if (interrupted_after(per_query ? run.queries.size() * (name.size() + kNumber) : kNumber)) return out;
      entry["mean"][name] = json_number(run.means[m]);
      for (std::size_t q = 0; per_query && q < run.queries.size(); ++q) {
        entry["per_query"][run.queries[q]][name] = json_number(run.values[m][q]);
      }
    }
    out["runs"].push_back(std::move(entry));
  }
  return out;
}

json render_json(const CurveSet& curves) {
  const auto points_json = [](const Points& points) {
    json out = json::array();
    for (const Point& point : points) out.push_back({point.x, point.y});
    return out;
  };
  json out = {{"curve", curves.kind->name}, {"title", curves.kind->title},      {"x", curves.kind->x_label},
              {"y", curves.kind->y_label},  {"mean", points_json(curves.mean)}, {"queries", json::array()}};
  for (const Curve& curve : curves.queries) {
    out["queries"].push_back({{"query", curve.name}, {"points", points_json(curve.points)}});
  }
  return out;
}

std::vector<std::string> distinct(std::vector<std::string> names) {
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    const int times = ++seen[name];
    if (times > 1) name = fmt::format("{} ({})", name, times);
  }
  return names;
}

std::string dump(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace rondo::evaluation
