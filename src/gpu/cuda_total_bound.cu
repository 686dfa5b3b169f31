// The bound of total_bound.h for all pairs of some queries and the documents of a slice; compiled only with RONDO_CUDA.
#include <cuda_runtime.h>

#include "gpu/best_transpositions.h"
#include "gpu/cuda_pairs.cuh"

namespace rondo::gpu {
namespace {

constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

// Words of the tables.

constexpr std::uint32_t kWordThreads = 256;
constexpr std::uint32_t kWordBlocks = 8;  ///< of each pair

__global__ void fill_pairs(DeviceSlice slice, const TotalTable* tables, const PairPlan* plans, PairHead* heads,
                           std::uint32_t* words) {
  const PairPlan plan = plans[blockIdx.x];
  const TotalTable& first = tables[plan.first];
  const TotalTable& second = tables[plan.second];
  const PairLayout layout{first.words, slice.rhythm_count};
  if (blockIdx.y == 0) {
    PairHead& head = heads[blockIdx.x];
    if (threadIdx.x == 0) set_head(head, first, second);
    if (threadIdx.x < kTableRows) head.row[threadIdx.x] = row_pair(first.row[threadIdx.x], second.row[threadIdx.x]);
  }
  for (std::uint32_t i = blockIdx.y * kWordThreads + threadIdx.x; i < layout.size(); i += kWordBlocks * kWordThreads) {
    words[plan.begin + i] = pair_word(first, second, layout, slice.rhythms, i);
  }
}

// Transpositions: a kernel of its own, as it needs few registers.

constexpr std::uint32_t kChoiceThreads = 128;  ///< one document each
/// Queries that a block compares with its documents, one after the other.
constexpr std::uint32_t kChoiceTile = 16;

__device__ std::uint16_t packed(const TwoTranspositions& in) {
  return static_cast<std::uint16_t>((in.first + kMostPitch) | ((in.second + kMostPitch) << 8));
}
__device__ TwoTranspositions unpacked(std::uint16_t both) {
  return {(both & 255) - kMostPitch, (both >> 8) - kMostPitch};
}

/// Pitches of one document: bits in shared memory, [note][thread].
struct ChoicePitches {
  const std::uint32_t* bits;
  const std::uint32_t* words;  ///< four pitches each
  __device__ std::uint32_t bit(std::uint32_t j) const { return bits[j * kChoiceThreads]; }
  __device__ std::uint32_t pitch(std::uint32_t j) const { return (words[j / 4] >> (8 * (j % 4))) & 255U; }
};
constexpr std::size_t choice_memory(std::uint32_t columns) {
  return (columns + 3) / 4 * 4 * kChoiceThreads * sizeof(std::uint32_t);
}

template <int kRows>
__global__ __launch_bounds__(kChoiceThreads) void choose_transpositions(FilterTask task, const TotalTable* tables,
                                                                        std::uint16_t* out) {
  extern __shared__ uint4 raw[];
  __shared__ alignas(16) std::uint32_t row_bits[kChoiceTile][kRows];
  auto* const note_bits = reinterpret_cast<std::uint32_t*>(raw) + threadIdx.x;
  const std::uint32_t first = task.first_query + blockIdx.y * kChoiceTile;
  const std::uint32_t queries = min(kChoiceTile, task.end_query - first);
  for (std::uint32_t i = threadIdx.x; i < queries * kRows; i += kChoiceThreads) {
    row_bits[i / kRows][i % kRows] = bit_of(tables[first + i / kRows], i % kRows);
  }
  const std::uint32_t document = task.begin + blockIdx.x * kChoiceThreads + threadIdx.x;
  const Melody melody = document < task.end ? task.slice.melodies[document] : Melody{};
  const ChoicePitches pitches{note_bits, task.slice.pitches + melody.first_note / 4};
  for (std::uint32_t word = 0; word * 4 < melody.notes; ++word) {
    const std::uint32_t four = pitches.words[word];
    for (std::uint32_t k = 0; k < 4; ++k) {
      note_bits[(word * 4 + k) * kChoiceThreads] = bit_of_pitch((four >> (8 * k)) & 255U);
    }
  }
  __syncthreads();
  if (melody.notes == 0) return;
  for (std::uint32_t q = 0; q < queries; ++q) {
    std::uint32_t bits[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) bits[r] = row_bits[q][r];
    const TwoTranspositions in = two_best<kRows>(bits, tables[first + q], melody.range, pitches, melody.notes);
    out[std::size_t{first + q} * (task.end - task.begin) + document - task.begin] = packed(in);
  }
}

// The bound itself.

constexpr std::uint32_t kBoundThreads = 256;
/// Documents that a thread compares with two queries, one after the other, so that their words are loaded less often.
constexpr std::uint32_t kBoundDocuments = 4;

struct BoundMemory {
  PairHead head;
  // Behind it: the words.
};
constexpr std::size_t bound_memory(const PairLayout& layout) {
  return sizeof(BoundMemory) + layout.size() * sizeof(std::uint32_t);
}

/// A table into shared memory. All threads of the block must come here together.
__device__ void take_pair(BoundMemory& memory, std::uint32_t* to_words, const PairHead& head,
                          const std::uint32_t* words, std::uint32_t size) {
  const auto copy = [](void* to, const void* from, std::size_t bytes) {
    const auto* const source = static_cast<const uint4*>(from);
    auto* const target = static_cast<uint4*>(to);
    for (std::uint32_t i = threadIdx.x; i < bytes / sizeof(uint4); i += kBoundThreads) target[i] = source[i];
  };
  static_assert(sizeof(PairHead) % sizeof(uint4) == 0);
  __syncthreads();
  copy(&memory.head, &head, sizeof head);
  copy(to_words, words, size * sizeof(std::uint32_t));
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

/// Notes of a document among those of its tile.
struct TileNotes {
  const PackedNote* own;
  __device__ PackedNote operator[](std::uint32_t j) const { return own[j * kTileDocuments]; }
};

/// Notes of a document by itself.
struct LineNotes {
  const Note* own;
  std::uint32_t last;
  const std::uint16_t* rhythm_numbers;
  __device__ PackedNote operator[](std::uint32_t j) const {
    const Note note = own[j];
    return packed_note(note, rhythm_numbers[rhythm_of(note)], j == last);
  }
};

/// More blocks at once would leave too few registers for the rows.
constexpr int blocks_at_once(int rows) { return rows <= 24 ? 2 : 1; }

/// Two queries in both of their transpositions.
template <int kRows>
__global__ __launch_bounds__(kBoundThreads, blocks_at_once(kRows)) void bound_pairs(FilterTask task, PairTables pairs,
                                                                                    const std::uint16_t* transpositions,
                                                                                    BoundRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<BoundMemory*>(raw);
  auto* const words = reinterpret_cast<std::uint32_t*>(&memory + 1);
  const PairPlan plan = pairs.plans[blockIdx.x];
  take_pair(memory, words, pairs.heads[blockIdx.x], pairs.words + plan.begin,
            PairLayout{kRows / 4, task.slice.rhythm_count}.size());
  const std::uint32_t begin = task.begin + blockIdx.y * (kBoundThreads * kBoundDocuments);
  const std::size_t documents = task.end - task.begin;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kBoundDocuments; ++i) {
    if (begin + i * kBoundThreads >= task.end) break;
    const std::uint32_t document = begin + i * kBoundThreads + threadIdx.x;
    const Melody melody = document < task.end ? task.slice.melodies[document] : Melody{};
    std::uint32_t kept = 0;
    TwoTranspositions in[2] = {};
    if (melody.notes != 0) {
      const std::size_t at = document - task.begin;
      in[0] = unpacked(transpositions[plan.first * documents + at]);
      in[1] = unpacked(transpositions[plan.second * documents + at]);
      const TileNotes notes{task.slice.packed + task.slice.tiles[document / kTileDocuments] +
                            document % kTileDocuments};
      kept = bound_reaches<kRows, true>(memory.head, words, notes, melody.notes, in);
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t q = k == 0 ? plan.first : plan.second;
      if (k == 1 && q == plan.first) continue;
      const bool own = (kept & (1U << k)) != 0;
      const std::uint32_t at = place_in_list(&room.counts[q], own ? 1 : 0);
      if (own && at < kMostBoundPairs) {
        room.pairs[std::size_t{q} * kMostBoundPairs + at] = {document, static_cast<std::int16_t>(in[k].first),
                                                             static_cast<std::int16_t>(in[k].second)};
      }
    }
  }
}

/// What is left of each query, in one transposition and in the other. Plans are those of the same query twice.
template <int kRows>
__global__ __launch_bounds__(kBoundThreads, blocks_at_once(kRows)) void bound_each(FilterTask task, PairTables pairs,
                                                                                   BoundRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<BoundMemory*>(raw);
  auto* const words = reinterpret_cast<std::uint32_t*>(&memory + 1);
  const PairPlan plan = pairs.plans[blockIdx.y];
  const std::uint32_t q = plan.first;
  const std::uint32_t count = room.counts[q];
  if (count > kMostBoundPairs) {
    if (threadIdx.x == 0) atomicOr(&task.counters->items, kTooManyPairs);
    return;
  }
  if (blockIdx.x * kBoundThreads >= count) return;
  take_pair(memory, words, pairs.heads[blockIdx.y], pairs.words + plan.begin,
            PairLayout{kRows / 4, task.slice.rhythm_count}.size());
#pragma unroll 1
  for (std::uint32_t of_block = blockIdx.x * kBoundThreads; of_block < count; of_block += gridDim.x * kBoundThreads) {
    const std::uint32_t i = of_block + threadIdx.x;
    BoundPair pair{};
    std::uint32_t kept = 0;
    if (i < count) {
      pair = room.pairs[std::size_t{q} * kMostBoundPairs + i];
      const Melody melody = task.slice.melodies[pair.document];
      const LineNotes notes{task.slice.notes + melody.first_note, melody.notes - 1U, task.slice.rhythm_numbers};
      const TwoTranspositions in{pair.first, pair.second};
      kept = bound_reaches<kRows, false>(memory.head, words, notes, melody.notes, &in);
      if (pair.first == pair.second) kept &= 1U;
    }
    std::uint32_t at = place_in_list(&task.counters->items, ones_in(kept));
    if ((kept & 1U) != 0 && at < task.most_items) task.items[at] = {q, pair.document, pair.first};
    at += kept & 1U;
    if ((kept & 2U) != 0 && at < task.most_items) task.items[at] = {q, pair.document, pair.second};
  }
}

}  // namespace

cudaError_t allow_total_bound_memory() {
  cudaError_t status = cudaSuccess;
  for (std::uint32_t words = 1; words <= kTableRows / 4 && status == cudaSuccess; ++words) {
    with_rows(words, [&]<int kRows>() {
      const auto bytes = static_cast<int>(bound_memory({kRows / 4, kMostRhythms}));
      status = cudaFuncSetAttribute(bound_pairs<kRows>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      if (status != cudaSuccess) return;
      status = cudaFuncSetAttribute(bound_each<kRows>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    });
  }
  return status;
}

cudaError_t fill_pairs_on_card(const DeviceSlice& slice, const TotalTable* tables, const PairTables& pairs,
                               std::uint32_t count, cudaStream_t stream) {
  fill_pairs<<<dim3(count, kWordBlocks), kWordThreads, 0, stream>>>(slice, tables, pairs.plans, pairs.heads,
                                                                    pairs.words);
  return cudaGetLastError();
}

cudaError_t bound_pairs_on_card(const FilterTask& task, const TotalTable* tables, std::uint32_t words,
                                const PairTables& together, const PairTables& alone, std::uint32_t columns,
                                std::uint16_t* transpositions, const BoundRoom& room, cudaStream_t stream) {
  const std::uint32_t queries = task.end_query - task.first_query;
  const std::uint32_t documents = task.end - task.begin;
  cudaError_t status = cudaMemsetAsync(room.counts + task.first_query, 0, queries * sizeof(std::uint32_t), stream);
  if (status != cudaSuccess) return status;
  const auto blocks = [](std::uint32_t things, std::uint32_t of_block) { return (things + of_block - 1) / of_block; };
  with_rows(words, [&]<int kRows>() {
    const dim3 choice(blocks(documents, kChoiceThreads), blocks(queries, kChoiceTile));
    choose_transpositions<kRows>
        <<<choice, kChoiceThreads, choice_memory(columns), stream>>>(task, tables, transpositions);
    status = cudaGetLastError();
    if (status != cudaSuccess) return;
    const std::size_t memory = bound_memory({kRows / 4, task.slice.rhythm_count});
    // Pairs first, so that documents are read once from the card's memory and then from its cache.
    const dim3 pairs(blocks(queries, 2), blocks(documents, kBoundThreads * kBoundDocuments));
    bound_pairs<kRows><<<pairs, kBoundThreads, memory, stream>>>(task, together, transpositions, room);
    status = cudaGetLastError();
    if (status != cudaSuccess) return;
    // More blocks than most need, so that neither a single query nor one that leaves more than others waits for few.
    const dim3 each(max(32U, 512 / queries), queries);
    bound_each<kRows><<<each, kBoundThreads, memory, stream>>>(task, alone, room);
    status = cudaGetLastError();
  });
  return status;
}

}  // namespace rondo::gpu
