#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/evaluation/judged.h"

namespace rondo::evaluation {

/// One row of the registry: everything that is to be known of a measure. Help, documentation and code share it.
struct Measure {
  std::string_view name;
  /// Other names people use, parted by blanks.
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
  /// The value for one answer. A query the run does not answer gets the worst there is: 0, or the upper end of the
  /// range where lower is better (of FP and FN, which have none, what an empty answer gives).
  [[nodiscard]] std::optional<double> value(const JudgedList& list) const;
};

/// Names and aliases are found in any case. Errors: measure-unknown (with suggestions), measure-parameter.
[[nodiscard]] Result<MeasureSpec> parse_measure(std::string_view text);
/// A list parted by commas; "all" stands for every measure.
[[nodiscard]] Result<std::vector<MeasureSpec>> parse_measures(std::string_view list);
/// What is shown when nothing is asked for.
[[nodiscard]] std::vector<MeasureSpec> default_measures();

}  // namespace rondo::evaluation
