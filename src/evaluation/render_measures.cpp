#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "evaluation/render.h"
#include "render_parts.h"
#include "text_table.h"

namespace rondo::evaluation {
namespace {

using nlohmann::json;

std::string range(const Measure& measure) {
  const auto end = [](double value) {
    return std::isfinite(value) ? fmt::format("{:g}", value) : value < 0 ? "any negative" : "any";
  };
  return fmt::format("{} to {}, {} is better", end(measure.low), end(measure.high),
                     measure.higher_is_better ? "higher" : "lower");
}

std::string title(const Measure& measure) {
  std::string out(measure.name);
  if (measure.takes_cutoff) out += fmt::format(", {}@k", measure.name);
  return out;
}

}  // namespace

std::string render_measures(const TableOptions& options) {
  constexpr std::size_t kIndent = 4;
  const auto paragraph = [&](std::string_view text) { return wrap(text, options.width, kIndent); };
  std::string out;
  for (const Measure* measure : all_measures()) {
    if (!out.empty()) out += "\n";
    out += title(*measure) + "  (" + range(*measure) + ")\n";
    out += paragraph(measure->definition);
    if (!measure->aliases.empty()) out += paragraph(fmt::format("also called: {}", measure->aliases));
    out += paragraph(fmt::format("[{}]", measure->reference));
  }
  return out;
}

json measures_json() {
  json out = json::array();
  for (const Measure* measure : all_measures()) {
    out.push_back({{"name", measure->name},
                   {"aliases", measure->aliases},
                   {"definition", measure->definition},
                   {"reference", measure->reference},
                   {"low", json_number(measure->low)},
                   {"high", json_number(measure->high)},
                   {"higher_is_better", measure->higher_is_better},
                   {"takes_cutoff", measure->takes_cutoff}});
  }
  return out;
}

std::string measures_markdown() {
  std::string out = "| measure | definition | range | reference |\n| --- | --- | --- | --- |\n";
  for (const Measure* measure : all_measures()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", title(*measure), measure->definition, range(*measure),
                       measure->reference);
  }
  return out;
}

}  // namespace rondo::evaluation
