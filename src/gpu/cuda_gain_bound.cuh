#pragma once

#include "gpu/cuda_pairs.cuh"
#include "gpu/gain_bound.h"

/// For nvcc alone: stages 1 and 2 of pair_score.h.
namespace rondo::gpu {

/// Queries that a block compares together: a tile.
inline constexpr std::uint32_t kGainQueries = 32;
[[nodiscard]] inline std::uint32_t gain_tiles(std::uint32_t queries) {
  return (queries + kGainQueries - 1) / kGainQueries;
}

/// A pair that stage 1 left: the document's place among those of the task, and from kWaitingQueryBit on the query's in
/// its tile; the rows of the ring that are left (gain_bound.h).
struct Waiting {
  std::uint32_t place;
  std::uint32_t rows;
};
inline constexpr std::uint32_t kWaitingQueryBit = 27;
static_assert(kGainQueries <= 1U << (32 - kWaitingQueryBit));

/// What these stages need besides the task. `lists` has room for `capacity` pairs of each tile, of which
/// Counters::waiting says how many there are; if there are more, all must be done again with fewer documents.
struct GainRoom {
  const GainPlanes* planes;  ///< of the slice's documents
  const GainNeed* needs;
  const GainPlanes* query_planes;
  const GainNeed* query_needs;
  Waiting* lists;
  std::uint32_t capacity;
  std::uint32_t first_tile;
};

/// Lets the kernels have as much shared memory as they may ever ask for.
[[nodiscard]] cudaError_t allow_gain_bound_memory();
/// Of a slice whose melodies, notes and costs are there already.
[[nodiscard]] cudaError_t fill_gains_on_card(const DeviceSlice& slice, std::uint32_t documents, GainPlanes* planes,
                                             GainNeed* needs);
[[nodiscard]] cudaError_t fill_query_gains_on_card(const DeviceSlice& slice, const Query* queries, std::uint32_t count,
                                                   GainPlanes* planes, GainNeed* needs, cudaStream_t stream);
/// Items of all pairs of the task that may hold. At most 2^kWaitingQueryBit documents.
[[nodiscard]] cudaError_t bound_gains_on_card(const FilterTask& task, const GainRoom& room,
                                              std::uint32_t multiprocessors, cudaStream_t stream);

}  // namespace rondo::gpu
