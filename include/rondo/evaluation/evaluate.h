#pragma once

#include <span>
#include <string>
#include <vector>

#include "rondo/evaluation/judged.h"
#include "rondo/evaluation/measure.h"

namespace rondo::evaluation {

/// The values of one run. A value that is not defined is NaN.
struct Evaluation {
  std::string run;
  std::vector<MeasureSpec> measures;
  std::vector<std::string> queries;
  /// values[measure][query]
  std::vector<std::vector<double>> values;
  /// Arithmetic mean over all queries of the truth, one per measure.
  std::vector<double> means;
  std::vector<std::string> missing;
  std::vector<std::string> unknown;
};

[[nodiscard]] Evaluation evaluate(const JudgedRun& run, std::span<const MeasureSpec> measures);

}  // namespace rondo::evaluation
