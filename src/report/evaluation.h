#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "evaluation/compare.h"
#include "rondo/evaluation/evaluate.h"
#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"

namespace rondo::report {

/// One run with everything that was made of it.
struct SystemResult {
  evaluation::Run run;
  evaluation::JudgedRun judged;
  evaluation::Evaluation evaluation;
};

/// What made the report, for whoever wants to make it again.
struct Provenance {
  std::string command;  ///< as it can be given to a shell
  std::string version;  ///< of the program
  std::string created;  ///< ISO 8601
  std::string truth_file;
};

struct EvaluationReport {
  std::string title = "Evaluation report";
  Provenance provenance;
  const evaluation::Truth* truth = nullptr;
  std::span<const SystemResult> systems;
  /// What was remarked on while files were read; what the runs' judging remarked on is added.
  Diagnostics warnings;
  evaluation::CompareOptions compare;
  /// Measures and tests always cover everything. What is shown of single queries is limited, so that a page stays one
  /// that a browser can open: of an answer so many documents; and, from the first query on, as many answers and curves
  /// as these numbers of documents and points hold, but always those of the first query.
  std::size_t documents_per_answer = 100;
  std::size_t most_documents = 200'000;
  std::size_t most_points = 200'000;
};

/// Everything the page of an evaluation shows; docs/evaluation.md describes it. The systems were measured on this truth
/// by the same measures. Errors: those of `evaluation::compare`, except that a measure which is not defined on this
/// truth is left out of the comparisons.
[[nodiscard]] Result<nlohmann::ordered_json> evaluation_data(const EvaluationReport& report);

}  // namespace rondo::report
