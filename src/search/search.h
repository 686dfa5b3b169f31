#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "rondo/search/service.h"
#include "search/index.h"

namespace rondo {

struct CardUse;
struct SelectedDocuments;

struct SearchOptions {
  std::size_t k = 10;
  unsigned threads = 1;
  /// Only these pieces, ascending; nullopt: all.
  std::optional<std::vector<PieceKey>> among{};
  /// Their documents in the index that is searched, where somebody has found them before; null: the search finds them.
  std::shared_ptr<const SelectedDocuments> selected{};
  /// Excluded from the hits: the query's own piece.
  std::optional<PieceKey> except{};
  /// Melodies that are equal up to transposition count as one hit, the best of them (ignored by the search of a
  /// corpus).
  bool fold_duplicates = false;
  /// Only hits with at least this score; the higher it is, the faster the search.
  std::optional<double> least_score{};
  std::optional<std::chrono::nanoseconds> time_limit{};
  std::stop_token stop{};
  CardUse* card = nullptr;  ///< null: the CPU does everything
};

/// The k best pieces of the index: exactly the list of rank_all, to the last bit, for any number of threads and any
/// instruction set. Precondition: `system` has learnt the index (see `teach`). A system that compares whole pieces (its
/// row is `polyphonic`) ignores pieces that the index does not store completely (Index::partial). Ids decide between
/// pieces that are equal otherwise; if these come from more than one segment, `id_of` is called.
[[nodiscard]] SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of = {});

/// The same including the pieces that the index does not store completely: `rest` has exactly these, in the order of
/// their keys.
[[nodiscard]] SearchResult search(const Index& index, const Corpus& rest, const SystemRow& row, const System& system,
                                  const Line& query, const SearchOptions& options,
                                  const std::function<std::string(PieceKey)>& id_of);

/// The same by scoring every piece: the reference for the other two.
[[nodiscard]] SearchResult search(const Corpus& corpus, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options);

/// Trains a system on the collection: directly if counts suffice, else document by document. False: stopped on demand;
/// the system must then be discarded.
[[nodiscard]] bool teach(const Index& index, System& system, const std::stop_token& stop);
void teach(const Index& index, System& system);

}  // namespace rondo
