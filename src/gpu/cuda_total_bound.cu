// The bound of total_bound.h for all pairs of some queries and the documents of a slice; compiled only with RONDO_CUDA.
#include <cuda_runtime.h>

#include "gpu/cuda_pairs.cuh"

namespace rondo::gpu {
namespace {

constexpr std::uint32_t kThreads = 128;  ///< one document each
constexpr unsigned kWholeWarp = 0xFFFFFFFFU;
/// Queries that a block compares with its documents, one after the other.
constexpr std::uint32_t kTile = 16;

// Words of the tables.

constexpr std::uint32_t kWordThreads = 256;

__global__ void fill_table_words(TotalTable* tables) {
  TotalTable& table = tables[blockIdx.x];
  constexpr std::uint32_t kWords = 2 * kHalfWords;
  for (std::uint32_t i = threadIdx.x; i < kPitchEntries * kWords; i += kWordThreads) {
    table.pitch[i / kWords][i % kWords] = pitch_word(table, i / kWords, i % kWords);
  }
  for (std::uint32_t i = threadIdx.x; i < kIntervalEntries * kWords; i += kWordThreads) {
    table.interval[i / kWords][i % kWords] = interval_word(table, i / kWords, i % kWords);
  }
}

// Transpositions: a kernel of its own, as it needs few registers.

/// What it needs of a table.
struct ChoiceTable {
  std::uint32_t where[kWhereEntries];
  std::uint32_t order[kTableRows / 4];
  std::uint8_t range, quads;
};

struct ChoiceMemory {
  std::uint64_t levels[kLevels][kThreads];
  ChoiceTable table;
  // Behind it: offsets of the documents' pitches, two in a word, [word][thread].
};
constexpr std::size_t choice_memory(std::uint32_t columns) {
  return sizeof(ChoiceMemory) + (columns + 1) / 2 * kThreads * sizeof(std::uint32_t);
}

struct SharedLevels {
  std::uint64_t* own;
  __device__ std::uint64_t& operator[](std::uint32_t k) const { return own[k * kThreads]; }
};

struct SharedOffsets {
  const std::uint32_t* own;
  __device__ std::uint32_t operator()(std::uint32_t word) const { return own[word * kThreads]; }
};

__device__ std::uint16_t packed(const TwoTranspositions& in) {
  return static_cast<std::uint16_t>((in.first + kMostPitch) | ((in.second + kMostPitch) << 8));
}
__device__ TwoTranspositions unpacked(std::uint16_t both) {
  return {(both & 255) - kMostPitch, (both >> 8) - kMostPitch};
}

__global__ __launch_bounds__(kThreads) void choose_transpositions(FilterTask task, const TotalTable* tables,
                                                                  std::uint16_t* out) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<ChoiceMemory*>(raw);
  std::uint32_t* const offsets = reinterpret_cast<std::uint32_t*>(&memory + 1) + threadIdx.x;
  const std::uint32_t document = task.begin + blockIdx.x * kThreads + threadIdx.x;
  const Melody melody = document < task.end ? task.slice.melodies[document] : Melody{};
  const SharedLevels levels{&memory.levels[0][threadIdx.x]};
  for (std::uint32_t k = 0; k < kLevels; ++k) levels[k] = 0;
  for (std::uint32_t j = 0; j < melody.notes; j += 2) {
    const auto pitch = [&](std::uint32_t at) -> std::uint32_t {
      if (at >= melody.notes) return kNoNote;
      const std::uint32_t own = task.slice.packed[melody.first_note + at].tune & 255U;
      add_pitch(levels, own);
      return own;
    };
    const std::uint32_t here = pitch(j);
    offsets[j / 2 * kThreads] = where_offsets(here, pitch(j + 1));
  }
  const std::uint32_t first = task.first_query + blockIdx.y * kTile;
  const std::uint32_t end = min(first + kTile, task.end_query);
  for (std::uint32_t q = first; q < end; ++q) {
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < kWhereEntries; i += kThreads) memory.table.where[i] = tables[q].where[i];
    if (threadIdx.x < kTableRows / 4) memory.table.order[threadIdx.x] = tables[q].order[threadIdx.x];
    if (threadIdx.x == kTableRows / 4) {
      memory.table.range = tables[q].range;
      memory.table.quads = tables[q].quads;
    }
    __syncthreads();
    if (melody.notes == 0) continue;
    const TwoTranspositions in = two_best(memory.table, levels, melody.range, SharedOffsets{offsets}, melody.notes);
    out[std::size_t{q} * (task.end - task.begin) + document - task.begin] = packed(in);
  }
}

