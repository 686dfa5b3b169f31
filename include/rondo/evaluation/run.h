#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"

namespace rondo::evaluation {

struct RankedDocument {
  std::string id;
  double score = 0;
  friend bool operator==(const RankedDocument&, const RankedDocument&) = default;
};

/// The ranked list of a system for one query, best first.
struct RankedList {
  std::string query;
  std::vector<RankedDocument> documents;
  /// Where the query first occurs in the file; 0 when it comes from elsewhere.
  std::uint32_t line = 0;
};

/// The ranked lists of one system for a set of queries.
struct Run {
  /// The system's own name, from the last column.
  std::string tag;
  std::string file;
  /// In the order in which the queries first occur. A query occurs once, a document once per query.
  std::vector<RankedList> lists;
};

/// How documents with equal scores are ordered.
///  kByRank by the rank column, in each query where it is usable: whole numbers that rise as the scores fall.
///              Elsewhere (constant ranks, ranks that contradict the scores) as kTrecEval.
///  kTrecEval   by id, last in the alphabet (by bytes) first, whatever the ranks say, and scores that
///              are equal in single precision are equal: as that program does
///  kAsWritten  in the order of the lines
enum class Ties : std::uint8_t { kByRank, kTrecEval, kAsWritten };

struct RunOptions {
  std::string file;
  Ties ties = Ties::kByRank;
};

/// Reads six columns `query Q0 document rank score tag`, separated by blanks or tabs; empty lines are skipped. The
/// second column is ignored. The lines of queries may be interleaved, and those of a query may be in any order.
///
/// Scores decide the order: this reads all files that trec_eval reads. A score beyond the range of a double is
/// infinite. Errors, with their line: run-columns, run-score (not a number), run-duplicate (a document twice for a
/// query), run-text, run-empty. Warnings, one of each at most, with the number of queries: run-ties (how equal scores
/// were ordered), run-rank-order (ranks contradict the scores), run-rank (ranks that are not whole numbers from 0 up),
/// run-tags (more than one tag).
[[nodiscard]] Result<Run> read_run(ByteSource& source, const RunOptions& options, Diagnostics& warnings);

/// The same six columns, ranks from 1, scores by `FallingScores`: any program that sorts by score sees this order.
[[nodiscard]] std::string write_run(const Run& run);

}  // namespace rondo::evaluation
