#pragma once

#include <nlohmann/json_fwd.hpp>

#include "evaluation/curves.h"
#include "report/evaluation.h"

namespace rondo::report {

/// Removes the points that lie on a straight line between their neighbours.
[[nodiscard]] evaluation::Points without_straight_points(const evaluation::Points& points);

/// Every kind of curve: for each system the mean, and the curves of the first queries. A kind that is not defined on
/// this truth says why instead. `drawn` becomes the number of queries with curves.
[[nodiscard]] nlohmann::ordered_json curves_json(const EvaluationReport& report, std::size_t& drawn);

}  // namespace rondo::report