// The bound itself.

struct BoundMemory {
  TotalTable table;
  // Behind it: the notes of the documents, [note][thread].
};
constexpr std::size_t bound_memory(std::uint32_t columns) {
  return sizeof(BoundMemory) + columns * kThreads * sizeof(PackedNote);
}

struct SharedNotes {
  const PackedNote* own;
  __device__ PackedNote operator[](std::uint32_t j) const { return own[j * kThreads]; }
};

/// The table of a query, into shared memory. All threads of the block must come here together.
__device__ void take_table(BoundMemory& memory, const TotalTable& table) {
  __syncthreads();
  const auto* const from = reinterpret_cast<const uint4*>(&table);
  auto* const to = reinterpret_cast<uint4*>(&memory.table);
  for (std::uint32_t i = threadIdx.x; i < sizeof(TotalTable) / sizeof(uint4); i += kThreads) to[i] = from[i];
  __syncthreads();
}

/// The place of what this lane appends to a list of a warp's lanes, `count` things each; `size` is the list's.
__device__ std::uint32_t place_in_list(std::uint32_t* size, std::uint32_t count) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t once = __ballot_sync(kWholeWarp, count != 0);
  const std::uint32_t twice = __ballot_sync(kWholeWarp, count > 1);
  if (once == 0) return 0;
  std::uint32_t at = 0;
  if (lane == 0) at = atomicAdd(size, ones_in(once) + ones_in(twice));
  const std::uint32_t before = (1U << lane) - 1;
  return __shfl_sync(kWholeWarp, at, 0) + ones_in(once & before) + ones_in(twice & before);
}

/// More blocks at once would leave too few registers for the rows.
constexpr int blocks_at_once(int rows) { return rows <= 12 ? 4 : 3; }

/// In both transpositions at once.
template <int kRows>
__global__ __launch_bounds__(kThreads, blocks_at_once(kRows)) void bound_pairs(FilterTask task,
                                                                               const TotalTable* tables,
                                                                               const std::uint16_t* transpositions,
                                                                               BoundRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<BoundMemory*>(raw);
  auto* const notes = reinterpret_cast<PackedNote*>(&memory + 1) + threadIdx.x;
  const std::uint32_t document = task.begin + blockIdx.x * kThreads + threadIdx.x;
  const Melody melody = document < task.end ? task.slice.melodies[document] : Melody{};
  for (std::uint32_t j = 0; j < melody.notes; ++j) {
    notes[j * kThreads] = task.slice.packed[melody.first_note + j];
  }
  const std::uint32_t first = task.first_query + blockIdx.y * kTile;
  const std::uint32_t end = min(first + kTile, task.end_query);
  for (std::uint32_t q = first; q < end; ++q) {
    take_table(memory, tables[q]);
    bool kept = false;
    TwoTranspositions in{};
    if (melody.notes != 0) {
      in = unpacked(transpositions[std::size_t{q} * (task.end - task.begin) + document - task.begin]);
      kept = bound_reaches<kRows>(memory.table, SharedNotes{notes}, melody.notes, in);
    }
    const std::uint32_t at = place_in_list(&room.counts[q], kept ? 1 : 0);
    if (kept && at < kMostBoundPairs) {
      room.pairs[std::size_t{q} * kMostBoundPairs + at] = {document, static_cast<std::int16_t>(in.first),
                                                           static_cast<std::int16_t>(in.second)};
    }
  }
}

