#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "store/user_sql.h"

namespace rondo {

struct FilterStep {
  std::string name;
  std::string expression;  ///< over the columns of the view `melodies`
  bool drop = false;       ///< true: excludes melodies that fulfil it; false: excludes all others
  std::uint32_t line = 0;  ///< in the file; 0: it came from no file
};

/// A list of named steps that successively narrow down a collection; docs/filter.md describes the syntax.
struct Filter {
  std::string like;   ///< id of the melody that query() and the distances refer to; may be empty
  std::string order;  ///< an expression; melodies with the lowest value come first; may be empty
  std::vector<FilterStep> steps;
};

/// Errors: `filter-line`, `filter-empty`, `sql-malformed`, with file and line.
[[nodiscard]] Result<Filter> parse_filter(std::string_view text, const std::string& file);

/// The effect of one step. Percentages refer to the melodies left before it.
struct FunnelStep {
  std::string name;
  std::uint64_t before = 0;
  std::uint64_t left = 0;
  [[nodiscard]] std::uint64_t excluded() const { return before - left; }
  [[nodiscard]] double percent() const {
    return before == 0 ? 0 : 100 * static_cast<double>(excluded()) / static_cast<double>(before);
  }
};

struct Funnel {
  std::uint64_t total = 0;
  std::vector<FunnelStep> steps;
  std::vector<SelectedMelody> survivors;
};

/// Runs the steps in order. An error names its step.
[[nodiscard]] Result<Funnel> run_filter(UserSql& sql, const Filter& filter);

}  // namespace rondo
