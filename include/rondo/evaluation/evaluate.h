#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"

namespace rondo::evaluation {

inline constexpr std::int32_t kNotRelevant = 0;
inline constexpr std::int32_t kUnjudged = -1;
/// "All others": the judged documents are complete and the size of the collection is unknown.
inline constexpr std::size_t kAllOthers = std::numeric_limits<std::size_t>::max();

/// A relevant document that was retrieved.
struct Hit {
  std::size_t rank = 0;                ///< from 1
  std::size_t group = 0;               ///< from 1
  std::size_t nonrelevant_before = 0;  ///< documents judged not relevant at better ranks
};

/// A ranked list annotated with the judgements of the truth: all that a measure or curve needs, without ids.
struct JudgedList {
  std::string query;
  /// For each rank the group (from 1), kNotRelevant or kUnjudged.
  std::vector<std::int32_t> groups;
  std::vector<Hit> hits;
  std::vector<std::size_t> group_sizes;
  std::vector<double> gains;
  /// Number of relevant documents, retrieved or not.
  std::size_t relevant = 0;
  /// Number of documents judged not relevant, retrieved or not; may be kAllOthers.
  std::size_t nonrelevant = 0;
  /// 0: unknown.
  std::size_t collection_size = 0;
  /// The run does not answer this query at all.
  bool missing = false;

  [[nodiscard]] std::size_t retrieved() const { return groups.size(); }
  /// Relevant documents among the first `depth`; 0 means all.
  [[nodiscard]] std::size_t hits_within(std::size_t depth) const;
};

/// One run against a truth.
struct JudgedRun {
  std::string name;
  /// One per query of the truth, in its order.
  std::vector<JudgedList> lists;
  /// Queries of the truth that the run does not answer, and queries of the run that are not in the truth.
  std::vector<std::string> missing;
  std::vector<std::string> unknown;
  /// The same as warnings with their places: evaluation-missing-query, evaluation-unknown-query.
  Diagnostics warnings;
};

/// The ids of an answer that are measured: without the query if the truth excludes it.
[[nodiscard]] std::vector<std::string_view> measured_documents(const Truth& truth, const RankedList& list);

/// Errors: evaluation-no-common-query, evaluation-collection-size (smaller than what was retrieved).
/// Linear in the sizes of run and truth.
[[nodiscard]] Result<JudgedRun> judge(const Truth& truth, const Run& run);

/// One row of the table of measures. Help, documentation and code use it.
struct Measure {
  std::string_view name;
  /// Other names people use, separated by blanks.
  std::string_view aliases;
  std::string_view definition;
  std::string_view reference;
  double low = 0;
  double high = 1;
  bool higher_is_better = true;
  /// May be written `name@k`. Without it the whole answer counts (for ADR: as far as the truth is long).
  bool takes_cutoff = false;
  /// A cut-off of 0 means none. Nothing when the measure is not defined, because the collection's size is unknown.
  std::optional<double> (*value)(const JudgedList& list, std::size_t cutoff) = nullptr;
};

/// All measures, in the order in which they are explained.
[[nodiscard]] std::span<const Measure* const> all_measures();

/// A measure with its parameter, as in "nDCG@10".
struct MeasureSpec {
  const Measure* measure = nullptr;
  std::size_t cutoff = 0;

  [[nodiscard]] std::string name() const;
  /// The value for one answer. A query that the run does not answer gets the worst value: 0, or the upper end of the
  /// range where lower is better (for FP and FN, which have none, the value of an empty answer).
  [[nodiscard]] std::optional<double> value(const JudgedList& list) const;
};

/// Names and aliases are case-insensitive. Errors: measure-unknown (with suggestions), measure-parameter.
[[nodiscard]] Result<MeasureSpec> parse_measure(std::string_view text);
/// A list separated by commas; "all" stands for every measure.
[[nodiscard]] Result<std::vector<MeasureSpec>> parse_measures(std::string_view list);
/// The measures shown when none are named.
[[nodiscard]] std::vector<MeasureSpec> default_measures();

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
