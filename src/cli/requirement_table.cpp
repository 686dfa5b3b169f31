#include "cli/requirement_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "requirements/requirement.h"

namespace rondo::cli {
namespace {

char sign(Verdict verdict) { return verdict == Verdict::meets ? '+' : verdict == Verdict::open ? '?' : '-'; }

/// Rounded down, so that 90 never stands beside a verdict that says less.
int percent(double share) { return static_cast<int>(share * 100 + 1e-9); }

std::vector<std::string> names(std::span<const RequirementFigures> all) {
  std::vector<std::string> out;
  for (const RequirementFigures& one : all) {
    if (std::find(out.begin(), out.end(), one.system) == out.end()) out.push_back(one.system);
  }
  return out;
}

/// A system in one alteration; nothing where it was not measured.
const RequirementFigures* find(std::span<const RequirementFigures> all, std::string_view system,
                               const Requirement& requirement, const Alteration& alteration) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const RequirementFigures& one) {
    return one.system == system && one.requirement == requirement.name && one.alteration == alteration.name;
  });
  return at == all.end() ? nullptr : &*at;
}

/// A sign for each alteration of a requirement; a blank where it was not measured.
std::string signs(std::span<const RequirementFigures> all, std::string_view system, const Requirement& requirement) {
  std::string out;
  for (const Alteration& alteration : requirement.alterations) {
    const RequirementFigures* one = find(all, system, requirement, alteration);
    out += one == nullptr ? ' ' : sign(verdict(*one));
  }
  return out;
}

int unaltered_percent(std::span<const RequirementFigures> all, std::string_view system) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const RequirementFigures& one) { return one.system == system; });
  return at == all.end() ? 0 : percent(at->unaltered);
}

/// "98 (96 to 99)": the share in percent, with its interval rounded outwards.
std::string share_and_interval(const RequirementFigures& one) {
  const statistics::ShareInterval interval = one.interval();
  return fmt::format("{} ({} to {})", percent(one.share()), percent(interval.low),
                     static_cast<int>(std::ceil(interval.high * 100 - 1e-9)));
}

constexpr std::string_view kIntroduction = R"(# Altered melodies: which systems still find them

Ten requirements of a system for melodic similarity, after J. Urbano, J. Lloréns, J. Morato and S. Sánchez-Cuadrado:
Using the shape of music to compute the similarity between symbolic musical pieces (2010), section 2. Each says that a
melody altered in a certain way must still be found. The paper illustrates each requirement by one figure; the
alterations below are our implementation, and each of them has its own verdict.

{} melodies are altered: one of each family of data/demo ({}) and {} generated ones (seed 1). Each original melody is
the query for a collection that contains its altered form instead of it, all melodies of data/demo except those of its
family, and 200 generated melodies. An altered melody *keeps its rank* if it is found no lower than the unaltered one; a
melody that is not among the first {} counts as not found. The tables show the share of melodies that keep their rank,
in percent, with Wilson's 95 % interval. The verdict is

- `+` met: the whole interval is {} % or higher,
- `-` not met: the whole interval is lower,
- `?` open: the interval contains {} %, so more melodies would be needed to decide.

The second column is the mean reciprocal rank of the unaltered melodies, in percent. A system that meets many
requirements is not necessarily good: a system that compares only rhythm tolerates every alteration of pitches. How well
the systems find what experts regard as the same tune is in [quality.md](quality.md).

    rondo systems --requirements --measure data/demo --melodies 240 --format tsv > requirements.tsv   # minutes
    mv requirements.tsv data/ && ./dev build                                # embeds the figures in the program
    rondo systems --requirements --format markdown > docs/requirements.md   # this page

Any collection can be measured in this way. `--format json` and `tsv` contain the counts and the mean ranks.

## All verdicts

One sign for each alteration, in the order in which they are listed below.

)";

std::string verdicts_table(std::span<const RequirementFigures> all) {
  std::string out = "| system | unaltered |";
  std::string rule = "\n| --- | ---: |";
  for (const Requirement* requirement : requirements()) {
    out += fmt::format(" [{}](#{}) |", requirement->heading, requirement->name);
    rule += " --- |";
  }
  out += rule + "\n";
  for (const std::string& system : names(all)) {
    out += fmt::format("| {} | {} |", system, unaltered_percent(all, system));
    for (const Requirement* requirement : requirements()) {
      out += fmt::format(" `{}` |", signs(all, system, *requirement));
    }
    out += "\n";
  }
  return out;
}

