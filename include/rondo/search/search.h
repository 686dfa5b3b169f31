#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "rondo/search/index.h"
#include "rondo/similarity/system.h"

namespace rondo {

struct SearchOptions {
  std::size_t k = 10;
  unsigned threads = 1;
  /// Only these pieces, ascending; nothing: all.
  std::optional<std::vector<PieceKey>> among{};
  /// Never this one: the piece that was asked about.
  std::optional<PieceKey> except{};
  /// Melodies that are the same, or the same transposed, count as one hit, the best of them (Engine::search only).
  bool fold_duplicates = false;
  std::optional<std::chrono::milliseconds> time_limit{};
  std::stop_token stop{};
};

struct Found {
  PieceKey piece{};
  std::uint32_t voice = 0;  ///< the voice that scored best, from 0
  Score score;
  std::vector<PieceKey> same{};  ///< folded into this one
};

struct SearchResult {
  std::vector<Found> hits;       ///< best first, at most k
  std::size_t compared = 0;      ///< pieces that could be compared
  std::size_t not_compared = 0;  ///< too short for the system
  std::size_t scored = 0;        ///< voices that had to be scored exactly; all others were ruled out
  std::size_t bounded = 0;       ///< voices that were aligned in rounded numbers first
  std::string_view method;       ///< how they were found
  bool complete = true;          ///< false: stopped by the time limit or on demand; what there is is in order
};

/// Whether an index can be searched with it: with every system that compares pieces one by one, and of the mixtures
/// with Orio.
[[nodiscard]] bool searches_index(const System& system);

/// The k best pieces of the index: exactly the list that rank_all gives, to the last bit, whatever the number of
/// threads and the instructions of the processor. `system` must have learnt the index (see `teach`) and search
/// indexes (see `searches_index`). If it compares whole pieces (its row is `polyphonic`), those that the index does not
/// have whole (Index::partial) take no part. Ids decide between pieces that are equal in all
/// else; where those come from more than one segment, `id_of` is asked.
[[nodiscard]] SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of = {});

/// For systems that compare whole pieces, the same with those the index does not have whole: `rest` has exactly them,
/// in the order of their keys.
[[nodiscard]] SearchResult search(const Index& index, const Corpus& rest, const SystemRow& row, const System& system,
                                  const Line& query, const SearchOptions& options,
                                  const std::function<std::string(PieceKey)>& id_of);

/// The same by scoring every piece, for any system: also those that compare whole pieces, and mixtures.
[[nodiscard]] SearchResult search(const Corpus& corpus, const SystemRow& row, const System& system, const Line& query,
                                  const SearchOptions& options);

/// Shows a system the collection: at once where counts suffice, else document by document.
void teach(const Index& index, System& system);

}  // namespace rondo
