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

struct SearchOptions {
  std::size_t k = 10;
  unsigned threads = 1;
  /// Only these pieces, ascending; nothing: all.
  std::optional<std::vector<PieceKey>> among{};
  /// Never this one: the piece that was asked about.
  std::optional<PieceKey> except{};
  /// Melodies that are the same, or the same transposed, count as one hit, the best of them (not by the search of a
  /// corpus).
  bool fold_duplicates = false;
  /// Systems that compare with every document compare only with the most promising ones: sooner, and the list may miss
  /// some.
  bool quick = false;
  std::size_t quick_from = 50'000;  ///< documents; of fewer all are compared
  std::optional<std::chrono::milliseconds> time_limit{};
  std::stop_token stop{};
  CardUse* card = nullptr;  ///< null: the CPU does everything
};

/// The k best pieces of the index: exactly the list that rank_all gives, to the last bit, whatever the number of
/// threads and the instructions of the processor. `system` must have learnt the index (see `teach`). Under a system
/// that compares whole pieces (its row is `polyphonic`), those that the index does not have whole (Index::partial) take
/// no part. Ids decide between pieces that are equal in all else; where those come from more than one segment, `id_of`
/// is asked.
[[nodiscard]] SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of = {});

/// The same with the pieces that the index does not have whole: `rest` has exactly them, in the order of their keys.
[[nodiscard]] SearchResult search(const Index& index, const Corpus& rest, const SystemRow& row, const System& system,
                                  const Line& query, const SearchOptions& options,
                                  const std::function<std::string(PieceKey)>& id_of);

/// The same by scoring every piece: the reference of the other two.
[[nodiscard]] SearchResult search(const Corpus& corpus, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options);

/// Shows a system the collection: at once where counts suffice, else document by document. False: stopped on demand;
/// the system is then of no use.
[[nodiscard]] bool teach(const Index& index, System& system, const std::stop_token& stop);
void teach(const Index& index, System& system);

}  // namespace rondo
