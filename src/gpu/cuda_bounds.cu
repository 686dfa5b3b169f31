// Bounds on the card; compiled only with RONDO_CUDA. What a thread computes is in the queries of bound_query.h; here is
// how the work is spread over threads.
#include <cstring>
#include <type_traits>

#include "gpu/cuda_bounds.cuh"

namespace rondo::gpu {
namespace {

constexpr std::uint32_t kBoundThreads = 128;  ///< one document each
/// Documents of a block, one after the other: the query lies in shared memory but once for all of them.
constexpr std::uint32_t kTileDocuments = 8 * kBoundThreads;
/// Bounds of one call: 256 MB.
constexpr std::size_t kMostBounds = std::size_t{64} << 20U;
constexpr std::size_t kMostRows = 64;

/// Documents with fewer notes take less shared memory.
constexpr std::uint32_t kNoteClasses[] = {24, 32, 48, kMostLineNotes};

struct DeviceLines {
  const LineDocument* documents;
  const std::uint32_t* pitches;  ///< four in a word
  const std::uint32_t* places;   ///< the same
  const TimeCurve* times;
  std::uint32_t count;
};

class CudaLines final : public Slice {
 public:
  explicit CudaLines(int device) : device_(device) {}
  ~CudaLines() override { (void)cudaSetDevice(device_); }
  [[nodiscard]] DeviceLines view() const {
    return {documents.data(), pitches.data(), places.data(), times.data(), count};
  }
  DeviceBuffer<LineDocument> documents;
  DeviceBuffer<std::uint32_t> pitches;
  DeviceBuffer<std::uint32_t> places;
  DeviceBuffer<TimeCurve> times;
  std::uint32_t count = 0;
  /// Tiles whose documents have at most so many notes.
  struct Tiles {
    DeviceBuffer<std::uint32_t> numbers;
    std::uint32_t count = 0;
  };
  Tiles tiles[std::size(kNoteClasses)];

 private:
  int device_;
};

/// A document of a thread; its bytes lie in shared memory, [word][thread].
struct SharedLine {
  const std::uint32_t* pitches;
  const std::uint32_t* places;
  const TimeCurve* times;
  std::uint32_t notes;
  __device__ std::uint32_t pitch(std::uint32_t j) const { return byte(pitches, j); }
  __device__ std::uint32_t place(std::uint32_t j) const { return byte(places, j); }
  __device__ TimeCurve time(std::uint32_t j) const { return times[j]; }

