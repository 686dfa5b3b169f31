#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "statistics/p_value.h"

namespace rondo::study {

/// When does a candidate begin a new group? When its ranks differ significantly from those of ...
enum class Rule : std::uint8_t {
  paper,     ///< every candidate above it (Typke and others 2005)
  all,       ///< every member of the group so far (this and the next two: Urbano and others 2010)
  any,       ///< at least one member of the group so far
  previous,  ///< the candidate right above it
};
inline constexpr std::array kRules = {Rule::paper, Rule::all, Rule::any, Rule::previous};

[[nodiscard]] std::string_view to_string(Rule rule);
[[nodiscard]] std::optional<Rule> rule_of(std::string_view word);

struct GroupingOptions {
  Rule rule = Rule::paper;
  /// Two candidates differ when the p of their test is below this, compared exactly: 1/4 is not below 0.25. The paper
  /// used 0.25, two-sided.
  double threshold = 0.25;
};

/// Row i: the p of the test of candidate i against candidates 0 to i - 1, in the order of the list.
using PValues = std::vector<std::vector<statistics::PValue>>;

/// The group of each candidate, from 0.
[[nodiscard]] std::vector<std::size_t> group(const PValues& p, const GroupingOptions& options);

/// How often the groups contradict the test of two candidates (same group: no difference; different groups: a
/// difference).
struct Consistency {
  std::size_t contradicting = 0;
  std::size_t pairs = 0;
  [[nodiscard]] double share() const;
};
[[nodiscard]] Consistency consistency(const PValues& p, const std::vector<std::size_t>& groups, double threshold);

}  // namespace rondo::study
