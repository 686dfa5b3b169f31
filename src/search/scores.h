#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "search/corpus.h"

namespace rondo {

struct ScoresOptions {
  unsigned threads = 1;
  std::stop_token stop{};
  /// For a matrix: score each pair once and use it for both directions. Only some systems are symmetric.
  bool mirrored = false;
};

/// The score of each document, in the order of the corpus, as used by rank_all. NaN if the two cannot be compared
/// because one is too short, if no part of a mixture found the document, or after a stop on demand. Precondition:
/// `system` has learnt the corpus.
[[nodiscard]] std::vector<double> score_documents(const SystemRow& row, const System& system, const Line& query,
                                                  const Corpus& corpus, const ScoresOptions& options = {});

/// Every document as a query (its first voice) against every document: `out[query * documents + document]`. Rows of a
/// mixture depend on all of their documents and are never mirrored. The size of `out` is the square of the number of
/// documents. The result does not depend on the number of threads. False: stopped on demand.
[[nodiscard]] bool score_matrix(const SystemRow& row, const System& system, const Corpus& corpus, std::span<double> out,
                                const ScoresOptions& options = {});

}  // namespace rondo