/// What is left, in one transposition after the other.
template <int kRows>
__global__ __launch_bounds__(kThreads, blocks_at_once(kRows)) void bound_each(FilterTask task, const TotalTable* tables,
                                                                              BoundRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<BoundMemory*>(raw);
  auto* const notes = reinterpret_cast<PackedNote*>(&memory + 1) + threadIdx.x;
  const std::uint32_t q = task.first_query + blockIdx.y;
  const std::uint32_t count = room.counts[q];
  if (count > kMostBoundPairs) {
    if (threadIdx.x == 0) atomicOr(&task.counters->items, kTooManyPairs);
    return;
  }
  if (blockIdx.x * kThreads >= count) return;
  take_table(memory, tables[q]);
  for (std::uint32_t of_block = blockIdx.x * kThreads; of_block < count; of_block += gridDim.x * kThreads) {
    const std::uint32_t i = of_block + threadIdx.x;
    BoundPair pair{};
    bool kept[2] = {false, false};
    if (i < count) {
      pair = room.pairs[std::size_t{q} * kMostBoundPairs + i];
      const Melody melody = task.slice.melodies[pair.document];
      for (std::uint32_t j = 0; j < melody.notes; ++j) {
        notes[j * kThreads] = task.slice.packed[melody.first_note + j];
      }
      // Not unrolled: the code is long.
#pragma unroll 1
      for (int k = 0; k < (pair.first == pair.second ? 1 : 2); ++k) {
        const std::int32_t transposition = k == 0 ? pair.first : pair.second;
        const bool reaches =
            bound_reaches<kRows>(memory.table, SharedNotes{notes}, melody.notes, {transposition, transposition});
        kept[0] = k == 0 ? reaches : kept[0];
        kept[1] = k == 1 && reaches;
      }
    }
    std::uint32_t at = place_in_list(&task.counters->items, (kept[0] ? 1 : 0) + (kept[1] ? 1 : 0));
    if (kept[0] && at < task.most_items) task.items[at] = {q, pair.document, pair.first, {}};
    at += kept[0] ? 1 : 0;
    if (kept[1] && at < task.most_items) task.items[at] = {q, pair.document, pair.second, {}};
  }
}

/// Calls `with` a kernel for so many rows.
template <template <int> class Kernel, class With>
cudaError_t with_kernel(std::uint32_t half, const With& with) {
  switch (half) {
    case 2: return with(Kernel<2>::run);
    case 4: return with(Kernel<4>::run);
    case 6: return with(Kernel<6>::run);
    case 8: return with(Kernel<8>::run);
    case 10: return with(Kernel<10>::run);
    case 12: return with(Kernel<12>::run);
    case 14: return with(Kernel<14>::run);
    default: return with(Kernel<16>::run);
  }
}
template <int kRows>
struct OfPairs {
  static constexpr auto run = bound_pairs<kRows>;
};
template <int kRows>
struct OfEach {
  static constexpr auto run = bound_each<kRows>;
};

}  // namespace

cudaError_t allow_total_bound_memory() {
  cudaError_t status = cudaSuccess;
  const auto allow = [](auto kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bound_memory(kMostNotes)));
  };
  for (std::uint32_t half = 2; half <= kTableRows / 2 && status == cudaSuccess; half += 2) {
    status = with_kernel<OfPairs>(half, allow);
    if (status == cudaSuccess) status = with_kernel<OfEach>(half, allow);
  }
  return status;
}

cudaError_t fill_words_on_card(TotalTable* tables, std::uint32_t count, cudaStream_t stream) {
  fill_table_words<<<count, kWordThreads, 0, stream>>>(tables);
  return cudaGetLastError();
}

cudaError_t bound_pairs_on_card(const FilterTask& task, const TotalTable* tables, std::uint32_t half,
                                std::uint32_t columns, std::uint16_t* transpositions, const BoundRoom& room,
                                cudaStream_t stream) {
  const std::uint32_t queries = task.end_query - task.first_query;
  const cudaError_t cleared =
      cudaMemsetAsync(room.counts + task.first_query, 0, queries * sizeof(std::uint32_t), stream);
  if (cleared != cudaSuccess) return cleared;
  const dim3 grid((task.end - task.begin + kThreads - 1) / kThreads, (queries + kTile - 1) / kTile);
  choose_transpositions<<<grid, kThreads, choice_memory(columns), stream>>>(task, tables, transpositions);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  const cudaError_t bounded = with_kernel<OfPairs>(half, [&](auto kernel) {
    kernel<<<grid, kThreads, bound_memory(columns), stream>>>(task, tables, transpositions, room);
    return cudaGetLastError();
  });
  if (bounded != cudaSuccess) return bounded;
  return with_kernel<OfEach>(half, [&](auto kernel) {
    // As many blocks as the card has room for, so that a query alone need not wait for few of them.
    const dim3 grid(max(16U, 1024 / queries), queries);
    kernel<<<grid, kThreads, bound_memory(columns), stream>>>(task, tables, room);
    return cudaGetLastError();
  });
}

}  // namespace rondo::gpu
