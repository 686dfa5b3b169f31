#include "requirements/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "requirements/recorded.h"
#include "requirements/requirement.h"

namespace rondo {
namespace {

constexpr std::string_view kHead = "system\trequirement\talteration\ttrials\tkept\tunaltered\taltered\tfirst\trank";

/// Takes what is before the separator off the text.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return part;
}

template <typename T>
bool number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

bool share(std::string_view text, double& out) { return number(text, out) && out >= 0 && out <= 1; }

bool read_line(std::string_view line, RequirementFigures& out) {
  out.system = take(line, '\t');
  out.requirement = take(line, '\t');
  out.alteration = take(line, '\t');
  return !out.system.empty() && !out.requirement.empty() && !out.alteration.empty() &&
         number(take(line, '\t'), out.trials) && number(take(line, '\t'), out.kept) && out.kept <= out.trials &&
         share(take(line, '\t'), out.unaltered) && share(take(line, '\t'), out.altered) &&
         share(take(line, '\t'), out.first) && number(take(line, '\t'), out.rank) && out.rank >= 1 &&
         out.rank <= kNotFound && line.empty();
}

double four_digits(double value) { return std::round(value * 1e4) / 1e4; }

}  // namespace

Verdict verdict(const RequirementFigures& figures) {
  const statistics::ShareInterval interval = figures.interval();
  if (interval.low >= kMeets) return Verdict::meets;
  return interval.high >= kMeets ? Verdict::open : Verdict::fails;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::meets: return "meets";
    case Verdict::open: return "open";
    case Verdict::fails: return "not";
  }
  return "not";
}

std::string write_figures(std::span<const RequirementFigures> all) {
  std::string out = fmt::format("{}\n", kHead);
  for (const RequirementFigures& one : all) {
    out += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\n", one.system, one.requirement,
                       one.alteration, one.trials, one.kept, four_digits(one.unaltered), four_digits(one.altered),
                       four_digits(one.first), four_digits(one.rank));
  }
  return out;
}

RequirementFigures rounded(RequirementFigures figures) {
  figures.unaltered = four_digits(figures.unaltered);
  figures.altered = four_digits(figures.altered);
  figures.first = four_digits(figures.first);
  figures.rank = four_digits(figures.rank);
  return figures;
}

Result<std::vector<RequirementFigures>> read_figures(std::string_view text) {
  std::vector<RequirementFigures> out;
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view one = take(text, '\n');
    RequirementFigures figures;
    const bool good = line == 1 ? one == kHead : read_line(one, figures);
    if (!good) {
      return fail("figures-malformed", "this is not a line of a table of requirements", Place{{}, {}, {}, line, 0},
                  fmt::format("its columns are: {}", kHead));
    }
    if (line > 1) out.push_back(std::move(figures));
  }
  return out;
}

std::span<const RequirementFigures> recorded_figures() {
  // A test reads the file, so a broken one never gets into a program.
  static const std::vector<RequirementFigures> all =
      read_figures(requirements_recorded()).value_or(std::vector<RequirementFigures>{});
  return all;
}

std::vector<RequirementFigures> recorded_figures(std::string_view system) {
  std::vector<RequirementFigures> out;
  for (const Requirement* requirement : requirements()) {
    for (const Alteration& alteration : requirement->alterations) {
      for (const RequirementFigures& one : recorded_figures()) {
        if (one.system == system && one.requirement == requirement->name && one.alteration == alteration.name) {
          out.push_back(one);
        }
      }
    }
  }
  return out;
}

}  // namespace rondo
