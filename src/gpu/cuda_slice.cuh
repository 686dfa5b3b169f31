#pragma once

#include <algorithm>

#include "gpu/cuda_gain_bound.cuh"
#include "gpu/cuda_pairs.cuh"
#include "gpu/total_table.h"

/// For nvcc alone: what lies in the memory of a card.
namespace rondo::gpu {

/// Pairs of a launch that stage 1 may leave. It leaves one in ten of usual melodies.
inline constexpr std::uint32_t kMostWaiting = 24'000'000;

class CudaSlice final : public Slice {
 public:
  explicit CudaSlice(int device) : device_(device) {}
  ~CudaSlice() override { (void)cudaSetDevice(device_); }
  [[nodiscard]] DeviceSlice view() const {
    return {melodies.data(), notes.data(),          pitches.data(), costs.data(), packed.data(),
            tiles.data(),    rhythm_numbers.data(), rhythms.data(), rhythm_count};
  }
  DeviceBuffer<Melody> melodies;
  DeviceBuffer<Note> notes;
  DeviceBuffer<std::uint32_t> pitches;
  DeviceBuffer<CostTables> costs;
  // For pairs.
  DeviceBuffer<GainPlanes> planes;
  DeviceBuffer<GainNeed> needs;
  // For totals.
  DeviceBuffer<PackedNote> packed;
  DeviceBuffer<std::uint32_t> tiles;
  DeviceBuffer<std::uint16_t> rhythm_numbers;
  DeviceBuffer<std::uint16_t> rhythms;
  std::uint32_t rhythm_count = 0;
  CostTables own_costs;  ///< in the memory of the CPU
  BoundCodes codes{};
  std::int32_t most_gap = 0;
  std::uint32_t most_notes = 0;
  std::uint32_t documents = 0;
  /// Documents up to here have at most 24, 32, 48 and 64 notes: those with fewer notes take less shared memory.
  static constexpr std::uint32_t kBounds[] = {24, 32, 48, kMostNotes};
  std::uint32_t up_to[std::size(kBounds)] = {};

 private:
  int device_;
};
[[nodiscard]] cudaError_t load_slice(const MelodySpan& melodies, const CostTables& costs, SliceUse use,
                                     CudaSlice& slice);

/// What one call needs besides the slice.
struct Workspace {
  Stream stream;
  DeviceBuffer<Query> queries;
  DeviceBuffer<TotalTable> tables;
  DeviceBuffer<PairPlan> plans;                ///< grows
  DeviceBuffer<PairHead> heads;                ///< grows
  DeviceBuffer<std::uint32_t> words;           ///< grows
  DeviceBuffer<std::uint16_t> transpositions;  ///< grows
  DeviceBuffer<BoundPair> bound_pairs;         ///< grows
  DeviceBuffer<std::uint32_t> bound_counts;
  DeviceBuffer<GainPlanes> query_planes;  ///< for pairs, as the next two
  DeviceBuffer<GainNeed> query_needs;
  DeviceBuffer<Waiting> waiting;
  DeviceBuffer<Item> items;
  DeviceBuffer<CandidatePair> found;
  DeviceBuffer<Counters> counters;
  DeviceBuffer<std::int32_t> totals;  ///< grows
  std::uint32_t most_items = 0;
  std::uint32_t most_waiting = 0;
  /// Of one launch for pairs, so that what it leaves fits into the buffers: as the launches before have shown.
  std::uint32_t documents_together = 0xFFFFFFFF;
  [[nodiscard]] cudaError_t make(std::uint32_t items_wanted) {
    most_items = items_wanted;
    cudaError_t status = stream.make();
    if (status == cudaSuccess) status = queries.allocate(kMostQueries);
    if (status == cudaSuccess) status = tables.allocate(kMostQueries);
    if (status == cudaSuccess) status = bound_counts.allocate(kMostQueries);
    if (status == cudaSuccess) status = items.allocate(most_items);
    if (status == cudaSuccess) status = found.allocate(kMostFound);
    if (status == cudaSuccess) status = counters.allocate(1);
    return status;
  }
  /// What pairs need besides; `available` is the memory that is left.
  [[nodiscard]] cudaError_t make_for_pairs(std::uint64_t available) {
    if (most_waiting != 0) return cudaSuccess;
    const std::uint64_t most =
        std::clamp<std::uint64_t>(available / 8 / sizeof(Waiting), kMostTiles * kMostQueries, kMostWaiting);
    cudaError_t status = waiting.allocate(most);
    if (status == cudaSuccess) status = query_planes.allocate(kMostQueries);
    if (status == cudaSuccess) status = query_needs.allocate(kMostQueries);
    if (status == cudaSuccess) most_waiting = static_cast<std::uint32_t>(most);
    return status;
  }
};

}  // namespace rondo::gpu
