#pragma once

#include <nlohmann/json.hpp>

#include "rondo/evaluation/truth.h"
#include "study/analysis.h"

namespace rondo::study {

/// The truth of a study under a grouping rule. Documents that were folded into a candidate belong to its group;
/// candidates that were shown and that nobody ranked are judged not relevant; a planted query is excluded from its own
/// truth, and from the answers of searches. Queries that nobody answered are left out.
[[nodiscard]] evaluation::Truth truth_of(const Study& study, const Analysis& analysis, const GroupingOptions& options);

/// The data of the tables, including notation. Error `study-melody`.
[[nodiscard]] Result<nlohmann::ordered_json> results_json(const Study& study, const Analysis& analysis,
                                                          const GroupingOptions& options);

}  // namespace rondo::study
