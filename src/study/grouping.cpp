#include "study/grouping.h"

#include <algorithm>

namespace rondo::study {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"paper", "all", "any", "previous"};

/// Whether the candidate whose tests these are begins a group; the group so far began at `first`.
bool begins(const std::vector<statistics::PValue>& p, std::size_t first, const GroupingOptions& options) {
  const auto differs = [&](const statistics::PValue& value) { return value.below(options.threshold); };
  const auto members = p.begin() + static_cast<std::ptrdiff_t>(first);
  switch (options.rule) {
    case Rule::paper: return std::all_of(p.begin(), p.end(), differs);
    case Rule::all: return std::all_of(members, p.end(), differs);
    case Rule::any: return std::any_of(members, p.end(), differs);
    case Rule::previous: return differs(p.back());
  }
  return false;
}

}  // namespace

std::string_view to_string(Rule rule) { return kWords[static_cast<std::size_t>(rule)]; }

std::optional<Rule> rule_of(std::string_view word) {
  for (const Rule rule : kRules) {
    if (to_string(rule) == word) return rule;
  }
  return std::nullopt;
}

std::vector<std::size_t> group(const PValues& p, const GroupingOptions& options) {
  std::vector<std::size_t> groups;
  groups.reserve(p.size());
  std::size_t first = 0;
  std::size_t current = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (i > 0 && begins(p[i], first, options)) {
      ++current;
      first = i;
    }
    groups.push_back(current);
  }
  return groups;
}

double Consistency::share() const {
  return pairs == 0 ? 0 : static_cast<double>(contradicting) / static_cast<double>(pairs);
}

Consistency consistency(const PValues& p, const std::vector<std::size_t>& groups, double threshold) {
  Consistency out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p[i].size(); ++j) {
      const bool apart = groups[i] != groups[j];
      const bool differ = p[i][j].below(threshold);
      ++out.pairs;
      if (apart != differ) ++out.contradicting;
    }
  }
  return out;
}

}  // namespace rondo::study
