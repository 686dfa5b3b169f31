#pragma once

#include <string>

#include "study/analysis.h"

namespace rondo::study {

/// The numbers of the tables without notation, one line for each judged candidate, in the order of the tables. `p` are
/// the p-values of the tests against every candidate above, from the top.
///
/// CSV: query, candidate, title, group, votes, median, mean, deviation, q1, q3, p10, p90, largest_p, p (blanks
/// between).
[[nodiscard]] std::string figures_csv(const Study& study, const Analysis& analysis, const GroupingOptions& options);
/// {"rule", "threshold", "votes", "queries": [{"query", "candidates": [{...}]}]}, as text.
[[nodiscard]] std::string figures_json(const Study& study, const Analysis& analysis, const GroupingOptions& options);
/// A LaTeX table (package booktabs) for each query, with a rule between groups.
[[nodiscard]] std::string figures_latex(const Study& study, const Analysis& analysis, const GroupingOptions& options);

}  // namespace rondo::study
