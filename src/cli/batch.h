#pragma once

#include <string>
#include <vector>

#include "rondo/evaluation/run.h"
#include "rondo/melody/piece.h"
#include "rondo/similarity/system.h"
#include "search/corpus.h"
#include "search/rank.h"

/// Many queries at once: what `run` and `evaluate mirex2005` share.
namespace rondo::cli {

/// Every melody of the files at a path, in any format. A file or record that cannot be read spoils the whole: a batch
/// that silently lacks some would be worth nothing. Errors: those of reading, query-empty.
[[nodiscard]] Result<std::vector<Piece>> read_pieces(const std::string& path);

/// The systems of these names, or all where the one name is "all": every one, before any work is done with the first.
/// Errors: those of resolve_system, settings-ambiguous.
[[nodiscard]] Result<std::vector<ChosenSystem>> choose_systems(std::vector<std::string> names,
                                                               const std::vector<std::string>& settings = {});

struct AnswerOptions {
  std::size_t k = 1000;
  unsigned threads = 1;
  bool keep_self = false;  ///< a query that is in the collection may find itself; or it is not there
};

/// The best k of the collection for the first voice of a query. `system` has learnt the corpus.
[[nodiscard]] evaluation::RankedList answer(const ChosenSystem& system, const Piece& query, const Corpus& corpus,
                                            const AnswerOptions& options);

}  // namespace rondo::cli