std::string shares_table(std::span<const RequirementFigures> all, const Requirement& requirement) {
  std::string out = "| system |";
  std::string rule = "\n| --- |";
  for (const Alteration& alteration : requirement.alterations) {
    out += fmt::format(" {} | |", alteration.name);
    rule += " ---: | --- |";
  }
  out += rule + "\n";
  for (const std::string& system : names(all)) {
    out += fmt::format("| {} |", system);
    for (const Alteration& alteration : requirement.alterations) {
      const RequirementFigures* one = find(all, system, requirement, alteration);
      out += one == nullptr ? "  | |" : fmt::format(" {} | {} |", share_and_interval(*one), sign(verdict(*one)));
    }
    out += "\n";
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
  const auto width = [](const Requirement& requirement) {
    return std::max(requirement.heading.size(), requirement.alterations.size());
  };
  std::string out = fmt::format("{:<15} {:>3}", "system", "MRR");
  for (const Requirement* requirement : requirements()) {
    out += fmt::format(" {:<{}}", requirement->heading, width(*requirement));
  }
  out += "\n";
  for (const std::string& system : names(all)) {
    out += fmt::format("{:<15} {:>3}", system, unaltered_percent(all, system));
    for (const Requirement* requirement : requirements()) {
      out += fmt::format(" {:<{}}", signs(all, system, *requirement), width(*requirement));
    }
    out += "\n";
  }
  return out;
}

std::string requirements_legend() {
  std::string out = fmt::format(
      "MRR: mean reciprocal rank of the unaltered melodies, in percent; then a sign for\n"
      "each alteration: + at least {} % of the altered melodies keep their rank (95 %\n"
      "interval), - fewer do, ? too few melodies to tell\n",
      percent(kMeets));
  for (const Requirement* requirement : requirements()) {
    out += fmt::format("{:>5}: {}:", requirement->heading, requirement->name);
    std::string_view separator = " ";
    for (const Alteration& alteration : requirement->alterations) {
      out += fmt::format("{}{}", separator, alteration.name);
      separator = ", ";
    }
    out += "\n";
  }
  return out;
}

std::string requirements_of_one(std::span<const RequirementFigures> figures) {
  Table table({{"requirement"},
               {"alteration"},
               {"keep", Table::Align::right},
               {"95 %", Table::Align::right},
               {"mean rank", Table::Align::right},
               {""}});
  for (const RequirementFigures& one : figures) {
    const statistics::ShareInterval interval = one.interval();
    table.row({one.requirement, one.alteration, fmt::format("{}%", percent(one.share())),
               fmt::format("{}-{}", percent(interval.low), static_cast<int>(std::ceil(interval.high * 100 - 1e-9))),
               fmt::format("{:.1f}", one.rank), std::string(to_string(verdict(one)))});
  }
  return fmt::format(
      "Requirements: share of {} altered melodies that keep their rank (mean\nreciprocal rank of the unaltered: "
      "{:.3f})\n{}",
      figures.front().trials, figures.front().unaltered, table.render(terminal_width(stdout)));
}

nlohmann::ordered_json requirements_json(std::span<const RequirementFigures> all) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const RequirementFigures& one : all) {
    out.push_back({{"system", one.system},
                   {"requirement", one.requirement},
                   {"alteration", one.alteration},
                   {"verdict", to_string(verdict(one))},
                   {"trials", one.trials},
                   {"kept", one.kept},
                   {"share", one.share()},
                   {"interval", {one.interval().low, one.interval().high}},
                   {"unaltered", one.unaltered},
                   {"altered", one.altered},
                   {"first", one.first},
                   {"mean_rank", one.rank}});
  }
  return out;
}

std::string requirements_page(std::span<const RequirementFigures> all) {
  const std::uint32_t melodies = all.empty() ? 0 : all.front().trials;
  std::string out = fmt::format(kIntroduction, melodies, kDemoMelodies, melodies - std::min(melodies, kDemoMelodies),
                                kRanksLookedAt, percent(kMeets), percent(kMeets));
  out += verdicts_table(all) + "\n## Requirements\n";
  for (const Requirement* requirement : requirements()) {
    out += fmt::format("\n### {}\n\n{}\n\n", requirement->name, requirement->explanation);
    for (const Alteration& alteration : requirement->alterations) {
      out += fmt::format("- {}: {}\n", alteration.name, alteration.what);
    }
    out += "\n" + shares_table(all, *requirement);
  }
  return out;
}

}  // namespace rondo::cli
