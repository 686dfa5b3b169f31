#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/pair_score.h"

namespace rondo::gpu {

/// Melodies that lie on a card; freed with it.
class Slice {
 public:
  virtual ~Slice() = default;
  Slice() = default;
  Slice(const Slice&) = delete;
  Slice& operator=(const Slice&) = delete;
};

/// Melodies in the memory of the CPU, to be loaded.
struct MelodySpan {
  std::span<const Melody> melodies{};
  std::span<const Note> notes{};  ///< Melody::first_note is a number in it
};

/// A query and a document by its number that may hold; see pair_score.h.
struct CandidatePair {
  std::uint32_t query = 0;  ///< number in the span of queries
  std::uint32_t document = 0;
  friend bool operator==(const CandidatePair& a, const CandidatePair& b) {
    return a.query == b.query && a.document == b.document;
  }
  friend bool operator<(const CandidatePair& a, const CandidatePair& b) {
    return a.query != b.query ? a.query < b.query : a.document < b.document;
  }
};

/// What was left after each stage.
struct StageCounts {
  std::uint64_t shared = 0;   ///< pairs
  std::uint64_t ordered = 0;  ///< pairs in a transposition
};

struct PairTask {
  const Slice* slice = nullptr;
  std::uint32_t number = 0;  ///< of the slice's first melody
  std::uint32_t begin = 0;   ///< documents of the slice
  std::uint32_t end = 0;
  std::span<const Query> queries{};
  Rule rule{};
};

/// Exact totals of one query with every document of a slice.
struct TotalsTask {
  const Slice* slice = nullptr;
  std::span<const Query> queries{};
};
/// The best documents of a query.
struct BestTask {
  const Slice* slice = nullptr;
  const Query* query = nullptr;
  std::int32_t perfect = 1;  ///< no total is greater
  std::uint32_t k = 1;
  std::span<const std::uint64_t> allowed{};  ///< a bit for each document; empty: all
};
struct ScoredDocument {
  std::uint32_t document = 0;
  std::int32_t total = 0;
};

/// Totals are sorted into so many classes, the greatest first.
inline constexpr std::uint32_t kClasses = 4096;
/// From `perfect` down to minus half of it; what is less is in the last class.
RONDO_CARD std::uint32_t class_of(std::int32_t total, std::int32_t perfect) {
  const std::int32_t step = (perfect + perfect / 2) / static_cast<std::int32_t>(kClasses - 1) + 1;
  const std::int32_t number = (perfect - total) / step;
  if (total < -perfect) return kClasses - 1;
  return number < 0                                      ? 0
         : number >= static_cast<std::int32_t>(kClasses) ? kClasses - 1
                                                         : static_cast<std::uint32_t>(number);
}

/// A graphics card. Threads may call it at once. After an error nothing that the call returned may be used; errors are
/// `device-memory` (the card has too little memory left) and `device-failed` (it does not answer any more).
class Card {
 public:
  virtual ~Card() = default;
  Card() = default;
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Bytes that can be allocated now.
  [[nodiscard]] virtual std::uint64_t free_memory() const = 0;
  /// Costs are the same for all later calls with this slice.
  [[nodiscard]] virtual Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs) = 0;
  /// Appends every pair of a query and a document of the slice that may hold, in any order.
  [[nodiscard]] virtual Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                                StageCounts& counts) = 0;
  /// [query][document of the slice]; kNoTotal for a document that has no notes here.
  [[nodiscard]] virtual Result<void> totals(const TotalsTask& task, std::vector<std::int32_t>& out) = 0;
  /// Appends at least the k allowed documents with the greatest totals and all that are equal to the last of them,
  /// with their exact totals, in any order; all documents where there are no more than k.
  [[nodiscard]] virtual Result<void> best(const BestTask& task, std::vector<ScoredDocument>& out) = 0;
};

/// What a query is made for.
struct QueryWindow {
  std::uint32_t documents_range = kMostPitch;  ///< the highest pitch of any document
  std::uint32_t least_common = 0;              ///< the fewest notes of equal pitch with which a pair may hold
  bool own_score_decides = false;              ///< no pair holds in which this query does not reach its least total
};
/// A melody as a query; `costs` are those of queries with rhythm.
[[nodiscard]] Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number,
                               const QueryWindow& window, const QueryCosts& costs);

}  // namespace rondo::gpu
