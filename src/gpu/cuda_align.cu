// Exact alignments on the card: stage 3 of pair_score.h, and all totals of a query; compiled only with RONDO_CUDA.
#include <algorithm>

#include "gpu/cuda_pairs.cuh"

namespace rondo::gpu {
namespace {

constexpr std::uint32_t kAlignThreads = 128;  ///< of the alignment, one pair each

struct SharedCells {
  std::int32_t* own;
  __device__ std::int32_t& operator[](std::int32_t j) const { return own[j * static_cast<int>(kAlignThreads)]; }
};

/// Notes of one document of a block, and their pitches.
struct SharedNotes {
  const Note* own;
  __device__ Note operator[](std::int32_t j) const { return own[j * static_cast<int>(kAlignThreads)]; }
  __device__ std::uint32_t operator()(std::uint32_t j) const { return own[j * kAlignThreads].pitch; }
};

/// Stage 3: a thread for each pair that is left, in one transposition. No melody that is aligned as a document has more
/// than `columns` notes; the query of a pair may be one.
__global__ __launch_bounds__(kAlignThreads) void align_pairs(FilterTask task, std::uint32_t columns,
                                                             CandidatePair* found) {
  extern __shared__ std::uint64_t raw[];
  // The notes of such melodies, [note][thread], then cells.
  auto* const notes = reinterpret_cast<Note*>(raw) + threadIdx.x;
  SharedCells cells{reinterpret_cast<std::int32_t*>(raw + columns * kAlignThreads) + threadIdx.x};
  const std::uint32_t count = task.counters->items;
  if (count > task.most_items) return;  // the same again, with fewer documents
  for (std::uint32_t i = blockIdx.x * kAlignThreads + threadIdx.x; i < count; i += gridDim.x * kAlignThreads) {
    const Item item = task.items[i];
    const Melody melody = task.slice.melodies[item.document];
    const Note* const line = task.slice.notes + melody.first_note;
    const auto load = [notes](const Note* from, std::uint32_t of) {
      for (std::uint32_t j = 0; j < of; ++j) notes[j * kAlignThreads] = from[j];
      return SharedNotes{notes};
    };
    const Query& query = task.queries[item.query];
    std::int32_t total = kNoTotal;
    if (task.totals) {
      total = align(*task.slice.costs, query.melody, query.note, load(line, melody.notes), melody.notes,
                    item.transposition, query.melody.least_total, cells);
      if (total < query.melody.least_total) continue;
    } else if (!may_hold(*task.slice.costs, task.rule, query, melody, line, item.transposition, load, cells)) {
      continue;
    }
    const std::uint32_t at = atomicAdd(&task.counters->found, 1U);
    if (at < kMostFound) found[at] = {item.query, item.document, total};
  }
}

/// Exact totals: a thread has a document, a block one query.
template <class Word>
__global__ __launch_bounds__(kAlignThreads) void exact_totals(TotalsLaunch task, std::uint32_t columns) {
  extern __shared__ std::uint64_t raw[];
  // Behind each other: notes of the documents [note][thread], where the query has its pitches, its notes, cells.
  auto* const notes = reinterpret_cast<Note*>(raw);
  auto* const where = reinterpret_cast<Word*>(notes + columns * kAlignThreads);
  auto* const query_notes = reinterpret_cast<Note*>(where + kMostPitch + 1);
  auto* const cell_memory = reinterpret_cast<std::int32_t*>(query_notes + kMostNotes);
  const std::uint32_t number = task.first_query + blockIdx.y;
  const Query& query = task.queries[number];
  if (threadIdx.x <= kMostPitch) {
    where[threadIdx.x] = static_cast<Word>(query.where[threadIdx.x]);
  } else if (threadIdx.x - kMostPitch - 1 < kMostNotes) {
    query_notes[threadIdx.x - kMostPitch - 1] = query.note[threadIdx.x - kMostPitch - 1];
  }
  const std::uint32_t document = task.begin + blockIdx.x * kAlignThreads + threadIdx.x;
  const Melody melody = document < task.end ? task.slice.melodies[document] : Melody{};
  for (std::uint32_t j = 0; j < melody.notes; ++j) {
    notes[j * kAlignThreads + threadIdx.x] = task.slice.notes[melody.first_note + j];
  }
  __syncthreads();
  if (document >= task.end) return;
  const SharedNotes own{notes + threadIdx.x};
  SharedCells cells{cell_memory + threadIdx.x};
  std::int32_t total = kNoTotal;
  if (melody.notes != 0) {
    total = exact_total<Word>(*task.slice.costs, query.melody, query_notes, where, melody, own, own, cells);
  }
  task.totals[std::size_t{number} * task.documents + document] = total;
}

/// Shared memory of a block, by the notes of documents.
constexpr std::size_t align_memory(std::uint32_t columns) {
  return columns * kAlignThreads * sizeof(Note) + (columns + 1) * kAlignThreads * sizeof(std::int32_t);
}
template <class Word>
constexpr std::size_t totals_memory(std::uint32_t columns) {
  return align_memory(columns) + (kMostPitch + 1) * sizeof(Word) + kMostNotes * sizeof(Note);
}

template <class Word>
cudaError_t totals_of(const TotalsLaunch& task, std::uint32_t columns, std::uint32_t queries, cudaStream_t stream) {
  const dim3 grid((task.end - task.begin + kAlignThreads - 1) / kAlignThreads, queries);
  exact_totals<Word><<<grid, kAlignThreads, totals_memory<Word>(columns), stream>>>(task, columns);
  return cudaGetLastError();
}

}  // namespace

cudaError_t allow_align_memory() {
  const auto allow = [](auto kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  };
  cudaError_t status = allow(align_pairs, align_memory(kMostNotes));
  if (status == cudaSuccess) status = allow(exact_totals<std::uint32_t>, totals_memory<std::uint32_t>(kMostNotes));
  if (status == cudaSuccess) status = allow(exact_totals<std::uint64_t>, totals_memory<std::uint64_t>(kMostNotes));
  return status;
}

cudaError_t align_on_card(const FilterTask& task, std::uint32_t columns, CandidatePair* found,
                          std::uint32_t multiprocessors, cudaStream_t stream) {
  align_pairs<<<multiprocessors * 16, kAlignThreads, align_memory(columns), stream>>>(task, columns, found);
  return cudaGetLastError();
}

cudaError_t totals_on_card(const TotalsLaunch& task, std::uint32_t columns, std::span<const Query> queries,
                           cudaStream_t stream) {
  TotalsLaunch own = task;
  cudaError_t status = cudaSuccess;
  // Neighbours of one kind together.
  for (std::size_t first = 0; first < queries.size() && status == cudaSuccess;) {
    const bool is_short = queries[first].melody.notes < 32;
    std::size_t end = first + 1;
    while (end < queries.size() && (queries[end].melody.notes < 32) == is_short) ++end;
    own.first_query = static_cast<std::uint32_t>(first);
    const auto count = static_cast<std::uint32_t>(end - first);
    status = is_short ? totals_of<std::uint32_t>(own, columns, count, stream)
                      : totals_of<std::uint64_t>(own, columns, count, stream);
    first = end;
  }
  return status;
}

}  // namespace rondo::gpu
