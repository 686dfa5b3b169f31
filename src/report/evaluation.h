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

/// One run with its results.
struct SystemResult {
  evaluation::Run run;
  evaluation::JudgedRun judged;
  evaluation::Evaluation evaluation;
};

/// How the report was made, so that it can be reproduced.
struct Provenance {
  std::string command;  ///< quoted for a shell
  std::string version;  ///< of the program
  std::string created;  ///< ISO 8601
  std::string truth_file;
};

struct EvaluationReport {
  std::string title = "Evaluation report";
  Provenance provenance;
  const evaluation::Truth* truth = nullptr;
  std::span<const SystemResult> systems;
  /// Warnings from reading the files; those from judging the runs are added.
  Diagnostics warnings;
  evaluation::CompareOptions compare;
  /// Measures and tests always cover all data. The details of single queries are limited, so that a browser can open
  /// the page: this many documents per answer; and, from the first query on, answers and curves up to these total
  /// numbers of documents and points, but always those of the first query.
  std::size_t documents_per_answer = 100;
  std::size_t most_documents = 200'000;
  std::size_t most_points = 200'000;
};

/// The data of an evaluation's page; docs/evaluation.md describes it. Precondition: the systems were measured on this
/// truth with the same measures. Errors: those of `evaluation::compare`, except that a measure which is not defined on
/// this truth is left out of the comparisons.
[[nodiscard]] Result<nlohmann::ordered_json> evaluation_data(const EvaluationReport& report);

}  // namespace rondo::report
