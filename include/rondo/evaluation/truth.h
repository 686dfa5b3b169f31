#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"

namespace rondo::evaluation {

/// What should be found for one query: groups of documents, the most similar first. The order between groups is known,
/// the order inside a group is not. A binary truth has one group.
struct QueryTruth {
  std::string query;
  std::vector<std::vector<std::string>> groups;
  /// One gain per group where the truth came with relevance grades; empty otherwise, see `gain_of`.
  std::vector<double> gains;
  /// Documents that were judged not relevant.
  std::vector<std::string> not_relevant;

  [[nodiscard]] std::size_t relevant_count() const;
  /// Gain of a group (from 0) for DCG: its grade, else the number of groups from it to the last, so that the last
  /// group of g has gain 1 and the first g.
  [[nodiscard]] double gain_of(std::size_t group) const;
  friend bool operator==(const QueryTruth&, const QueryTruth&) = default;
};

struct Truth {
  std::vector<QueryTruth> queries;
  /// Every document not named is known not to be relevant, rather than unjudged.
  bool complete = false;
  /// The query is itself a document of the collection and is removed from every answer before measuring.
  bool query_excluded = false;
  /// Number of documents that can be retrieved; 0 when unknown. Accuracy and related measures need it.
  std::size_t collection_size = 0;

  friend bool operator==(const Truth&, const Truth&) = default;
};

/// The formats of a truth.
///  kGroups  lines `query 0 document group`: group 1 is the most similar, 0 judged not relevant
///  kQrels   the same four columns as TREC uses them: the higher the last, the more relevant; 0 not relevant,
///           negative: not judged. A binary file means the same in both forms.
///  kJson    `{"query": [["a", "b"], ["c"]], ...}`; instead of the groups there may be an object with "groups" and
///           optionally "gains" and "not_relevant". Properties of the whole truth go into an enclosing object:
///           `{"rondo-truth": 1, "complete": true, "query_excluded": true, "collection_size": 7, "queries": {...}}`.
/// The first two lose these properties; kGroups also loses gains.
enum class TruthForm : std::uint8_t { kGroups, kQrels, kJson };

struct TruthOptions {
  std::string file;
  /// The format of lines. JSON is recognised by its first character and need not be specified.
  TruthForm lines = TruthForm::kGroups;
};

/// Errors: truth-columns, truth-group, truth-duplicate, truth-text, truth-json, truth-empty; warnings: truth-gap (a
/// number between two groups is not used), truth-no-relevant (a query without any relevant document).
[[nodiscard]] Result<Truth> read_truth(ByteSource& source, const TruthOptions& options, Diagnostics& warnings);

/// Error truth-grade when a gain is not a whole number, which kQrels cannot express.
[[nodiscard]] Result<std::string> write_truth(const Truth& truth, TruthForm form);

}  // namespace rondo::evaluation
