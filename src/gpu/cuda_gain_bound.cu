// Stages 1 and 2 of pair_score.h on the card: gain_bound.h, spread over matrix units, warps and lanes.
#include <algorithm>

#include "gpu/cuda_gain_bound.cuh"

namespace rondo::gpu {
namespace {

constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

// Planes: a thread has a melody.

constexpr std::uint32_t kFillThreads = 128;

__global__ void fill_documents(DeviceSlice slice, std::uint32_t count, GainPlanes* planes, GainNeed* needs) {
  const std::uint32_t d = blockIdx.x * kFillThreads + threadIdx.x;
  if (d >= count) return;
  GainPlanes own{};
  const Melody melody = slice.melodies[d];
  const GainUnits units = gain_units(slice.costs->of[1]);
  const std::uint32_t over = fill_planes(units, true, slice.notes + melody.first_note, melody.notes, own);
  planes[d] = own;
  needs[d] = {static_cast<std::uint16_t>(melody.least_gain), static_cast<std::uint16_t>(over)};
}

__global__ void fill_queries(const CostTables* costs, const Query* queries, std::uint32_t count, GainPlanes* planes,
                             GainNeed* needs) {
  const std::uint32_t q = blockIdx.x * kFillThreads + threadIdx.x;
  if (q >= count) return;
  GainPlanes own{};
  const Melody& melody = queries[q].melody;
  const std::uint32_t over = fill_planes(gain_units(costs->of[1]), false, queries[q].note, melody.notes, own);
  planes[q] = own;
  needs[q] = {static_cast<std::uint16_t>(melody.least_gain), static_cast<std::uint16_t>(over)};
}

// Stage 1: rows of a query times documents, 16 rows and 8 documents in one step of the matrix unit.

constexpr std::uint32_t kGainWarps = 16;
constexpr std::uint32_t kGainThreads = kGainWarps * 32;
/// Steps of 256 bits; a lane has two words of each.
constexpr std::uint32_t kSteps = kPlaneWords / 8;
constexpr std::uint32_t kLaneWords = 2 * kSteps;
/// Documents of a warp, eight together.
constexpr std::uint32_t kEights = 4;
constexpr std::uint32_t kWarpDocuments = 8 * kEights;
static_assert(kRing == 16 && kWarpDocuments == 32 && kLaneWords % 4 == 0);
/// Pairs that a warp collects before it writes them; those of one query and its documents are at most 32.
constexpr std::uint32_t kCollected = 128;

struct GainRow {
  std::int32_t least;  ///< GainNeed
  std::int32_t over;
  std::uint32_t number;
  std::uint32_t most;  ///< that it can gain
};

struct GainMemory {
  uint4 rows[kGainQueries][kSteps][32];  ///< as the matrix unit takes them, by lane
  Waiting collected[kGainWarps][kCollected];
  GainRow query[kGainQueries];
};

/// Adds, for 16 rows and 8 documents, the bits that both have.
__device__ void add_common_bits(std::int32_t (&sums)[4], const uint4& rows, std::uint32_t low, std::uint32_t high) {
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(rows.x), "r"(rows.y), "r"(rows.z), "r"(rows.w), "r"(low), "r"(high));
}

/// A warp has 32 documents and passes over the queries of the block. Lane 4 g + c holds rows g and g + 8 of the query,
/// words from kLaneWords * c on of document g of each eight, and the sums of documents 2 c and 2 c + 1.
__global__ __launch_bounds__(kGainThreads, 1) void bound_gains(FilterTask task, GainRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<GainMemory*>(raw);
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t g = lane / 4;
  const std::uint32_t c = lane % 4;
  const std::uint32_t first = task.first_query + blockIdx.y * kGainQueries;
  const std::uint32_t queries = min(kGainQueries, task.end_query - first);
  for (std::uint32_t i = warp; i < queries * kSteps; i += kGainWarps) {
    const GainPlanes& planes = room.query_planes[first + i / kSteps];
    const std::uint32_t word = kLaneWords * c + 2 * (i % kSteps);
    memory.rows[i / kSteps][i % kSteps][lane] = {turned(planes.word[word], g), turned(planes.word[word], g + 8),
                                                 turned(planes.word[word + 1], g),
                                                 turned(planes.word[word + 1], g + 8)};
  }
  if (threadIdx.x < queries) {
    const Query& query = task.queries[first + threadIdx.x];
    const GainNeed need = room.query_needs[first + threadIdx.x];
    memory.query[threadIdx.x] = {need.least, need.over, query.number, std::uint32_t{kGainUnits} * query.melody.notes};
  }
  __syncthreads();
  const auto next_units = static_cast<std::int32_t>(gain_units(task.slice.costs->of[1]).next);
  const bool both = task.rule.both != 0;
  const std::uint32_t tile = room.first_tile + blockIdx.y;
  Waiting* const list = room.lists + std::size_t{tile} * room.capacity;
  Waiting* const collected = memory.collected[warp];
  std::uint32_t count = 0;
  const auto write = [&] {
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(&task.counters->waiting[tile], count);
    at = __shfl_sync(kWholeWarp, at, 0);
    __syncwarp();
    for (std::uint32_t i = lane; i < count; i += 32) {
      if (at + i < room.capacity) list[at + i] = collected[i];
    }
    __syncwarp();
    count = 0;
  };
  const std::uint32_t step = gridDim.x * kGainWarps * kWarpDocuments;
  for (std::uint32_t begin = task.begin + (blockIdx.x * kGainWarps + warp) * kWarpDocuments; begin < task.end;
       begin += step) {
    std::uint32_t words[kEights][kLaneWords];
    std::int32_t least[kEights][2];
    std::int32_t over[kEights][2];
    RONDO_UNROLL
    for (std::uint32_t e = 0; e < kEights; ++e) {
      const auto* const from =
          reinterpret_cast<const uint4*>(room.planes[min(begin + 8 * e + g, task.end - 1)].word) + kLaneWords / 4 * c;
      RONDO_UNROLL
      for (std::uint32_t i = 0; i < kLaneWords / 4; ++i) {
        const uint4 four = from[i];
        words[e][4 * i] = four.x, words[e][4 * i + 1] = four.y, words[e][4 * i + 2] = four.z,
                     words[e][4 * i + 3] = four.w;
      }
      RONDO_UNROLL
      for (std::uint32_t k = 0; k < 2; ++k) {
        const GainNeed need = room.needs[min(begin + 8 * e + 2 * c + k, task.end - 1)];
        least[e][k] = need.least - next_units;
        over[e][k] = need.over;
      }
    }
    const std::uint32_t document = begin + lane;
    const bool exists = document < task.end && task.slice.melodies[min(document, task.end - 1)].notes != 0;
    const std::uint32_t its_least = exists ? room.needs[document].least : kNoGain;
    const std::uint32_t warp_least = __reduce_min_sync(kWholeWarp, its_least);
    const std::uint32_t warp_last = min(begin + kWarpDocuments, task.end) - 1;
    for (std::uint32_t q = 0; q < queries; ++q) {
      const GainRow query = memory.query[q];
      if ((both && warp_least > query.most) || (task.rule.ordered != 0 && warp_last <= query.number)) continue;
      std::int32_t sums[kEights][4] = {};
      RONDO_UNROLL
      for (std::uint32_t s = 0; s < kSteps; ++s) {
        const uint4 rows = memory.rows[q][s][lane];
        RONDO_UNROLL
        for (std::uint32_t e = 0; e < kEights; ++e)
          add_common_bits(sums[e], rows, words[e][2 * s], words[e][2 * s + 1]);
      }
      // Each lane takes the rows of one document from the lanes that have its sums.
      std::uint32_t low = 0;
      std::uint32_t high = 0;
      const std::int32_t query_least = query.least - next_units;
      RONDO_UNROLL
      for (std::uint32_t e = 0; e < kEights; ++e) {
        RONDO_UNROLL
        for (std::uint32_t k = 0; k < 2; ++k) {
          const std::int32_t needed =
              (both ? max(query_least, least[e][k]) : min(query_least, least[e][k])) - min(query.over, over[e][k]);
          const std::uint32_t one = __ballot_sync(kWholeWarp, sums[e][k] >= needed);
          const std::uint32_t other = __ballot_sync(kWholeWarp, sums[e][k + 2] >= needed);
          if (lane / 8 == e && lane % 2 == k) low = one, high = other;
        }
      }
      constexpr std::uint32_t kOneOfFour = 0x11111111U;
      const std::uint32_t column = lane % 8 / 2;
      std::uint32_t rows = ((low >> column) & kOneOfFour) | (((high >> column) & kOneOfFour) << 1);
      if (!exists || (task.rule.ordered != 0 && document <= query.number)) rows = 0;
      const std::uint32_t votes = __ballot_sync(kWholeWarp, rows != 0);
      if (votes == 0) continue;
      if (rows != 0) {
        collected[count + ones_in(votes & ((1U << lane) - 1))] = {(document - task.begin) | (q << kWaitingQueryBit),
                                                                  rows};
      }
      count += ones_in(votes);
      if (count > kCollected - 32) write();
    }
  }
  if (count != 0) write();
}

// Stage 2: pairs in a transposition wait in a queue of their warp until there is one for each lane, because pairs have
// different numbers of transpositions. A warp takes some pairs together, keeps the best transpositions of each, and
// lets those that are left wait in a second queue.

constexpr std::uint32_t kOrderThreads = 256;
constexpr std::uint32_t kOrderWarps = kOrderThreads / 32;
/// Pairs that a warp takes together.
constexpr std::uint32_t kPairsTogether = 128;

/// A pair in a transposition.
struct Posed {
  std::uint32_t document;
  std::uint8_t row;     ///< of the query in its tile
  std::uint8_t common;  ///< notes in the same order: first those that it needs, then those that it has
  std::uint8_t pair;    ///< of those that the warp has
  std::int8_t transposition;
};
static_assert(kPairsTogether <= 256);

/// A warp adds less than 32 entries to one that has less than 32, then takes 32 as soon as it has them.
struct OrderQueue {
  Posed entry[64];
};

/// Appends the entries of the lanes that have one.
__device__ void append(OrderQueue& queue, std::uint32_t& size, bool has_one, const Posed& one) {
  const std::uint32_t votes = __ballot_sync(kWholeWarp, has_one);
  if (has_one) queue.entry[size + ones_in(votes & ((1U << threadIdx.x % 32) - 1))] = one;
  size += ones_in(votes);
  __syncwarp();
}

/// Of at least 32 entries the first 32, one for each lane.
__device__ Posed take_32(OrderQueue& queue, std::uint32_t& size) {
  const std::uint32_t lane = threadIdx.x % 32;
  const Posed taken = queue.entry[lane];
  const Posed moved = queue.entry[32 + lane];
  __syncwarp();
  queue.entry[lane] = moved;
  size -= 32;
  __syncwarp();
  return taken;
}

constexpr std::uint32_t kLengthEntries = 2 * kMostLengthSteps + 1;
constexpr std::uint32_t kBelowEntries = kMostPitch + 2;

/// Query::where and so on.
template <class Word>
struct OrderTables {
  Word where[kMostPitch + 1];
  Word alike[kLengthEntries];
  Word next[kNextClasses];
};

template <class Word>
struct OrderMemory {
  OrderTables<Word> query[kGainQueries];
  std::uint8_t below[kGainQueries][kBelowEntries];
  Melody melody[kGainQueries];
  OrderQueue posed[kOrderWarps];
  OrderQueue ordered[kOrderWarps];
  BestOrders best[kOrderWarps][kPairsTogether];
};

/// Notes of the pair in the same order.
template <class Word>
__device__ std::uint32_t common_order(const DeviceSlice& slice, const OrderMemory<Word>& memory, const Posed& one) {
  const Melody& melody = slice.melodies[one.document];
  const std::uint32_t* const pitches = slice.pitches + melody.first_note / 4;
  const std::uint32_t words = (melody.notes + 3U) / 4;
  const Word* const where = memory.query[one.row].where;
  CommonOrder<Word> order;
  for (std::uint32_t w = 0; w < words; ++w) {
    // Behind the last note there are pitches that no query has (kNoPitches).
    const std::uint32_t four = pitches[w];
    RONDO_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) order.add(notes_at<Word>(where, (four >> (8 * j)) & 255U, one.transposition));
  }
  return ones_in(order.paired(memory.melody[one.row].notes));
}

