#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluation/compare.h"
#include "evaluation/render.h"
#include "report/evaluation.h"
#include "rondo/evaluation/truth.h"

/// What the commands that measure runs do with the outcome.
namespace rondo::cli {

/// Runs measured on one truth.
struct Measured {
  evaluation::Truth truth;
  std::string truth_file;
  std::vector<report::SystemResult> systems;
  Diagnostics warnings;
  evaluation::CompareOptions compare;

  /// Judges and measures one more run; what is odd about it is printed.
  [[nodiscard]] Result<void> add(evaluation::Run run, std::span<const evaluation::MeasureSpec> measures);
  [[nodiscard]] std::vector<evaluation::Evaluation> evaluations() const;
};

/// As wide as the terminal; in a pipe nothing is broken into pieces.
[[nodiscard]] evaluation::TableOptions table_options();

/// `format` is table, json, csv or latex. All print to standard output and give the exit code.
int print_measures(const Measured& measured, const std::string& format, bool per_query);
int print_comparisons(const Measured& measured, const std::string& format);
/// `tests_as_csv`: as csv the tests, rather than the values.
int print_comparisons(const std::vector<evaluation::Comparison>& comparisons, const std::string& format,
                      bool tests_as_csv);

/// The points of one kind of curve for every run and query; the mean is that of query "all".
int print_curve(const Measured& measured, const std::string& curve, const std::string& format);

/// Whether write_report can write it; not after hours of evaluation. Nothing to write is fine.
[[nodiscard]] Result<void> check_report(const std::string& path);

/// The page for a browser; says on standard error where it is.
[[nodiscard]] Result<void> write_report(const std::string& path, const std::string& title, const Measured& measured);

}  // namespace rondo::cli