 private:
  static __device__ std::uint32_t byte(const std::uint32_t* words, std::uint32_t j) {
    return (words[(j / 4) * kBoundThreads] >> (8 * (j % 4))) & 255U;
  }
};

struct BoundCells {
  std::int32_t* own;
  __device__ std::int32_t& operator[](std::uint32_t j) const { return own[j * kBoundThreads]; }
};

template <class Query>
constexpr bool kNeedsPlaces = std::is_same_v<Query, CoincidingBound>;

template <class Query>
constexpr std::size_t bound_memory(std::uint32_t notes) {
  const std::size_t words = (notes + 3) / 4 * (kNeedsPlaces<Query> ? 2 : 1);
  return (words + (Query::kShared != 0 ? Query::kShared * (notes + 1) : 0)) * kBoundThreads * sizeof(std::uint32_t);
}

/// A block has a tile of documents and one query.
template <class Query>
__global__ __launch_bounds__(kBoundThreads) void bound_documents(DeviceLines lines, const std::uint32_t* tiles,
                                                                 const Query* queries, const BoundRow* rows,
                                                                 std::uint32_t first_row, std::uint32_t most_notes,
                                                                 std::int32_t* bounds, std::uint32_t* counts) {
  extern __shared__ std::uint32_t line_memory[];
  __shared__ std::uint32_t in_step[kBoundSteps];
  __shared__ alignas(8) std::uint32_t query_words[sizeof(Query) / 4];
  static_assert(sizeof(Query) % 4 == 0 && std::is_trivially_copyable_v<Query>);
  const auto* const from = reinterpret_cast<const std::uint32_t*>(queries + blockIdx.y);
  for (std::uint32_t i = threadIdx.x; i < sizeof(Query) / 4; i += kBoundThreads) query_words[i] = from[i];
  for (std::uint32_t i = threadIdx.x; i < kBoundSteps; i += kBoundThreads) in_step[i] = 0;
  __syncthreads();
  const Query& query = *reinterpret_cast<const Query*>(query_words);
  const std::uint32_t row = first_row + blockIdx.y;
  const std::uint64_t* const allowed = rows[row].allowed;
  const BoundSteps steps(query.most);
  std::uint32_t* const pitches = line_memory + threadIdx.x;
  const std::uint32_t words_of_line = (most_notes + 3) / 4;
  std::uint32_t* const places = pitches + words_of_line * kBoundThreads;
  BoundCells cells{reinterpret_cast<std::int32_t*>(places)};  // no query needs both
  static_assert(!kNeedsPlaces<Query> || Query::kShared == 0);
  const std::uint32_t begin = tiles[blockIdx.x] * kTileDocuments;
  const std::uint32_t end = min(begin + kTileDocuments, lines.count);
  for (std::uint32_t d = begin + threadIdx.x; d < end; d += kBoundThreads) {
    const LineDocument document = lines.documents[d];
    std::int32_t bound = kNoBound;
    if (document.notes != 0 && document.notes >= query.least_notes && (query.only_whole == 0 || document.whole != 0) &&
        (allowed == nullptr || ((allowed[d / 64] >> (d % 64)) & 1U) != 0)) {
      for (std::uint32_t word = 0; word * 4 < document.notes; ++word) {
        pitches[word * kBoundThreads] = lines.pitches[document.first_note / 4 + word];
        if constexpr (kNeedsPlaces<Query>) {
          places[word * kBoundThreads] = lines.places[document.first_note / 4 + word];
        }
      }
      bound = query.bound(SharedLine{pitches, places, lines.times + document.first_note, document.notes}, cells);
      if (bound != kNoBound) atomicAdd(&in_step[steps.of(bound)], 1U);
    }
    bounds[std::size_t{row} * lines.count + d] = bound;
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < kBoundSteps; i += kBoundThreads) {
    if (in_step[i] != 0) atomicAdd(&counts[row * kBoundSteps + i], in_step[i]);
  }
}

/// What reaches a row's least bound.
__global__ __launch_bounds__(256) void give_bounded(const std::int32_t* bounds, std::uint32_t documents,
                                                    const BoundRow* rows, std::uint32_t* given,
                                                    BoundedDocument* answers) {
  const std::uint32_t row = blockIdx.y;
  const std::int32_t least = rows[row].least;
  for (std::uint32_t d = blockIdx.x * blockDim.x + threadIdx.x; d < documents; d += gridDim.x * blockDim.x) {
    const std::int32_t bound = bounds[std::size_t{row} * documents + d];
    if (bound == kNoBound || bound < least) continue;
    const std::uint32_t at = atomicAdd(&given[row], 1U);
    if (at < kMostBounded) answers[std::size_t{row} * kMostBounded + at] = {d, bound};
  }
}

/// Requests of one call, in the order of their kinds.
struct BoundCall {
  BoundWorkspace& workspace;
  cudaStream_t stream;
  const CudaLines& lines;
  std::vector<const BoundRequest*> requests{};
  std::vector<std::byte> queries{};
  std::size_t at = 0;  ///< in these
  std::uint32_t row = 0;

  /// Appends the queries of one kind. How many.
  template <class Query>
  [[nodiscard]] std::uint32_t take(std::span<const BoundRequest> from, std::vector<std::size_t>& order) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto* const query = std::get_if<Query>(from[i].query);
      if (query == nullptr) continue;
      const std::size_t end = queries.size();
      queries.resize(end + sizeof(Query));
      std::memcpy(queries.data() + end, query, sizeof(Query));
      requests.push_back(&from[i]);
      order.push_back(i);
      ++count;
    }
    queries.resize((queries.size() + 15) / 16 * 16);
    return count;
  }

  template <class Query>
  [[nodiscard]] cudaError_t launch(std::uint32_t count) {
    const auto* const own = reinterpret_cast<const Query*>(workspace.queries.data() + at);
    const std::uint32_t first = row;
    at += (count * sizeof(Query) + 15) / 16 * 16;
    row += count;
    cudaError_t status = cudaSuccess;
    for (std::size_t c = 0; c < std::size(kNoteClasses) && count != 0 && status == cudaSuccess; ++c) {
      const CudaLines::Tiles& tiles = lines.tiles[c];
      if (tiles.count == 0) continue;
      const dim3 grid(tiles.count, count);
      bound_documents<Query><<<grid, kBoundThreads, bound_memory<Query>(kNoteClasses[c]), stream>>>(
          lines.view(), tiles.numbers.data(), own, workspace.rows.data(), first, kNoteClasses[c],
          workspace.bounds.data(), workspace.counts.data());
      status = cudaGetLastError();
    }
    return status;
  }
};

