// The card itself; compiled only with RONDO_CUDA. What a thread computes is in pair_score.h; here is how the work is
// spread over threads, and what happens when the card fails.
#include <cuda_runtime.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "gpu/card.h"
#include "gpu/cuda_bounds.cuh"
#include "gpu/cuda_gain_bound.cuh"
#include "gpu/cuda_pairs.cuh"
#include "gpu/total_table.h"

namespace rondo::gpu {
namespace {

constexpr std::uint32_t kAlignThreads = 128;  ///< of the alignment, one pair each
/// Pairs of one launch of the filter: enough to fill the card, few enough that what is left fits into the buffers.
constexpr std::uint64_t kPairsAtOnce = 96'000'000;
/// Pairs of a launch that stage 1 may leave. It leaves one in ten of usual melodies.
constexpr std::uint32_t kMostWaiting = 24'000'000;
constexpr std::uint32_t kMostItems = 4'000'000;
constexpr std::uint32_t kMostFound = 1'000'000;
constexpr std::size_t kWorkspaces = 4;

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
      total = total_in(*task.slice.costs, query.melody, query.note, load(line, melody.notes), melody.notes,
                       item.transposition, cells);
      if (total < query.melody.least_total) continue;
    } else if (!may_hold(*task.slice.costs, task.rule, query, melody, line, item.transposition, load, cells)) {
      continue;
    }
    const std::uint32_t at = atomicAdd(&task.counters->found, 1U);
    if (at < kMostFound) found[at] = {item.query, task.number + item.document, total};
  }
}

/// Documents of a search, or of a row of a matrix.
struct TotalsLaunch {
  DeviceSlice slice;
  const Query* queries;
  std::uint32_t first_query;
  std::uint32_t begin, end;  ///< documents
  std::uint32_t documents;   ///< of the slice
  std::int32_t* totals;      ///< [query][document]; null: those that reach the query's least total are found
  CandidatePair* found;
  Counters* counters;
};

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
  const std::int32_t least = task.totals == nullptr ? query.melody.least_total : kNoTotal;
  std::int32_t total = kNoTotal;
  if (melody.notes != 0) {
    total = exact_total<Word>(*task.slice.costs, query.melody, query_notes, where, query.narrow != 0, melody, own, own,
                              least, cells);
  }
  if (task.totals != nullptr) {
    task.totals[std::size_t{number} * task.documents + document] = total;
  } else if (melody.notes != 0 && total >= least) {
    const std::uint32_t at = atomicAdd(&task.counters->found, 1U);
    if (at < kMostFound) task.found[at] = {number, document, total};
  }
}

/// Shared memory of a block, by the notes of documents.
constexpr std::size_t align_memory(std::uint32_t columns) {
  return columns * kAlignThreads * sizeof(Note) + (columns + 1) * kAlignThreads * sizeof(std::int32_t);
}
template <class Word>
constexpr std::size_t totals_memory(std::uint32_t columns) {
  return align_memory(columns) + (kMostPitch + 1) * sizeof(Word) + kMostNotes * sizeof(Note);
}

/// Lets the kernels have as much of it as they may ever ask for. Once: it holds for all threads of the process.
cudaError_t allow_shared_memory() {
  const auto allow = [](auto kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  };
  cudaError_t status = allow(align_pairs, align_memory(kMostNotes));
  if (status == cudaSuccess) status = allow(exact_totals<std::uint32_t>, totals_memory<std::uint32_t>(kMostNotes));
  if (status == cudaSuccess) status = allow(exact_totals<std::uint64_t>, totals_memory<std::uint64_t>(kMostNotes));
  if (status == cudaSuccess) status = allow_bound_memory();
  if (status == cudaSuccess) status = allow_total_bound_memory();
  if (status == cudaSuccess) status = allow_gain_bound_memory();
  return status;
}

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
  BoundWorkspace bounds;
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

