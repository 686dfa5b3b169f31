#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "search/corpus.h"

namespace rondo {

struct Hit {
  std::size_t document = 0;  ///< index into the corpus
  std::uint32_t voice = 0;   ///< the voice that scored best; 0 for systems that compare whole pieces
  Score score;
};

struct Ranking {
  std::vector<Hit> hits;        ///< best first, at most k
  std::size_t compared = 0;     ///< documents that were compared
  std::size_t too_short = 0;    ///< documents with too few notes for the system
  std::size_t not_reached = 0;  ///< documents that were still to be compared when the search was stopped
  bool complete = true;         ///< false: stopped by the time limit or on demand; the hits so far are sorted
};

struct RankOptions {
  std::size_t k = 10;
  unsigned threads = 1;
  std::span<const char> chosen{};  ///< by document: those with 0 are excluded; empty: all are searched
  std::optional<std::chrono::nanoseconds> time_limit{};
  std::stop_token stop{};
};

/// Scores every document: the reference that every faster search must reproduce to the last bit.
///
/// Order (similarity.md, section 0): score; the system's own tie rule; difference of note counts to the query; id in
/// byte order. The order does not depend on the number of threads. Precondition: `system` has learnt the corpus.
///
/// Of a mixture the lists of all parts are made first (see similarity/mixture.h). Between its equal scores the
/// tie rule is that of the part the mixture names for the document (the first that found it, unless it says otherwise);
/// documents of an earlier part go before those of a later one.
[[nodiscard]] Ranking rank_all(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                               const RankOptions& options);

}  // namespace rondo