template <class T>
cudaError_t send(DeviceBuffer<T>& to, std::span<const T> from, cudaStream_t stream) {
  cudaError_t status = to.grow(from.size());
  if (status == cudaSuccess && !from.empty()) {
    status = cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream);
  }
  return status;
}

template <std::size_t... kKinds>
cudaError_t find_some_bounded(BoundWorkspace& workspace, const Stream& queue, const CudaLines& lines,
                              std::span<const BoundRequest> requests, std::span<BoundAnswer> out,
                              std::index_sequence<kKinds...> /*kinds*/) {
  const std::size_t count = requests.size();
  cudaStream_t stream = queue.get();
  BoundCall call{workspace, stream, lines};
  std::vector<std::size_t> order;
  const std::uint32_t of_kind[] = {call.take<std::variant_alternative_t<kKinds, BoundQuery>>(requests, order)...};
  std::vector<std::uint64_t> allowed;
  for (const BoundRequest* one : call.requests) allowed.insert(allowed.end(), one->allowed.begin(), one->allowed.end());
  cudaError_t status = send<std::uint64_t>(workspace.allowed, allowed, stream);
  if (status == cudaSuccess) status = send<std::byte>(workspace.queries, call.queries, stream);
  std::vector<BoundRow> rows;
  std::size_t at = 0;
  for (const BoundRequest* one : call.requests) {
    rows.push_back({one->allowed.empty() ? nullptr : workspace.allowed.data() + at, one->least});
    at += one->allowed.size();
  }
  if (status == cudaSuccess) status = send<BoundRow>(workspace.rows, rows, stream);
  if (status == cudaSuccess) status = workspace.bounds.grow(count * lines.count);
  if (status == cudaSuccess) status = workspace.counts.grow(count * kBoundSteps);
  if (status == cudaSuccess) status = workspace.given.grow(count);
  if (status == cudaSuccess) status = workspace.answers.grow(count * kMostBounded);
  const auto clear = [&](DeviceBuffer<std::uint32_t>& buffer, std::size_t numbers) {
    if (status == cudaSuccess) status = cudaMemsetAsync(buffer.data(), 0, numbers * sizeof(std::uint32_t), stream);
  };
  clear(workspace.counts, count * kBoundSteps);
  clear(workspace.given, count);
  (
      [&] {
        if (status == cudaSuccess) {
          status = call.launch<std::variant_alternative_t<kKinds, BoundQuery>>(of_kind[kKinds]);
        }
      }(),
      ...);
  std::vector<std::uint32_t> counts(count * kBoundSteps);
  const auto fetch = [&](auto& to, const auto& from) {
    if (status == cudaSuccess) status = queue.fetch(to.data(), from.data(), to.size() * sizeof(to[0]));
  };
  fetch(counts, workspace.counts);
  if (status != cudaSuccess) return status;
  for (std::size_t r = 0; r < count; ++r) {
    if (rows[r].least != kNoBound) continue;
    const std::int32_t most = std::visit([](const auto& query) { return query.most; }, *call.requests[r]->query);
    const std::span<const std::uint32_t> own(counts.data() + r * kBoundSteps, kBoundSteps);
    rows[r].least = BoundSteps(most).least_for(own, call.requests[r]->wanted);
  }
  status = send<BoundRow>(workspace.rows, rows, stream);
  if (status == cudaSuccess) {
    const dim3 grid(std::min(1024U, (lines.count + 255) / 256), static_cast<unsigned>(count));
    give_bounded<<<grid, 256, 0, stream>>>(workspace.bounds.data(), lines.count, workspace.rows.data(),
                                           workspace.given.data(), workspace.answers.data());
    status = cudaGetLastError();
  }
  std::vector<std::uint32_t> given(count);
  fetch(given, workspace.given);
  if (status != cudaSuccess) return status;
  std::size_t most_given = 0;
  for (const std::uint32_t one : given) {
    if (one <= kMostBounded) most_given = std::max<std::size_t>(most_given, one);
  }
  std::vector<BoundedDocument> answers(count * most_given);
  if (most_given != 0) {
    constexpr std::size_t kRowBytes = kMostBounded * sizeof(BoundedDocument);
    status = cudaMemcpy2DAsync(answers.data(), most_given * sizeof(BoundedDocument), workspace.answers.data(),
                               kRowBytes, most_given * sizeof(BoundedDocument), count, cudaMemcpyDeviceToHost, stream);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (status != cudaSuccess) return status;
  }
  for (std::size_t r = 0; r < count; ++r) {
    BoundAnswer& answer = out[order[r]];
    answer.least = rows[r].least;
    answer.too_many = given[r] > kMostBounded;
    if (answer.too_many) continue;
    const auto first = answers.begin() + static_cast<std::ptrdiff_t>(r * most_given);
    answer.documents.assign(first, first + static_cast<std::ptrdiff_t>(given[r]));
  }
  return cudaSuccess;
}

