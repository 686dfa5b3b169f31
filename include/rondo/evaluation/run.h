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

/// What a system answered to one query, best first.
struct RankedList {
  std::string query;
  std::vector<RankedDocument> documents;
  /// Where the query first occurs in the file; 0 when it comes from elsewhere.
  std::uint32_t line = 0;
};

/// The answers of one system to a set of queries.
struct Run {
  /// The system's own name, from the last column.
  std::string tag;
  std::string file;
  /// In the order in which the queries first occur. A query occurs once, a document once per query.
  std::vector<RankedList> lists;
};

/// How documents with equal scores are ordered. `kTrecEval`: by id, last in the alphabet (by bytes) first, whatever
/// the rank column says, so that results agree with that program's. `kAsWritten`: by the rank column.
enum class Ties : std::uint8_t { kTrecEval, kAsWritten };

struct RunOptions {
  std::string file;
  Ties ties = Ties::kTrecEval;
};

/// Reads six columns `query Q0 document rank score tag`, parted by blanks or tabs; empty lines are skipped. The second
/// column is not looked at. Queries may be mixed.
///
/// Scores decide the order and ranks must not contradict them: along the lines of one query ranks rise and scores do
/// not. Anything else is an error with its line, and so are a document that occurs twice for a query, a malformed line
/// and a file without any. Codes: run-columns, run-rank, run-score, run-rank-order, run-score-order, run-duplicate,
/// run-text, run-empty. Warnings: run-ties (the order written was changed), run-tags (more than one tag).
[[nodiscard]] Result<Run> read_run(ByteSource& source, const RunOptions& options, Diagnostics& warnings);

/// The same six columns, ranks from 1; scores are written so that they read back as they are.
[[nodiscard]] std::string write_run(const Run& run);

}  // namespace rondo::evaluation
