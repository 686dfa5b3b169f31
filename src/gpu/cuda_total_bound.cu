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

// More blocks at once would leave too few registers for the rows.
template <int kRows>
__global__ __launch_bounds__(kThreads, kRows <= 12 ? 4 : 3) void bound_pairs(FilterTask task, const TotalTable* tables,
                                                                             const std::uint16_t* transpositions) {
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
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t q = first; q < end; ++q) {
    __syncthreads();
    const auto* const from = reinterpret_cast<const uint4*>(tables + q);
    auto* const to = reinterpret_cast<uint4*>(&memory.table);
    for (std::uint32_t i = threadIdx.x; i < sizeof(TotalTable) / sizeof(uint4); i += kThreads) to[i] = from[i];
    __syncthreads();
    const TotalTable& table = memory.table;
    bool kept = false;
    TwoTranspositions in{};
    if (melody.notes != 0) {
      in = unpacked(transpositions[std::size_t{q} * (task.end - task.begin) + document - task.begin]);
      kept = bound_reaches<kRows>(table, SharedNotes{notes}, melody.notes, in);
    }
    const std::uint32_t votes = __ballot_sync(kWholeWarp, kept);
    if (votes == 0) continue;
    const std::uint32_t twice = __ballot_sync(kWholeWarp, kept && in.first != in.second);
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(&task.counters->items, ones_in(votes) + ones_in(twice));
    at = __shfl_sync(kWholeWarp, at, 0);
    if (!kept) continue;
    const std::uint32_t before = (1U << lane) - 1;
    at += ones_in(votes & before) + ones_in(twice & before);
    Item item{q, document, in.first, {}};
    if (at < task.most_items) task.items[at] = item;
    if (in.first == in.second) continue;
    item.transposition = in.second;
    if (at + 1 < task.most_items) task.items[at + 1] = item;
  }
}

/// Calls `with` the kernel for so many rows.
template <class With>
cudaError_t with_kernel(std::uint32_t half, const With& with) {
  switch (half) {
    case 2: return with(bound_pairs<2>);
    case 4: return with(bound_pairs<4>);
    case 6: return with(bound_pairs<6>);
    case 8: return with(bound_pairs<8>);
    case 10: return with(bound_pairs<10>);
    case 12: return with(bound_pairs<12>);
    case 14: return with(bound_pairs<14>);
    default: return with(bound_pairs<16>);
  }
}

}  // namespace

cudaError_t allow_total_bound_memory() {
  cudaError_t status = cudaSuccess;
  for (std::uint32_t half = 2; half <= kTableRows / 2 && status == cudaSuccess; half += 2) {
    status = with_kernel(half, [](auto kernel) {
      return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bound_memory(kMostNotes)));
    });
  }
  return status;
}

cudaError_t fill_words_on_card(TotalTable* tables, std::uint32_t count, cudaStream_t stream) {
  fill_table_words<<<count, kWordThreads, 0, stream>>>(tables);
  return cudaGetLastError();
}

cudaError_t bound_pairs_on_card(const FilterTask& task, const TotalTable* tables, std::uint32_t half,
                                std::uint32_t columns, std::uint16_t* transpositions, cudaStream_t stream) {
  const dim3 grid((task.end - task.begin + kThreads - 1) / kThreads,
                  (task.end_query - task.first_query + kTile - 1) / kTile);
  choose_transpositions<<<grid, kThreads, choice_memory(columns), stream>>>(task, tables, transpositions);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  return with_kernel(half, [&](auto kernel) {
    kernel<<<grid, kThreads, bound_memory(columns), stream>>>(task, tables, transpositions);
    return cudaGetLastError();
  });
}

}  // namespace rondo::gpu
