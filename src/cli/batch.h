#pragma once

#include <string>
#include <vector>

#include "rondo/evaluation/run.h"
#include "rondo/melody/piece.h"
#include "rondo/search/corpus.h"
#include "rondo/search/rank.h"

/// Many queries at once: what `run` and `evaluate mirex2005` share.
namespace rondo::cli {

/// Every melody of the files at a path, in any format. A file or record that cannot be read spoils the whole: a batch
/// that silently lacks some would be worth nothing. Errors: those of reading, query-empty.
[[nodiscard]] Result<std::vector<Piece>> read_pieces(const std::string& path);

struct AnswerOptions {
  std::size_t k = 1000;
  unsigned threads = 1;
  bool keep_self = false;  ///< a query that is in the collection may find itself
};

/// The best k of the collection for the first voice of a query. `system` has learnt the corpus.
[[nodiscard]] evaluation::RankedList answer(const SystemRow& row, const System& system, const Piece& query,
                                            const Corpus& corpus, const AnswerOptions& options);

}  // namespace rondo::cli
