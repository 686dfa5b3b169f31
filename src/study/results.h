#pragma once

#include <nlohmann/json.hpp>

#include "rondo/evaluation/truth.h"
#include "study/analysis.h"

namespace rondo::study {

/// The truth that a study gives by a rule. Documents that were folded into a candidate stand in its group; what
/// somebody was shown and nobody ranked is judged not relevant; a planted query is no document of its own truth, and
/// searches for it leave it out too. Queries that nobody answered are left out.
[[nodiscard]] evaluation::Truth truth_of(const Study& study, const Analysis& analysis, const GroupingOptions& options);

/// Everything that the tables show, notation included. Error `study-melody`.
[[nodiscard]] Result<nlohmann::ordered_json> results_json(const Study& study, const Analysis& analysis,
                                                          const GroupingOptions& options);

}  // namespace rondo::study