constexpr auto kAllKinds = std::make_index_sequence<std::variant_size_v<BoundQuery>>();

template <std::size_t... kKinds>
cudaError_t allow_for(std::index_sequence<kKinds...> /*kinds*/) {
  cudaError_t status = cudaSuccess;
  (
      [&] {
        using Query = std::variant_alternative_t<kKinds, BoundQuery>;
        if (status == cudaSuccess) {
          status = cudaFuncSetAttribute(bound_documents<Query>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bound_memory<Query>(kMostLineNotes)));
        }
      }(),
      ...);
  return status;
}

}  // namespace

cudaError_t allow_bound_memory() { return allow_for(kAllKinds); }

Result<std::unique_ptr<Slice>> load_lines_onto(int device, const LineSpan& lines) {
  auto slice = std::make_unique<CudaLines>(device);
  slice->count = static_cast<std::uint32_t>(lines.documents.size());
  std::vector<std::uint32_t> tiles[std::size(kNoteClasses)];
  for (std::uint32_t begin = 0; begin < slice->count; begin += kTileDocuments) {
    std::uint32_t notes = 0;
    for (std::uint32_t d = begin; d < std::min(begin + kTileDocuments, slice->count); ++d) {
      notes = std::max<std::uint32_t>(notes, lines.documents[d].notes);
    }
    std::size_t c = 0;
    while (kNoteClasses[c] < notes) ++c;
    tiles[c].push_back(begin / kTileDocuments);
  }
  cudaError_t status = slice->documents.fill(lines.documents);
  const auto words = [&](DeviceBuffer<std::uint32_t>& to, std::span<const std::uint8_t> from) {
    if (status == cudaSuccess) status = to.allocate((from.size() + 3) / 4);
    if (status == cudaSuccess) status = cudaMemcpy(to.data(), from.data(), from.size(), cudaMemcpyHostToDevice);
  };
  words(slice->pitches, lines.pitches);
  words(slice->places, lines.places);
  if (status == cudaSuccess) status = slice->times.fill(lines.times);
  for (std::size_t c = 0; c < std::size(kNoteClasses); ++c) {
    slice->tiles[c].count = static_cast<std::uint32_t>(tiles[c].size());
    if (status == cudaSuccess) status = slice->tiles[c].numbers.fill(std::span<const std::uint32_t>(tiles[c]));
  }
  if (status != cudaSuccess) return failure(status, "melodies were loaded");
  return std::unique_ptr<Slice>(std::move(slice));
}

cudaError_t find_bounded(BoundWorkspace& workspace, const Stream& stream, const Slice& lines,
                         std::span<const BoundRequest> requests, std::vector<BoundAnswer>& out) {
  const auto& slice = static_cast<const CudaLines&>(lines);
  out.assign(requests.size(), {});
  const std::size_t together =
      std::clamp<std::size_t>(kMostBounds / std::max<std::size_t>(1, slice.count), 1, kMostRows);
  for (std::size_t first = 0; first < requests.size(); first += together) {
    const std::size_t count = std::min(together, requests.size() - first);
    const cudaError_t status = find_some_bounded(workspace, stream, slice, requests.subspan(first, count),
                                                 std::span(out).subspan(first, count), kAllKinds);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace rondo::gpu