/// One of several lanes that may have the same pair: whatever is not among the best goes on to the second place.
__device__ void add_order(BestOrders& best, std::uint32_t list, std::uint32_t order) {
  const std::uint32_t before = atomicMax(&best.order[list][0], order);
  atomicMax(&best.order[list][1], min(before, order));
}

/// Makes items of those of the lanes' entries that can gain enough in order.
template <class Word>
__device__ void gain_order(const FilterTask& task, const OrderMemory<Word>& memory, const GainUnits& units,
                           bool has_one, const Posed& one, std::uint32_t first) {
  bool kept = false;
  if (has_one) {
    const Melody document = task.slice.melodies[one.document];
    const Melody& query = memory.melody[one.row];
    kept = gain_in_order<Word>(units, memory.query[one.row], query.notes, task.slice.notes + document.first_note,
                               document.notes, one.transposition,
                               one.common) >= order_need(task.rule, query, document).gain;
  }
  const std::uint32_t votes = __ballot_sync(kWholeWarp, kept);
  if (votes == 0) return;
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t at = 0;
  if (lane == 0) at = atomicAdd(&task.counters->items, ones_in(votes));
  at = __shfl_sync(kWholeWarp, at, 0) + ones_in(votes & ((1U << lane) - 1));
  if (kept && at < task.most_items) task.items[at] = {first + one.row, one.document, one.transposition};
}

