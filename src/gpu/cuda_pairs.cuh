#pragma once

#include "gpu/card.h"
#include "gpu/cuda_memory.cuh"
#include "gpu/total_bound.h"

/// For nvcc alone: pairs on their way through the stages of pair_score.h.
namespace rondo::gpu {

/// A pair that is left, in one transposition.
struct Item {
  std::uint32_t query;
  std::uint32_t document;
  std::int32_t transposition;
};

/// Tiles of queries (cuda_gain_bound.cuh), two kinds of which may be begun.
inline constexpr std::uint32_t kMostTiles = kMostQueries / 32 + 1;
/// Pairs that one launch may find.
inline constexpr std::uint32_t kMostFound = 1'000'000;

/// What the launches of one call count.
struct Counters {
  std::uint32_t items;
  std::uint32_t found;
  std::uint32_t waiting[kMostTiles];  ///< pairs left by stage 1
};

/// Four pitches that no query has, whatever the transposition.
inline constexpr std::uint32_t kNoPitches = ~0U;
static_assert(255 - kMostPitch > kMostPitch);

struct DeviceSlice {
  const Melody* melodies;
  const Note* notes;
  const std::uint32_t* pitches;  ///< of the notes, four in a word; behind a melody's last note those of kNoPitches
  const CostTables* costs;
  const PackedNote* packed;             ///< in tiles of kTileDocuments, [tile][note][document]
  const std::uint32_t* tiles;           ///< where each begins
  const std::uint16_t* rhythm_numbers;  ///< by rhythm_of
  const std::uint16_t* rhythms;         ///< by their numbers
  std::uint32_t rhythm_count;
};
inline constexpr std::uint32_t kTileDocuments = 32;

struct FilterTask {
  DeviceSlice slice;
  const Query* queries;
  std::uint32_t first_query, end_query;
  std::uint32_t begin, end;  ///< documents
  std::uint32_t most_items;
  Rule rule;
  bool totals;         ///< exact ones of the queries are asked for
  bool short_queries;  ///< of fewer than 32 notes
  Item* items;
  Counters* counters;
};

/// Exact totals of queries with some documents of a slice.
struct TotalsLaunch {
  DeviceSlice slice;
  const Query* queries;
  std::uint32_t first_query;
  std::uint32_t begin, end;  ///< documents
  std::uint32_t documents;   ///< of the slice
  std::int32_t* totals;      ///< [query][document]
};

/// Lets the kernels have as much shared memory as they may ever ask for. Once: it holds for all threads of the process.
[[nodiscard]] cudaError_t allow_align_memory();
/// Stage 3: those of task.items that hold. No melody that is aligned as a document has more than `columns` notes.
[[nodiscard]] cudaError_t align_on_card(const FilterTask& task, std::uint32_t columns, CandidatePair* found,
                                        std::uint32_t multiprocessors, cudaStream_t stream);
/// `queries` are those of the task, in the memory of the CPU. Documents have at most `columns` notes.
[[nodiscard]] cudaError_t totals_on_card(const TotalsLaunch& task, std::uint32_t columns,
                                         std::span<const Query> queries, cudaStream_t stream);

/// A pair whose total may reach the query's least total in one of its two transpositions.
struct BoundPair {
  std::uint32_t document;
  std::int16_t first, second;
};
/// Pairs of each query, [query][pair], and how many there are.
struct BoundRoom {
  BoundPair* pairs;
  std::uint32_t* counts;
};
inline constexpr std::uint32_t kMostBoundPairs = 131'072;
/// In Counters::items: a query had more pairs than that.
inline constexpr std::uint32_t kTooManyPairs = 0x80000000U;

/// Lets the kernels have as much shared memory as they may ever ask for.
[[nodiscard]] cudaError_t allow_total_bound_memory();
/// Two queries that are bounded together, or one twice.
struct PairPlan {
  std::uint32_t first, second;  ///< numbers of tables with equally many words
  std::uint64_t begin;          ///< of its words
};
/// On the card, by the number of the plan.
struct PairTables {
  const PairPlan* plans;
  PairHead* heads;
  std::uint32_t* words;
  [[nodiscard]] PairTables from(std::uint32_t number) const { return {plans + number, heads + number, words}; }
};
/// Fills heads and words of `count` pairs.
[[nodiscard]] cudaError_t fill_pairs_on_card(const DeviceSlice& slice, const TotalTable* tables,
                                             const PairTables& pairs, std::uint32_t count, cudaStream_t stream);
/// Items of all pairs whose total may reach the query's least total, in the one or two transpositions of the
/// definition. `tables` are those of task.queries; from first_query to end_query all have so many words. `together` are
/// those queries two by two, `alone` each twice. Documents have at most `columns` notes.
[[nodiscard]] cudaError_t bound_pairs_on_card(const FilterTask& task, const TotalTable* tables, std::uint32_t words,
                                              const PairTables& together, const PairTables& alone,
                                              std::uint32_t columns, std::uint16_t* transpositions,
                                              const BoundRoom& room, cudaStream_t stream);

}  // namespace rondo::gpu
