#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/open_card.h"
#include "gpu/pair_score.h"

namespace rondo::gpu {

/// Melodies in the memory of a card; freed with it.
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
  std::int32_t total = kNoTotal;  ///< of the query, exactly, where totals are asked for
  friend bool operator==(const CandidatePair& a, const CandidatePair& b) {
    return a.query == b.query && a.document == b.document;
  }
  friend bool operator<(const CandidatePair& a, const CandidatePair& b) {
    return a.query != b.query ? a.query < b.query : a.document < b.document;
  }
};

/// What a slice of melodies is for.
enum class SliceUse : std::uint8_t {
  pairs,  ///< find_pairs
  totals  ///< totals, totals_above
};

/// What was left after each stage.
struct StageCounts {
  std::uint64_t shared = 0;   ///< pairs that can have enough in common
  std::uint64_t ordered = 0;  ///< pairs, in each transposition, that can have it in the same order
};

struct PairTask {
  const Slice* slice = nullptr;
  std::uint32_t begin = 0;  ///< documents of the slice
  std::uint32_t end = 0;
  std::span<const Query> queries{};
  Rule rule{};
};

/// Exact totals of queries with every document of a slice.
struct TotalsTask {
  const Slice* slice = nullptr;
  std::span<const Query> queries{};
};

/// Queries of one call.
inline constexpr std::uint32_t kMostQueries = 512;

/// A graphics card. Threads may call it at once. After an error nothing that the call returned may be used; errors are
/// `device-memory` (the card has too little memory left) and `device-failed` (it does not answer any more).
class Card {
 public:
  virtual ~Card() = default;
  Card() = default;
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Costs are the same for all later calls with this slice, and so is what it is for.
  [[nodiscard]] virtual Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs,
                                                            SliceUse use) = 0;
  /// Appends every pair of a query and a document of the slice that may hold, each once, in any order.
  [[nodiscard]] virtual Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                                StageCounts& counts) = 0;
  /// [query][document of the slice]; kNoTotal for a document that has no notes here.
  [[nodiscard]] virtual Result<void> totals(const TotalsTask& task, std::vector<std::int32_t>& out) = 0;
  /// Appends the pairs whose total is at least the query's least total, each once, in any order, with the bound of
  /// total_bound.h: where thresholds are low, bounds by common notes would leave most pairs.
  [[nodiscard]] virtual Result<void> totals_above(const TotalsTask& task, std::vector<CandidatePair>& out) = 0;
};

}  // namespace rondo::gpu
