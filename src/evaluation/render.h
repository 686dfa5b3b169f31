#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "evaluation/compare.h"
#include "evaluation/curves.h"
#include "rondo/evaluation/evaluate.h"

namespace rondo::evaluation {

/// How the best values of a comparison are shown: not at all, by a character after the number (which survives pipes),
/// or by terminal codes for bold and italics.
enum class Emphasis : std::uint8_t { kNone, kMarks, kAnsi };

struct TableOptions {
  /// Tables wider than this are broken into several, each with the first column.
  std::size_t width = 80;
  int digits = 4;
  bool per_query = false;
  Emphasis emphasis = Emphasis::kMarks;
};

/// Rows are measures, columns are runs; with per_query also a table per run whose rows are queries.
[[nodiscard]] std::string render_table(std::span<const Evaluation> runs, const TableOptions& options = {});
/// Header `run,query,MEASURE...`; the means are in the rows of query "all". Full precision; empty if undefined.
[[nodiscard]] std::string render_csv(std::span<const Evaluation> runs, bool per_query);
/// Incomplete where the caller is interrupted, because it is too large or takes too long (base/interrupt.h).
[[nodiscard]] nlohmann::json render_json(std::span<const Evaluation> runs, bool per_query);

/// Rows are queries, columns are systems; followed by the means with their marks, intervals, and the tests.
[[nodiscard]] std::string render_table(const Comparison& comparison, const TableOptions& options = {});
[[nodiscard]] std::string render_csv(const Comparison& comparison);
[[nodiscard]] nlohmann::json render_json(const Comparison& comparison);
/// The tests, a line each under `tests_csv_header`.
[[nodiscard]] std::string tests_csv_header();
[[nodiscard]] std::string render_tests_csv(const Comparison& comparison);

/// Tables for LaTeX with the package booktabs: for runs the measures; for a comparison the values, with the best of
/// each query in bold and of each system in italics, and the tests.
[[nodiscard]] std::string render_latex(std::span<const Evaluation> runs, const TableOptions& options = {});
[[nodiscard]] std::string render_latex(const Comparison& comparison, const TableOptions& options = {});
/// Escapes every character that is special in LaTeX.
[[nodiscard]] std::string latex_text(std::string_view text);

[[nodiscard]] nlohmann::json render_json(const CurveSet& curves);

/// The table of measures: for `--list`, for programs, and for docs/evaluation.md.
[[nodiscard]] std::string render_measures(const TableOptions& options = {});
[[nodiscard]] nlohmann::json measures_json();
[[nodiscard]] std::string measures_markdown();

/// A name that occurs again gets a number: "splines", "splines (2)".
[[nodiscard]] std::vector<std::string> distinct(std::vector<std::string> names);

/// JSON as text; bytes that are not UTF-8 become replacement characters rather than an error.
[[nodiscard]] std::string dump(const nlohmann::json& json);

}  // namespace rondo::evaluation