template <class Word>
__global__ __launch_bounds__(kOrderThreads) void order_gains(FilterTask task, GainRoom room) {
  extern __shared__ uint4 raw[];
  auto& memory = *reinterpret_cast<OrderMemory<Word>*>(raw);
  const std::uint32_t first = task.first_query + blockIdx.y * kGainQueries;
  const std::uint32_t queries = min(kGainQueries, task.end_query - first);
  const std::uint32_t tile = room.first_tile + blockIdx.y;
  const std::uint32_t pairs = task.counters->waiting[tile];
  if (pairs > room.capacity) return;  // the same again, with fewer documents
  for (std::uint32_t q = 0; q < queries; ++q) {
    const Query& query = task.queries[first + q];
    if (threadIdx.x <= kMostPitch) memory.query[q].where[threadIdx.x] = static_cast<Word>(query.where[threadIdx.x]);
    if (threadIdx.x < kLengthEntries) {
      memory.query[q].alike[threadIdx.x] = static_cast<Word>(query.alike[threadIdx.x]);
    }
    if (threadIdx.x < kNextClasses) memory.query[q].next[threadIdx.x] = static_cast<Word>(query.next[threadIdx.x]);
    if (threadIdx.x < kBelowEntries) memory.below[q][threadIdx.x] = query.below[threadIdx.x];
    if (threadIdx.x == 0) memory.melody[q] = query.melody;
  }
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  OrderQueue& posed = memory.posed[warp];
  OrderQueue& ordered = memory.ordered[warp];
  // Whole queues are copied, whatever is in them.
  posed.entry[lane] = posed.entry[32 + lane] = ordered.entry[lane] = ordered.entry[32 + lane] = Posed{};
  __syncthreads();
  const GainUnits units = gain_units(task.slice.costs->of[1]);
  BestOrders* const best = memory.best[warp];
  const bool either = task.rule.both == 0;
  const auto compare = [&](bool has_one, const Posed& one) {
    if (!has_one) return;
    const std::uint32_t common = common_order<Word>(task.slice, memory, one);
    if (common < one.common) return;
    const bool document_asks = asks_document(task.rule, memory.melody[one.row], task.slice.melodies[one.document]);
    order_lists(either, document_asks, common, one.transposition,
                [&](std::uint32_t list, std::uint32_t order) { add_order(best[one.pair], list, order); });
  };
  std::uint32_t waiting = 0;
  std::uint32_t in_order = 0;
  const Waiting* const list = room.lists + std::size_t{tile} * room.capacity;
  for (std::uint32_t begin = (blockIdx.x * kOrderWarps + warp) * kPairsTogether; begin < pairs;
       begin += gridDim.x * kOrderWarps * kPairsTogether) {
    Posed of_lane[kPairsTogether / 32];
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < kPairsTogether / 32; ++k) {
      const std::uint32_t number = 32 * k + lane;
      Waiting pair{0, 0};
      if (begin + number < pairs) pair = list[begin + number];
      best[number] = BestOrders{};
      Posed one{};
      one.row = static_cast<std::uint8_t>(pair.place >> kWaitingQueryBit);
      one.document = task.begin + (pair.place & ((1U << kWaitingQueryBit) - 1));
      one.pair = static_cast<std::uint8_t>(number);
      const Melody melody = task.slice.melodies[one.document];
      const Melody& query = memory.melody[one.row];
      const std::uint32_t need = order_need(task.rule, query, melody).common;
      one.common = static_cast<std::uint8_t>(need);
      of_lane[k] = one;
      RingWalk walk(pair.rows, query.range, melody.range);
      for (;;) {
        std::int32_t transposition = 0;
        const bool more = walk.next(memory.below[one.row], need, transposition);
        if (__any_sync(kWholeWarp, more) == 0) break;
        one.transposition = static_cast<std::int8_t>(transposition);
        append(posed, waiting, more, one);
        if (waiting >= 32) compare(true, take_32(posed, waiting));
      }
    }
    compare(lane < waiting, posed.entry[lane]);
    waiting = 0;
    __syncwarp();
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < kPairsTogether / 32; ++k) {
      const BestOrders& own = best[32 * k + lane];
      Posed one = of_lane[k];
      for (std::uint32_t i = 0; i < (either ? 4U : 2U); ++i) {
        // Of two lists only one is filled unless both melodies may ask.
        const std::uint32_t at = either ? i / 2 : (is_order(own.order[0][0]) ? 0 : 1);
        const bool has_one = own.has(at, i % 2);
        one.common = static_cast<std::uint8_t>(own.order[at][i % 2] / 256);
        one.transposition = static_cast<std::int8_t>(listed_transposition(at, own.order[at][i % 2]));
        append(ordered, in_order, has_one, one);
        if (in_order >= 32) gain_order<Word>(task, memory, units, true, take_32(ordered, in_order), first);
      }
    }
    __syncwarp();
  }
  gain_order<Word>(task, memory, units, lane < in_order, ordered.entry[lane], first);
}

