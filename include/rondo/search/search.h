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
  /// Melodies that are the same, or the same transposed, count as one hit, the best of them (not by the search of a
  /// corpus).
  bool fold_duplicates = false;
  /// Systems that compare with every document compare only with the most promising ones: sooner, and the list may miss
  /// some.
  bool quick = false;
  std::size_t quick_from = 50'000;  ///< documents; of fewer all are compared
  std::optional<std::chrono::milliseconds> time_limit{};
  std::stop_token stop{};
};

struct Found {
  PieceKey piece{};
  std::uint32_t voice = 0;  ///< the voice that scored best, from 0
  Score score;
  std::vector<PieceKey> same{};  ///< folded into this one
  /// That it is the same tune; by the search of a collection, for systems that are calibrated (SystemRow).
  std::optional<double> probability{};
};

struct SearchResult {
  std::vector<Found> hits;  ///< best first, at most k
  // What became of the pieces; the one that was asked about is in no count.
  std::size_t compared = 0;      ///< compared, most of them by a bound that rules them out
  std::size_t too_short = 0;     ///< too few notes for the system
  std::size_t not_reached = 0;   ///< still to be compared when the search was stopped
  std::size_t filtered_out = 0;  ///< not among those that were selected
  std::size_t scored = 0;        ///< voices that had to be scored exactly; all others were ruled out
  std::size_t bounded = 0;       ///< voices that were aligned in rounded numbers first
  std::string_view method;       ///< how they were found
  bool exact = true;             ///< false: a quick search, which may have missed some
  bool complete = true;          ///< false: stopped by the time limit or on demand; what there is is in order
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
