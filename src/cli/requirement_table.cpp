#include "cli/requirement_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "rondo/requirements/requirement.h"

namespace rondo::cli {
namespace {

char sign(Verdict verdict) { return verdict == Verdict::meets ? '+' : verdict == Verdict::partly ? '~' : '-'; }

/// Rounded down, so that 95 never stands beside a verdict that says less.
int percent(double share) { return static_cast<int>(share * 100 + 1e-9); }

std::vector<std::string> names(std::span<const RequirementFigures> all) {
  std::vector<std::string> out;
  for (const RequirementFigures& one : all) {
    if (std::find(out.begin(), out.end(), one.system) == out.end()) out.push_back(one.system);
  }
  return out;
}

const RequirementFigures* find(std::span<const RequirementFigures> all, std::string_view system,
                               std::string_view requirement) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const RequirementFigures& one) {
    return one.system == system && one.requirement == requirement;
  });
  return at == all.end() ? nullptr : &*at;
}

constexpr std::string_view kIntroduction = R"(# What the systems put up with

Ten things one may ask of a system that looks for melodies, after J. Urbano, J. Lloréns, J. Morato and
S. Sánchez-Cuadrado: Using the shape of music to compute the similarity between symbolic musical pieces (2010),
section 2. Each says that a melody altered in some way is to be found still.

24 melodies of data/demo are altered as listed below. Each is looked for with the melody as it was, in a collection
that has the altered one instead, all other melodies of data/demo but those of its family, and 200 generated ones. The
figure is the mean reciprocal rank of the altered melodies over that of the unaltered ones, in percent: what is left of
it. From {} on a system meets a requirement (+), from {} on partly (~), else not (-). In parentheses is the mean rank of
the altered melodies; one that is not among the first {} counts as if it came next.

How well a system finds melodies as they are is in the second column. To meet many requirements is not yet to be good:
rhythm alone hears nothing of what happens to pitches. How well systems find what people hold to be the same tune is in
[quality.md](quality.md).

    rondo systems --requirements --measure data/demo --format tsv > requirements.tsv   # measures, minutes
    mv requirements.tsv data/ && ./dev build                                           # now the program knows
    rondo systems --requirements --format markdown > docs/requirements.md              # this page

Any collection may be measured so.

## Table

)";

std::string page_table(std::span<const RequirementFigures> all) {
  std::string out = "| system | unaltered |";
  std::string rule = "\n| --- | ---: |";
  for (const Requirement* requirement : requirements()) {
    out += fmt::format(" [{}](#{}) |", requirement->heading, requirement->name);
    rule += " ---: |";
  }
  out += rule + "\n";
  for (const std::string& system : names(all)) {
    std::string line;
    for (const Requirement* requirement : requirements()) {
      const RequirementFigures* one = find(all, system, requirement->name);
      if (line.empty()) line = fmt::format("| {} | {} |", system, one == nullptr ? 0 : percent(one->unaltered));
      line += one == nullptr ? "  |"
                             : fmt::format(" {} {} ({:.1f}) |", percent(one->kept()), sign(verdict(*one)), one->rank);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string anchor(std::string_view heading) {
  std::string out(heading);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string requirements_table(std::span<const RequirementFigures> all) {
  std::string out = fmt::format("{:<15} {:>3}", "system", "as");
  for (const Requirement* requirement : requirements()) out += fmt::format(" {:>5}", requirement->heading);
  out += "\n";
  for (const std::string& system : names(all)) {
    std::string line;
    for (const Requirement* requirement : requirements()) {
      const RequirementFigures* one = find(all, system, requirement->name);
      if (line.empty()) line = fmt::format("{:<15} {:>3}", system, one == nullptr ? 0 : percent(one->unaltered));
      line += one == nullptr ? "      " : fmt::format(" {:>4}{}", percent(one->kept()), sign(verdict(*one)));
    }
    out += line + "\n";
  }
  return out;
}

std::string requirements_legend() {
  std::string out = fmt::format(
      "as: mean reciprocal rank of melodies as they are, in percent; then how much of\n"
      "it is left once they are altered: + meets (from {}), ~ partly (from {}), - not\n",
      percent(kMeets), percent(kPartly));
  for (const Requirement* requirement : requirements()) {
    out += fmt::format("{:>5}: {}\n", requirement->heading, requirement->name);
  }
  return out;
}

std::string requirements_of_one(std::span<const RequirementFigures> figures) {
  Table table({{"requirement"},
               {"keeps", Table::Align::right},
               {"first", Table::Align::right},
               {"mean rank", Table::Align::right},
               {""}});
  for (const RequirementFigures& one : figures) {
    table.row({one.requirement, fmt::format("{}%", percent(one.kept())), fmt::format("{}%", percent(one.first)),
               fmt::format("{:.1f}", one.rank), std::string(to_string(verdict(one)))});
  }
  return fmt::format("Requirements: of its mean reciprocal rank ({:.3f}) an altered melody\n{}",
                     figures.front().unaltered, table.render(terminal_width(stdout)));
}

nlohmann::ordered_json requirements_json(std::span<const RequirementFigures> all) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const RequirementFigures& one : all) {
    out.push_back({{"system", one.system},
                   {"requirement", one.requirement},
                   {"verdict", to_string(verdict(one))},
                   {"kept", one.kept()},
                   {"trials", one.trials},
                   {"unaltered", one.unaltered},
                   {"altered", one.altered},
                   {"first", one.first},
                   {"mean_rank", one.rank}});
  }
  return out;
}

std::string requirements_page(std::span<const RequirementFigures> all) {
  std::string out = fmt::format(kIntroduction, percent(kMeets), percent(kPartly), kRanksLookedAt);
  out += page_table(all) + "\n## Requirements\n";
  for (const Requirement* requirement : requirements()) {
    out += fmt::format("\n### {}\n\n{}\n\n", requirement->name, requirement->explanation);
    for (const Alteration& alteration : requirement->alterations) {
      out += fmt::format("- {}: {}\n", alteration.name, alteration.what);
    }
  }
  return out;
}

}  // namespace rondo::cli