class CudaCard final : public Card {
 public:
  CudaCard(int device, std::string name, int multiprocessors)
      : device_(device), name_(std::move(name)), multiprocessors_(multiprocessors) {}
  ~CudaCard() override { (void)cudaSetDevice(device_); }

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] std::uint64_t free_memory() const override {
    std::size_t available = 0;
    std::size_t all = 0;
    (void)cudaSetDevice(device_);
    return cudaMemGetInfo(&available, &all) == cudaSuccess ? available : 0;
  }

  [[nodiscard]] Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs,
                                                    SliceUse use) override {
    const char* const doing = "melodies were loaded";
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, doing);
    auto slice = std::make_unique<CudaSlice>(device_);
    slice->documents = static_cast<std::uint32_t>(melodies.melodies.size());
    for (std::uint32_t d = 0; d < slice->documents; ++d) {
      const std::uint32_t notes = melodies.melodies[d].notes;
      slice->most_notes = std::max(slice->most_notes, notes);
      for (std::size_t b = 0; b < std::size(CudaSlice::kBounds); ++b) {
        if (slice->most_notes <= CudaSlice::kBounds[b]) slice->up_to[b] = d + 1;
      }
    }
    std::vector<std::uint32_t> pitches((melodies.notes.size() + 3) / 4, kNoPitches);
    for (const Melody& melody : melodies.melodies) {
      for (std::uint32_t i = melody.first_note; i < melody.first_note + melody.notes; ++i) {
        pitches[i / 4] ^= (std::uint32_t{melodies.notes[i].pitch} ^ 255U) << (8 * (i % 4));
      }
    }
    cudaError_t status = slice->melodies.fill(melodies.melodies);
    if (status == cudaSuccess) status = slice->notes.fill(melodies.notes);
    if (status == cudaSuccess) status = slice->pitches.fill(std::span<const std::uint32_t>(pitches));
    if (status == cudaSuccess) status = slice->costs.fill({&costs, 1});
    if (status == cudaSuccess)
      status = use == SliceUse::pairs ? fill_for_pairs(*slice) : fill_for_totals(*slice, melodies, costs);
    if (status != cudaSuccess) return failure(status, doing);
    return std::unique_ptr<Slice>(std::move(slice));
  }

  [[nodiscard]] Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                        StageCounts& counts) override {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    Workspace* workspace = nullptr;
    if (auto got = acquire(workspace); !got) return got;
    const std::size_t before = out.size();
    for (std::size_t first = 0; first < task.queries.size(); first += kMostQueries) {
      const std::size_t some = std::min<std::size_t>(task.queries.size() - first, kMostQueries);
      auto done = find_some(*workspace, task, first, some, out, counts);
      if (done) continue;
      out.resize(before);
      release(workspace);
      return done;
    }
    release(workspace);
    return {};
  }

  [[nodiscard]] Result<void> totals(const TotalsTask& task, std::vector<std::int32_t>& out) override {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    Workspace* workspace = nullptr;
    if (auto got = acquire(workspace); !got) return got;
    const std::size_t documents = static_cast<const CudaSlice&>(*task.slice).documents;
    out.assign(task.queries.size() * documents, kNoTotal);
    cudaError_t status = cudaSuccess;
    // As many queries at once as 64 million totals allow.
    const std::size_t together =
        std::clamp<std::size_t>((std::size_t{64} << 20U) / std::max<std::size_t>(1, documents), 1, kMostQueries);
    for (std::size_t first = 0; first < task.queries.size() && status == cudaSuccess; first += together) {
      const std::size_t count = std::min(together, task.queries.size() - first);
      status = launch_totals(*workspace, *task.slice, task.queries.subspan(first, count), false);
      if (status != cudaSuccess) break;
      status = workspace->stream.fetch(out.data() + first * documents, workspace->totals.data(),
                                       count * documents * sizeof(std::int32_t));
    }
    release(workspace);
    if (status != cudaSuccess) return failure(status, kComparing);
    return {};
  }

  [[nodiscard]] Result<void> totals_above(const TotalsTask& task, std::vector<CandidatePair>& out) override {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    Workspace* workspace = nullptr;
    if (auto got = acquire(workspace); !got) return got;
    const std::size_t before = out.size();
    for (std::size_t first = 0; first < task.queries.size(); first += kMostQueries) {
      const std::size_t some = std::min<std::size_t>(task.queries.size() - first, kMostQueries);
      auto done = above_some(*workspace, {task.slice, task.queries.subspan(first, some)}, first, out);
      if (done) continue;
      out.resize(before);
      release(workspace);
      return done;
    }
    release(workspace);
    return {};
  }

  [[nodiscard]] Result<std::unique_ptr<Slice>> load_lines(const LineSpan& lines) override {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    return load_lines_onto(device_, lines);
  }

  [[nodiscard]] Result<void> bounded(const Slice& lines, std::span<const BoundRequest> requests,
                                     std::vector<BoundAnswer>& out) override {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    Workspace* workspace = nullptr;
    if (auto got = acquire(workspace); !got) return got;
    const cudaError_t status = find_bounded(workspace->bounds, workspace->stream, lines, requests, out);
    release(workspace);
    if (status != cudaSuccess) return failure(status, kComparing);
    return {};
  }

 private:
  [[nodiscard]] static cudaError_t fill_for_pairs(CudaSlice& slice) {
    cudaError_t status = slice.planes.allocate(slice.documents);
    if (status == cudaSuccess) status = slice.needs.allocate(slice.documents);
    if (status != cudaSuccess) return status;
    return fill_gains_on_card(slice.view(), slice.documents, slice.planes.data(), slice.needs.data());
  }

  [[nodiscard]] static cudaError_t fill_for_totals(CudaSlice& slice, const MelodySpan& melodies,
                                                   const CostTables& costs) {
    slice.own_costs = costs;
    slice.codes = bound_codes(costs.of[1]);
    const RhythmNumbers rhythms(melodies);
    slice.rhythm_count = static_cast<std::uint32_t>(rhythms.rhythms().size());
    std::vector<std::uint32_t> tiles;
    std::vector<PackedNote> packed;
    for (std::size_t begin = 0; begin < melodies.melodies.size(); begin += kTileDocuments) {
      const auto tile =
          melodies.melodies.subspan(begin, std::min<std::size_t>(kTileDocuments, melodies.melodies.size() - begin));
      const std::size_t at = packed.size();
      tiles.push_back(static_cast<std::uint32_t>(at));
      std::uint32_t notes = 0;
      for (const Melody& melody : tile) notes = std::max<std::uint32_t>(notes, melody.notes);
      packed.resize(at + std::size_t{notes} * kTileDocuments);
      for (std::size_t d = 0; d < tile.size(); ++d) {
        for (std::uint32_t j = 0; j < tile[d].notes; ++j) {
          const Note& note = melodies.notes[tile[d].first_note + j];
          packed[at + j * kTileDocuments + d] = packed_note(note, rhythms.number(note), j + 1U == tile[d].notes);
          slice.most_gap = std::max<std::int32_t>(slice.most_gap, note.gap);
        }
      }
    }
    cudaError_t status = slice.packed.fill(std::span<const PackedNote>(packed));
    if (status == cudaSuccess) status = slice.tiles.fill(std::span<const std::uint32_t>(tiles));
    if (status == cudaSuccess) status = slice.rhythm_numbers.fill(rhythms.numbers());
    if (status == cudaSuccess) status = slice.rhythms.fill(rhythms.rhythms());
    return status;
  }

  /// Pairs above the least totals of at most kMostQueries queries, whose numbers begin with `number`: by the bound of
  /// total_bound.h where there is one, else by all totals.
  [[nodiscard]] Result<void> above_some(Workspace& workspace, const TotalsTask& task, std::size_t number,
                                        std::vector<CandidatePair>& out) {
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    const TotalTables tables(task.queries, slice.own_costs, slice.codes, slice.most_gap);
    const std::size_t before = out.size();
    if (!tables.tables().empty()) {
      if (auto done = bounded_above(workspace, task, tables, out); !done) return done;
    }
    if (!tables.others().empty()) {
      if (auto done = all_above(workspace, task, tables.others(), out); !done) return done;
    }
    for (std::size_t i = before; i < out.size(); ++i) out[i].query += static_cast<std::uint32_t>(number);
    return {};
  }

  /// The queries of which there are tables.
  [[nodiscard]] Result<void> bounded_above(Workspace& workspace, const TotalsTask& task, const TotalTables& tables,
                                           std::vector<CandidatePair>& out) {
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    std::vector<Query> queries;
    for (const std::uint32_t q : tables.numbers()) queries.push_back(task.queries[q]);
    // Of each group two by two, then each by itself.
    std::vector<PairPlan> plans;
    std::vector<std::uint32_t> first_alone;
    std::uint64_t words = 0;
    const auto plan = [&](std::uint32_t first, std::uint32_t second) {
      plans.push_back({first, second, words});
      words += PairLayout{tables.tables()[first].words, slice.rhythm_count}.size();
    };
    for (const TotalTables::Group& group : tables.groups()) {
      for (std::uint32_t q = group.begin; q < group.end; q += 2) plan(q, std::min(q + 1, group.end - 1));
      first_alone.push_back(static_cast<std::uint32_t>(plans.size()));
      for (std::uint32_t q = group.begin; q < group.end; ++q) plan(q, q);
    }
    const auto count = static_cast<std::uint32_t>(plans.size());
    cudaError_t status = workspace.plans.grow(count);
    if (status == cudaSuccess) status = workspace.heads.grow(count);
    if (status == cudaSuccess) status = workspace.words.grow(words);
    const auto send = [&](auto* to, const auto& from) {
      if (status != cudaSuccess) return;
      status = cudaMemcpyAsync(to, from.data(), from.size() * sizeof(from[0]), cudaMemcpyHostToDevice,
                               workspace.stream.get());
    };
    send(workspace.plans.data(), plans);
    send(workspace.tables.data(), tables.tables());
    const PairTables pair_tables{workspace.plans.data(), workspace.heads.data(), workspace.words.data()};
    if (status == cudaSuccess) {
      status = fill_pairs_on_card(slice.view(), workspace.tables.data(), pair_tables, count, workspace.stream.get());
    }
    if (status != cudaSuccess) return failure(status, kComparing);
    PairTask pairs;
    pairs.slice = task.slice;
    pairs.end = slice.documents;
    const auto filter = [&](FilterTask launch, std::uint32_t columns) {
      cudaError_t ran = workspace.transpositions.grow(queries.size() * std::size_t{launch.end - launch.begin});
      if (ran == cudaSuccess) ran = workspace.bound_pairs.grow(queries.size() * std::size_t{kMostBoundPairs});
      std::uint32_t together = 0;
      for (std::size_t g = 0; g < tables.groups().size() && ran == cudaSuccess; ++g) {
        const TotalTables::Group& group = tables.groups()[g];
        launch.first_query = group.begin;
        launch.end_query = group.end;
        ran = bound_pairs_on_card(
            launch, workspace.tables.data(), tables.tables()[group.begin].words, pair_tables.from(together),
            pair_tables.from(first_alone[g]), columns, workspace.transpositions.data(),
            {workspace.bound_pairs.data(), workspace.bound_counts.data()}, workspace.stream.get());
        together = first_alone[g] + group.end - group.begin;
      }
      return ran;
    };
    StageCounts counts;
    // In one part: what these kernels need of shared memory hardly depends on the notes of documents, and each part is
    // a wait.
    return find_with(workspace, pairs, {true, 0}, queries, tables.numbers(), {&slice.documents, 1}, filter, out,
                     counts);
  }

  /// The same by all totals of these queries; where more is found than there is room for, in halves.
  [[nodiscard]] Result<void> all_above(Workspace& workspace, const TotalsTask& task, std::vector<std::uint32_t> order,
                                       std::vector<CandidatePair>& out) {
    // Queries of one kind together.
    std::stable_partition(order.begin(), order.end(),
                          [&](std::uint32_t q) { return task.queries[q].melody.notes < 32; });
    std::vector<Query> queries;
    for (const std::uint32_t q : order) queries.push_back(task.queries[q]);
    std::size_t together = kMostQueries;
    for (std::size_t first = 0; first < queries.size();) {
      const std::size_t count = std::min(together, queries.size() - first);
      cudaError_t status = cudaMemsetAsync(workspace.counters.data(), 0, sizeof(Counters), workspace.stream.get());
      if (status == cudaSuccess) {
        status = launch_totals(workspace, *task.slice, std::span<const Query>(queries).subspan(first, count), true);
      }
      Counters seen{};
      if (status == cudaSuccess) status = workspace.stream.fetch(&seen, workspace.counters.data(), sizeof seen);
      if (status != cudaSuccess) return failure(status, kComparing);
      if (seen.found > kMostFound) {
        if (count == 1) return fail("device-memory", "one melody has more candidates than the buffer holds");
        together = (count + 1) / 2;
        continue;
      }
      const std::size_t at = out.size();
      out.resize(at + seen.found);
      if (seen.found != 0) {
        status = workspace.stream.fetch(out.data() + at, workspace.found.data(), seen.found * sizeof(CandidatePair));
      }
      if (status != cudaSuccess) return failure(status, kComparing);
      for (std::size_t i = at; i < out.size(); ++i) out[i].query = order[first + out[i].query];
      first += count;
    }
    return {};
  }

  template <class Word>
  static cudaError_t totals_of(const TotalsLaunch& task, std::uint32_t columns, std::size_t queries,
                               cudaStream_t stream) {
    const std::size_t shared = totals_memory<Word>(columns);
    const dim3 grid((task.end - task.begin + kAlignThreads - 1) / kAlignThreads, static_cast<unsigned>(queries));
    exact_totals<Word><<<grid, kAlignThreads, shared, stream>>>(task, columns);
    return cudaGetLastError();
  }

  /// Totals of at most kMostQueries queries, into the workspace; or only those above the queries' least totals.
  [[nodiscard]] static cudaError_t launch_totals(Workspace& workspace, const Slice& of, std::span<const Query> queries,
                                                 bool above) {
    const auto& slice = static_cast<const CudaSlice&>(of);
    cudaError_t status = cudaSuccess;
    if (!above) {
      status = workspace.totals.grow(queries.size() * std::size_t{slice.documents});
    }
    if (status == cudaSuccess) {
      status = cudaMemcpyAsync(workspace.queries.data(), queries.data(), queries.size_bytes(), cudaMemcpyHostToDevice,
                               workspace.stream.get());
    }
    // Neighbours of one kind together.
    for (std::size_t first = 0; first < queries.size() && status == cudaSuccess;) {
      const bool is_short = queries[first].melody.notes < 32;
      std::size_t count = 1;
      while (first + count < queries.size() && (queries[first + count].melody.notes < 32) == is_short) ++count;
      std::uint32_t begin = 0;
      for (std::size_t b = 0; b < std::size(CudaSlice::kBounds) && status == cudaSuccess; ++b) {
        const std::uint32_t end = slice.up_to[b];
        if (end <= begin) continue;
        const TotalsLaunch task{slice.view(),
                                workspace.queries.data(),
                                static_cast<std::uint32_t>(first),
                                begin,
                                end,
                                slice.documents,
                                above ? nullptr : workspace.totals.data(),
                                workspace.found.data(),
                                workspace.counters.data()};
        const std::uint32_t columns = std::min(slice.most_notes, CudaSlice::kBounds[b]);
        status = is_short ? totals_of<std::uint32_t>(task, columns, count, workspace.stream.get())
                          : totals_of<std::uint64_t>(task, columns, count, workspace.stream.get());
        begin = end;
      }
      first += count;
    }
    return status;
  }

  static constexpr const char* kComparing = "melodies were compared";

  [[nodiscard]] Result<void> find_some(Workspace& workspace, const PairTask& task, std::size_t first, std::size_t count,
                                       std::vector<CandidatePair>& out, StageCounts& counts) {
    // Short queries first, so that one launch has one kind.
    std::vector<Query> queries;
    std::vector<std::uint32_t> number;
    const auto take = [&](bool short_ones) {
      for (std::size_t q = first; q < first + count; ++q) {
        if ((task.queries[q].melody.notes < 32) != short_ones) continue;
        queries.push_back(task.queries[q]);
        number.push_back(static_cast<std::uint32_t>(q));
      }
      return static_cast<std::uint32_t>(queries.size());
    };
    const std::uint32_t short_ones = take(true);
    const std::uint32_t all = take(false);
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    if (const cudaError_t made = workspace.make_for_pairs(free_memory()); made != cudaSuccess) {
      return failure(made, "memory was allocated");
    }
    const std::uint32_t tiles = gain_tiles(short_ones) + gain_tiles(all - short_ones);
    const std::uint32_t capacity = workspace.most_waiting / tiles;
    const auto bounds = [&](FilterTask launch, std::uint32_t /*columns*/) {
      cudaError_t status = fill_query_gains_on_card(slice.view(), launch.queries, all, workspace.query_planes.data(),
                                                    workspace.query_needs.data(), workspace.stream.get());
      GainRoom room{slice.planes.data(),
                    slice.needs.data(),
                    workspace.query_planes.data(),
                    workspace.query_needs.data(),
                    workspace.waiting.data(),
                    capacity,
                    0};
      for (const bool are_short : {true, false}) {
        launch.first_query = are_short ? 0 : short_ones;
        launch.end_query = are_short ? short_ones : all;
        launch.short_queries = are_short;
        if (status == cudaSuccess) {
          status =
              bound_gains_on_card(launch, room, static_cast<std::uint32_t>(multiprocessors_), workspace.stream.get());
        }
        room.first_tile += gain_tiles(short_ones);
      }
      return status;
    };
    return find_with(workspace, task, {false, capacity}, queries, number, slice.up_to, bounds, out, counts);
  }

  /// What is found: exact totals or pairs that may hold, of which each tile may leave so many to stage 2.
  struct Wanted {
    bool totals;
    std::uint32_t waiting;
  };

  /// The documents in parts that end at `parts`, or in smaller ones; `bounds` of each part leaves items, which are
  /// aligned. The queries' numbers in the task are `number`.
  template <class Bounds>
  [[nodiscard]] Result<void> find_with(Workspace& workspace, const PairTask& task, const Wanted& wanted,
                                       const std::vector<Query>& queries, const std::vector<std::uint32_t>& number,
                                       std::span<const std::uint32_t> parts, const Bounds& bounds,
                                       std::vector<CandidatePair>& out, StageCounts& counts) {
    const auto all = static_cast<std::uint32_t>(queries.size());
    std::uint32_t query_notes = 0;
    for (const Query& query : queries) query_notes = std::max<std::uint32_t>(query_notes, query.melody.notes);
    const cudaError_t status = cudaMemcpyAsync(workspace.queries.data(), queries.data(), all * sizeof(Query),
                                               cudaMemcpyHostToDevice, workspace.stream.get());
    if (status != cudaSuccess) return failure(status, kComparing);
    constexpr std::uint64_t kLeast = 256;
    static_assert(kPairsAtOnce < std::uint64_t{1} << kWaitingQueryBit);
    const auto most_together = static_cast<std::uint32_t>(std::max(kLeast, kPairsAtOnce / std::max(1U, all)));
    std::uint32_t together = wanted.totals ? most_together : std::min(most_together, workspace.documents_together);
    std::uint32_t begin = task.begin;
    for (std::size_t part = 0; part < parts.size();) {
      const std::uint32_t last = std::min(parts[part], task.end);
      if (begin >= last) {
        ++part;
        continue;
      }
      const std::uint32_t end = begin + std::min(together, last - begin);
      Counters seen{};
      const cudaError_t ran = launch(workspace, task, wanted, begin, end, query_notes, bounds, seen);
      if (ran != cudaSuccess) return failure(ran, kComparing);
      const std::uint32_t waiting = *std::max_element(std::begin(seen.waiting), std::end(seen.waiting));
      if (waiting > wanted.waiting || seen.items > workspace.most_items || seen.found > kMostFound) {
        // More than there is room for: the same again with half of the documents.
        if (end - begin < 2) return fail("device-memory", "one melody has more candidates than the buffer holds");
        together = (end - begin) / 2;
        continue;
      }
      const bool little = waiting <= wanted.waiting / 4 && seen.items <= workspace.most_items / 4;
      if (little && end - begin == together) together = std::min(most_together, 2 * together);
      if (!wanted.totals) workspace.documents_together = together;
      begin = end;
      for (const std::uint32_t count : seen.waiting) counts.shared += count;
      counts.ordered += seen.items;
      const std::size_t at = out.size();
      out.resize(at + seen.found);
      if (seen.found == 0) continue;
      const cudaError_t copied =
          workspace.stream.fetch(out.data() + at, workspace.found.data(), seen.found * sizeof(CandidatePair));
      if (copied != cudaSuccess) return failure(copied, kComparing);
      // A pair that may hold in several transpositions was found in each; its total is the greatest of them.
      const auto first_of_these = out.begin() + static_cast<std::ptrdiff_t>(at);
      std::sort(first_of_these, out.end(),
                [](const CandidatePair& a, const CandidatePair& b) { return a == b ? a.total > b.total : a < b; });
      out.erase(std::unique(first_of_these, out.end()), out.end());
      for (std::size_t i = at; i < out.size(); ++i) out[i].query = number[out[i].query];
    }
    return {};
  }

  template <class Bounds>
  [[nodiscard]] cudaError_t launch(Workspace& workspace, const PairTask& task, const Wanted& wanted,
                                   std::uint32_t begin, std::uint32_t end, std::uint32_t query_notes,
                                   const Bounds& bounds, Counters& seen) const {
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    std::uint32_t columns = kMostNotes;  // that the documents have at most
    for (std::size_t b = std::size(CudaSlice::kBounds); b-- > 0;) {
      if (end <= slice.up_to[b]) columns = CudaSlice::kBounds[b];
    }
    FilterTask own{};
    own.slice = slice.view();
    own.queries = workspace.queries.data();
    own.begin = begin;
    own.end = end;
    own.number = task.number;
    own.most_items = workspace.most_items;
    own.rule = task.rule;
    own.totals = wanted.totals;
    own.items = workspace.items.data();
    own.counters = workspace.counters.data();
    cudaError_t status = cudaMemsetAsync(own.counters, 0, sizeof(Counters), workspace.stream.get());
    if (status == cudaSuccess) status = bounds(own, columns);
    if (status != cudaSuccess) return status;
    const std::uint32_t aligned = wanted.totals ? columns : std::max(columns, query_notes);
    align_pairs<<<static_cast<unsigned>(multiprocessors_) * 16, kAlignThreads, align_memory(aligned),
                  workspace.stream.get()>>>(own, aligned, workspace.found.data());
    status = cudaGetLastError();
    if (status == cudaSuccess) status = workspace.stream.fetch(&seen, own.counters, sizeof seen);
    return status;
  }

  /// A workspace that no other thread uses; makes one more as long as there are few.
  [[nodiscard]] Result<void> acquire(Workspace*& out) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (!idle_.empty()) {
        out = idle_.back();
        idle_.pop_back();
        return {};
      }
      if (workspaces_.size() < kWorkspaces) {
        auto made = std::make_unique<Workspace>();
        const auto items = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(free_memory() / 8 / sizeof(Item), kMostQueries, kMostItems));
        const cudaError_t status = made->make(items);
        if (status == cudaSuccess) {
          out = made.get();
          workspaces_.push_back(std::move(made));
          return {};
        }
        made.reset();
        auto why = failure(status, "memory was allocated");
        // Others will come back.
        if (workspaces_.empty() || status != cudaErrorMemoryAllocation) return why;
      }
      released_.wait(lock);
    }
  }

  void release(Workspace* workspace) {
    {
      const std::lock_guard lock(mutex_);
      idle_.push_back(workspace);
    }
    released_.notify_one();
  }

  int device_;
  std::string name_;
  int multiprocessors_;
  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  std::vector<Workspace*> idle_;
};

}  // namespace

Result<std::shared_ptr<Card>> open_card() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    (void)cudaGetLastError();
    const std::string why = status == cudaSuccess ? "no device" : cudaGetErrorString(status);
    return fail("device-missing", "no graphics card can be used: " + why, {},
                "nvidia-smi shows cards and driver; --device cpu works without");
  }
  cudaDeviceProp properties{};
  cudaError_t asked = cudaGetDeviceProperties(&properties, 0);
  if (asked == cudaSuccess) asked = cudaSetDevice(0);
  if (asked == cudaSuccess) asked = cudaFree(nullptr);  // makes the context: a card that others have exclusively fails
  if (asked == cudaSuccess) asked = allow_shared_memory();
  if (asked != cudaSuccess) {
    (void)cudaGetLastError();
    return fail("device-unusable", std::string("the graphics card cannot be used: ") + cudaGetErrorString(asked), {},
                "--device cpu works without");
  }
  char name[320];
  std::snprintf(name, sizeof name, "%s, %.0f GiB", properties.name,
                static_cast<double>(properties.totalGlobalMem) / (1024.0 * 1024.0 * 1024.0));
  return std::shared_ptr<Card>(std::make_shared<CudaCard>(0, name, properties.multiProcessorCount));
}

}  // namespace rondo::gpu
