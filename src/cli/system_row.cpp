#include "cli/system_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/requirement_table.h"
#include "cli/terminal.h"

namespace rondo::cli {
namespace {

constexpr std::size_t kPageWidth = 120;

/// Words in lines of at most `width` columns, the last with its end; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = "") {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t columns = display_width(word);
    if (used != 0 && used + 1 + columns > width) {
      out += fmt::format("\n{}{}", indent, word);
      used = indent.size() + columns;
      continue;
    }
    out += fmt::format("{}{}", used == 0 ? "" : " ", word);
    used += columns + (used == 0 ? 0 : 1);
  }
  return out + "\n";
}

std::string invariances(const SystemRow& row) {
  std::string out;
  const auto add = [&](bool is, std::string_view name) {
    if (is) out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
  };
  add(row.invariant.transposition, "transposition");
  add(row.invariant.octave, "octave");
  add(row.invariant.tempo, "tempo");
  return out.empty() ? "nothing" : out;
}

std::string needs(const SystemRow& row) {
  return fmt::format("at least {} note{}{}{}", row.shortest, row.shortest == 1 ? "" : "s",
                     row.polyphonic ? "; compares whole polyphonic pieces" : "",
                     row.zero_is_none ? "; melodies with nothing in common are not found" : "");
}

std::string parts(const SystemRow& row) {
  return fmt::format("{}; choose others with --system {}:PART+PART, set a parameter of one with --set PART.NAME=VALUE",
                     row.standard_parts, row.name);
}

std::string system_section(const SystemRow& row) {
  std::string out = fmt::format("## {}\n\n{}\n\n", row.name, row.title);
  out += wrapped(row.explanation, kPageWidth) + "\n";
  out += wrapped(fmt::format("- Reference: {}", row.reference), kPageWidth, "  ");
  out += wrapped(fmt::format("- Evidence: {}.{}{}", to_string(row.evidence), row.evidence_note.empty() ? "" : " ",
                             row.evidence_note),
                 kPageWidth, "  ");
  if (row.published_adr) {
    out += fmt::format("- Published average dynamic recall on MIREX 2005: {:.3f}; the authors' run, not ours\n",
                       *row.published_adr);
  }
  out += fmt::format("- Invariant to: {}\n- Needs {}\n", invariances(row), needs(row));
  if (!row.standard_parts.empty()) out += wrapped(fmt::format("- Parts: `{}`", row.standard_parts), kPageWidth);
  if (row.parameters.empty()) return out + "\n";
  out += "\n| parameter | default | range | meaning |\n| --- | ---: | --- | --- |\n";
  for (const Parameter& p : row.parameters) {
    out += fmt::format("| `{}` | {} | {} to {} | {} |\n", p.name, p.standard, p.lowest, p.highest,
                       markdown_cell(p.explanation));
  }
  return out + "\n";
}

}  // namespace

nlohmann::ordered_json system_json(const SystemRow& row) {
  nlohmann::ordered_json out = {{"name", row.name},
                                {"title", row.title},
                                {"explanation", row.explanation},
                                {"reference", row.reference},
                                {"evidence", to_string(row.evidence)}};
  if (!row.evidence_note.empty()) out["evidence_note"] = row.evidence_note;
  if (row.published_adr) out["published_adr"] = *row.published_adr;
  out["shortest"] = row.shortest;
  out["polyphonic"] = row.polyphonic;
  out["zero_is_none"] = row.zero_is_none;
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
  out["requirements"] = requirements_json(recorded_figures(row.name));
  return out;
}

std::string system_text(const SystemRow& row, std::size_t width) {
  std::string out = fmt::format("{}: {}\n\n", row.name, row.title);
  out += wrapped(row.explanation, width);
  out += "\nReference:\n" + wrapped(row.reference, width);
  out += fmt::format("\nEvidence: {}\n", to_string(row.evidence));
  if (!row.evidence_note.empty()) out += wrapped(row.evidence_note, width);
  if (row.published_adr) {
    out += "\n" + wrapped(fmt::format("Published average dynamic recall on MIREX 2005: {:.3f} (the authors' run, not "
                                      "ours)",
                                      *row.published_adr),
                          width);
  }
  out += fmt::format("\nInvariant to: {}\n", invariances(row));
  out += wrapped(fmt::format("Needs {}", needs(row)), width);
  if (!row.standard_parts.empty()) out += wrapped(fmt::format("Parts: {}", parts(row)), width);
  if (!row.parameters.empty()) {
    out += "\nParameters (--set NAME=VALUE):\n";
    Table table({{"name"}, {"default", Table::Align::right}, {"range"}, {"meaning", Table::Align::left, true}});
    for (const Parameter& p : row.parameters) {
      table.row({std::string(p.name), fmt::format("{}", p.standard), fmt::format("{} to {}", p.lowest, p.highest),
                 std::string(p.explanation)});
    }
    out += table.render(terminal_width(stdout));
  }
  const std::vector<RequirementFigures> figures = recorded_figures(row.name);
  if (!figures.empty()) out += "\n" + requirements_of_one(figures);
  return out;
}

std::string systems_page() {
  std::string out =
      "# The retrieval systems\n\n"
      "Written by `rondo systems --format markdown` from the table of systems; `rondo systems NAME` shows one.\n\n"
      "Evidence says how sure the definition is: *exact* is confirmed by the authors' program or paper, *partial* "
      "lacks\n"
      "some constants, *ours* is a reconstruction. How each copes with altered melodies is in\n"
      "[requirements.md](requirements.md).\n\n"
      "| system | evidence | what it compares |\n| --- | --- | --- |\n";
  for (const SystemRow* row : systems()) {
    out += fmt::format("| [{}](#{}) | {} | {} |\n", row->name, anchor(row->name), to_string(row->evidence),
                       markdown_cell(row->title));
  }
  out += "\n";
  for (const SystemRow* row : systems()) out += system_section(*row);
  out.pop_back();
  return out;
}

}  // namespace rondo::cli
