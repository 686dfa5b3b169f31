#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "search/corpus.h"

namespace rondo {

struct ScoresOptions {
  unsigned threads = 1;
  std::stop_token stop{};
  /// Of a matrix: score each pair once, and take it for the other direction too. Only some systems are symmetric.
  bool mirrored = false;
};

/// How alike the query and each document are, in the order of the corpus: what rank_all sorts by. NaN where the two
/// cannot be compared, being too short, or where no part of a mixture found the document. `system` has learnt the
/// corpus. Stopped on demand, the rest is NaN.
[[nodiscard]] std::vector<double> score_documents(const SystemRow& row, const System& system, const Line& query,
                                                  const Corpus& corpus, const ScoresOptions& options = {});

/// Every document as a query (its first voice) against every document: `out[query * documents + document]`. Rows of a
/// mixture depend on all of their documents and are never mirrored. `out` must have room for the square of the number
/// of documents. The same on any number of threads. False: stopped on demand.
[[nodiscard]] bool score_matrix(const SystemRow& row, const System& system, const Corpus& corpus, std::span<double> out,
                                const ScoresOptions& options = {});

}  // namespace rondo
