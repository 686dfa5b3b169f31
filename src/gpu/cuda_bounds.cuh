#pragma once

#include "gpu/card.h"
#include "gpu/cuda_memory.cuh"

/// For nvcc alone: bounds on a card, what cuda_card.cu needs of cuda_bounds.cu.
namespace rondo::gpu {

/// What a row of the table of bounds needs besides its query.
struct BoundRow {
  const std::uint64_t* allowed;  ///< null: all
  std::int32_t least;            ///< of those that are given
};

/// What one call needs besides the lines.
struct BoundWorkspace {
  DeviceBuffer<std::byte> queries;
  DeviceBuffer<std::uint64_t> allowed;
  DeviceBuffer<BoundRow> rows;
  DeviceBuffer<std::int32_t> bounds;      ///< [row][document]
  DeviceBuffer<std::uint32_t> counts;     ///< [row][step]
  DeviceBuffer<std::uint32_t> given;      ///< by row, how many
  DeviceBuffer<BoundedDocument> answers;  ///< [row][kMostBounded]
};

/// Lets the kernels have as much shared memory as they may ever ask for.
[[nodiscard]] cudaError_t allow_bound_memory();
[[nodiscard]] Result<std::unique_ptr<Slice>> load_lines_onto(int device, const LineSpan& lines);
[[nodiscard]] cudaError_t find_bounded(BoundWorkspace& workspace, const Stream& stream, const Slice& lines,
                                       std::span<const BoundRequest> requests, std::vector<BoundAnswer>& out);

}  // namespace rondo::gpu
