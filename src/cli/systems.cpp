#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "rondo/similarity/choose.h"

namespace rondo::cli {
namespace {

struct Options {
  std::string name;
  std::string format = "table";
};

nlohmann::ordered_json to_json(const SystemRow& row) {
  nlohmann::ordered_json out = {{"name", row.name},
                                {"title", row.title},
                                {"explanation", row.explanation},
                                {"reference", row.reference},
                                {"evidence", to_string(row.evidence)}};
  if (!row.evidence_note.empty()) out["evidence_note"] = row.evidence_note;
  if (row.published_adr) out["published_adr"] = *row.published_adr;
  out["shortest"] = row.shortest;
  out["polyphonic"] = row.polyphonic;
  out["invariant"] = {
      {"transposition", row.invariant.transposition}, {"octave", row.invariant.octave}, {"tempo", row.invariant.tempo}};
  if (!row.standard_parts.empty()) out["standard_parts"] = row.standard_parts;
  out["parameters"] = nlohmann::ordered_json::array();
  for (const Parameter& p : row.parameters) {
    out["parameters"].push_back({{"name", p.name},
                                 {"explanation", p.explanation},
                                 {"default", p.standard},
                                 {"lowest", p.lowest},
                                 {"highest", p.highest}});
  }
  return out;
}

void paragraph(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used != 0 && used + 1 + word.size() > width) {
      fmt::print("\n");
      used = 0;
    }
    fmt::print("{}{}", used == 0 ? "" : " ", word);
    used += word.size() + (used == 0 ? 0 : 1);
  }
  fmt::print("\n");
}

void describe(const SystemRow& row) {
  const std::size_t terminal = terminal_width(stdout);
  const std::size_t width = terminal == 0 ? 80 : std::min<std::size_t>(terminal, 100);
  fmt::print("{}: {}\n\n", row.name, row.title);
  paragraph(row.explanation, width);
  fmt::print("\nReference:\n");
  paragraph(row.reference, width);
  fmt::print("\nEvidence: {}\n", to_string(row.evidence));
  if (!row.evidence_note.empty()) paragraph(row.evidence_note, width);
  if (row.published_adr) {
    fmt::print("\nPublished average dynamic recall on MIREX 2005: {:.3f} (the authors' run, not ours)\n",
               *row.published_adr);
  }
  std::string invariant;
  const auto add = [&](bool is, const char* name) {
    if (is) invariant += (invariant.empty() ? "" : ", ") + std::string(name);
  };
  add(row.invariant.transposition, "transposition");
  add(row.invariant.octave, "octave");
  add(row.invariant.tempo, "tempo");
  fmt::print("\nInvariant to: {}\n", invariant.empty() ? "nothing" : invariant);
  fmt::print("Needs at least {} note{}{}\n", row.shortest, row.shortest == 1 ? "" : "s",
             row.polyphonic ? "; compares whole polyphonic pieces" : "");
  if (!row.standard_parts.empty()) {
    paragraph(fmt::format("Parts: {}; choose others with --system {}:PART+PART, set a parameter of one with --set "
                          "PART.NAME=VALUE",
                          row.standard_parts, row.name),
              width);
  }
  if (row.parameters.empty()) return;
  fmt::print("\nParameters (--set NAME=VALUE):\n");
  Table table({{"name"}, {"default", Table::Align::right}, {"range"}, {"meaning", Table::Align::left, true}});
  for (const Parameter& p : row.parameters) {
    table.row({std::string(p.name), fmt::format("{}", p.standard), fmt::format("{} to {}", p.lowest, p.highest),
               std::string(p.explanation)});
  }
  table.print(stdout);
}

int run(const Options& options) {
  if (options.name.empty()) {
    if (options.format == "json") {
      nlohmann::ordered_json all = nlohmann::ordered_json::array();
      for (const SystemRow* row : systems()) all.push_back(to_json(*row));
      fmt::print("{}\n", all.dump(2));
      return kSuccess;
    }
    Table table(
        {{"system"}, {"evidence"}, {"published", Table::Align::right}, {"what it compares", Table::Align::left, true}});
    for (const SystemRow* row : systems()) {
      table.row({std::string(row->name), std::string(to_string(row->evidence)),
                 row->published_adr ? fmt::format("{:.3f}", *row->published_adr) : "", std::string(row->title)});
    }
    table.print(stdout);
    fmt::print(stderr,
               "\npublished: average dynamic recall in the authors' MIREX 2005 runs, not in ours\n"
               "'rondo systems NAME' explains one\n");
    return kSuccess;
  }
  auto row = system_row(options.name);
  if (!row) return report(row.error());
  if (options.format == "json") {
    fmt::print("{}\n", to_json(**row).dump(2));
  } else {
    describe(**row);
  }
  return kSuccess;
}

}  // namespace

Action define_systems(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("name", options->name, "explain this one");
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
