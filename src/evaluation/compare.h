#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rondo/base/bytes.h"
#include "rondo/evaluation/evaluate.h"
#include "statistics/bootstrap.h"
#include "statistics/friedman.h"
#include "statistics/test_result.h"

namespace rondo::evaluation {

/// One measure, several systems, the same queries. Columns are systems, as in Urbano et al. 2010, Table 2.
struct ScoreTable {
  std::string measure;
  bool higher_is_better = true;
  std::vector<std::string> queries;
  std::vector<std::string> systems;
  /// values[system][query]
  std::vector<std::vector<double>> values;
};

/// The values of the measure with this index. Errors: compare-queries (the runs were not measured on one truth).
[[nodiscard]] Result<ScoreTable> score_table(std::span<const Evaluation> evaluations, std::size_t measure);

/// Reads an external table: a header `query,SYSTEM...`, a line per query; a line of means, called "all" or "Average",
/// is skipped. Reads the output of `render_csv` for a comparison. Errors with their line: table-columns, table-number,
/// table-duplicate, table-empty.
[[nodiscard]] Result<ScoreTable> read_score_table(ByteSource& source, const std::string& file, std::string measure);

/// The tests of the difference between two systems. The paired tests suit the data, because the queries are the same;
/// Urbano et al. 2010 used Mann-Whitney.
struct SystemTest {
  std::size_t better = 0;  ///< the baseline; with all_pairs, the one with the better mean
  std::size_t other = 0;
  double difference = 0;                 ///< mean of better minus mean of other
  statistics::TestResult signed_rank;    ///< two-sided, paired
  statistics::TestResult randomization;  ///< two-sided, paired
  statistics::TestResult mann_whitney;   ///< one-tailed: is `better` better?
  double signed_rank_holm = 1;           ///< corrected for all tests of the comparison
  double randomization_holm = 1;
  double nemenyi = 1;  ///< after Friedman's test, corrected for all pairs of systems
  /// "***", "**", "*" or "": the signed rank test's p with Holm's correction is below .01, .05, .10.
  std::string mark;
  /// The same for Mann-Whitney's p, as in the paper.
  std::string mann_whitney_mark;
};

struct CompareOptions {
  /// The system all others are tested against; the one with the best mean when not given.
  std::optional<std::size_t> baseline;
  /// Test every pair instead.
  bool all_pairs = false;
  statistics::BootstrapOptions bootstrap;
  /// For randomization tests that are too large to be exact.
  std::size_t samples = 100'000;
};

struct Comparison {
  ScoreTable scores;
  std::size_t baseline = 0;
  /// best_of_query[system][query]: no system is better on this query (bold in the paper's table; ties share it).
  std::vector<std::vector<bool>> best_of_query;
  /// best_of_system[system][query]: the system is not better on any other query (italics).
  std::vector<std::vector<bool>> best_of_system;
  /// Mean of each system with its confidence interval.
  std::vector<statistics::Interval> means;
  /// Mean over the queries of the best value of any system.
  double mean_of_best = 0;
  std::vector<SystemTest> tests;
  /// Do the systems differ at all? Without tests (one system), p is 1.
  statistics::FriedmanResult friedman;

  /// The test of a system against the baseline; null for the baseline itself or if all pairs were tested.
  [[nodiscard]] const SystemTest* test_of(std::size_t system) const;
};

/// Errors: compare-empty, compare-shape, compare-baseline, compare-undefined (a value is NaN).
[[nodiscard]] Result<Comparison> compare(ScoreTable scores, const CompareOptions& options = {});

}  // namespace rondo::evaluation