template <class Word>
cudaError_t order_on_card(const FilterTask& task, const GainRoom& room, dim3 grid, cudaStream_t stream) {
  order_gains<Word><<<grid, kOrderThreads, sizeof(OrderMemory<Word>), stream>>>(task, room);
  return cudaGetLastError();
}

}  // namespace

cudaError_t allow_gain_bound_memory() {
  const auto allow = [](auto kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  };
  cudaError_t status = allow(bound_gains, sizeof(GainMemory));
  if (status == cudaSuccess) status = allow(order_gains<std::uint32_t>, sizeof(OrderMemory<std::uint32_t>));
  if (status == cudaSuccess) status = allow(order_gains<std::uint64_t>, sizeof(OrderMemory<std::uint64_t>));
  return status;
}

cudaError_t fill_gains_on_card(const DeviceSlice& slice, std::uint32_t documents, GainPlanes* planes, GainNeed* needs) {
  if (documents == 0) return cudaSuccess;
  fill_documents<<<(documents + kFillThreads - 1) / kFillThreads, kFillThreads>>>(slice, documents, planes, needs);
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}

cudaError_t fill_query_gains_on_card(const DeviceSlice& slice, const Query* queries, std::uint32_t count,
                                     GainPlanes* planes, GainNeed* needs, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  fill_queries<<<(count + kFillThreads - 1) / kFillThreads, kFillThreads, 0, stream>>>(slice.costs, queries, count,
                                                                                       planes, needs);
  return cudaGetLastError();
}

cudaError_t bound_gains_on_card(const FilterTask& task, const GainRoom& room, std::uint32_t multiprocessors,
                                cudaStream_t stream) {
  if (task.first_query == task.end_query) return cudaSuccess;
  const std::uint32_t tiles = gain_tiles(task.end_query - task.first_query);
  const std::uint32_t blocks =
      (task.end - task.begin + kGainWarps * kWarpDocuments - 1) / (kGainWarps * kWarpDocuments);
  // A few blocks for each multiprocessor, so that none ends long after the others; not more, as each prepares the rows
  // of its queries.
  constexpr std::uint32_t kRounds = 4;
  const std::uint32_t most = (multiprocessors * kRounds + tiles - 1) / tiles;
  bound_gains<<<dim3(std::min(blocks, most), tiles), kGainThreads, sizeof(GainMemory), stream>>>(task, room);
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) return status;
  const dim3 grid((multiprocessors * kRounds + tiles - 1) / tiles, tiles);
  const bool are_short = task.short_queries;
  return are_short ? order_on_card<std::uint32_t>(task, room, grid, stream)
                   : order_on_card<std::uint64_t>(task, room, grid, stream);
}

}  // namespace rondo::gpu
