#pragma once

#include <string>

#include "rondo/base/result.h"
#include "study/analysis.h"

namespace rondo::report {

/// The tables of a study as one self-contained HTML file. `complete`: every candidate, not only those up to a little
/// after the last group. Errors: report-unavailable, those of study::results_json.
[[nodiscard]] Result<std::string> tables_page(const study::Study& study, const study::Analysis& analysis,
                                              const study::GroupingOptions& options, bool complete);

}  // namespace rondo::report
