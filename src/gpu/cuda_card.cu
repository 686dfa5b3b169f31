// The card itself; compiled only with RONDO_CUDA. What a thread computes is in pair_score.h; here is how calls are
// divided into launches, and what happens when the card fails.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "gpu/cuda_slice.cuh"

namespace rondo::gpu {
namespace {

/// Pairs of one launch of the filter: enough to fill the card, few enough that what is left fits into the buffers.
constexpr std::uint64_t kPairsAtOnce = 96'000'000;
constexpr std::uint32_t kMostItems = 4'000'000;
constexpr std::size_t kWorkspaces = 4;

class CudaCard final : public Card {
 public:
  CudaCard(int device, std::string name, int multiprocessors)
      : device_(device), name_(std::move(name)), multiprocessors_(multiprocessors) {}
  ~CudaCard() override { (void)cudaSetDevice(device_); }

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] Result<std::unique_ptr<Slice>> load(const MelodySpan& melodies, const CostTables& costs,
                                                    SliceUse use) override {
    const char* const doing = "melodies were loaded";
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, doing);
    auto slice = std::make_unique<CudaSlice>(device_);
    const cudaError_t status = load_slice(melodies, costs, use, *slice);
    if (status != cudaSuccess) return failure(status, doing);
    return std::unique_ptr<Slice>(std::move(slice));
  }

  [[nodiscard]] Result<void> find_pairs(const PairTask& task, std::vector<CandidatePair>& out,
                                        StageCounts& counts) override {
    return with_workspace([&](Workspace& workspace) { return pairs_with(workspace, task, out, counts); });
  }

  [[nodiscard]] Result<void> totals(const TotalsTask& task, std::vector<std::int32_t>& out) override {
    return with_workspace([&](Workspace& workspace) -> Result<void> {
      const cudaError_t status = compute_totals(workspace, task, out);
      if (status != cudaSuccess) return failure(status, kComparing);
      return {};
    });
  }

  /// By the bound of total_bound.h where there is one, else by all totals.
  [[nodiscard]] Result<void> totals_above(const TotalsTask& task, std::vector<CandidatePair>& out) override {
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    const TotalTables tables(task.queries, slice.own_costs, slice.codes, slice.most_gap);
    return with_workspace([&](Workspace& workspace) -> Result<void> {
      if (!tables.tables().empty()) {
        if (auto done = bounded_above(workspace, task, tables, out); !done) return done;
      }
      if (tables.others().empty()) return {};
      return all_above(workspace, task, tables.others(), out);
    });
  }

 private:
  /// Bytes that can be allocated now.
  [[nodiscard]] static std::uint64_t free_memory() {
    std::size_t available = 0;
    std::size_t all = 0;
    return cudaMemGetInfo(&available, &all) == cudaSuccess ? available : 0;
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

  /// The same by all totals of these queries.
  [[nodiscard]] Result<void> all_above(Workspace& workspace, const TotalsTask& task,
                                       const std::vector<std::uint32_t>& numbers, std::vector<CandidatePair>& out) {
    std::vector<Query> queries;
    for (const std::uint32_t q : numbers) queries.push_back(task.queries[q]);
    std::vector<std::int32_t> totals;
    const cudaError_t status = compute_totals(workspace, {task.slice, queries}, totals);
    if (status != cudaSuccess) return failure(status, kComparing);
    const std::uint32_t documents = static_cast<const CudaSlice&>(*task.slice).documents;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::uint32_t d = 0; d < documents; ++d) {
        const std::int32_t total = totals[q * documents + d];
        if (total != kNoTotal && total >= queries[q].melody.least_total) out.push_back({numbers[q], d, total});
      }
    }
    return {};
  }

  /// [query][document]
  [[nodiscard]] static cudaError_t compute_totals(Workspace& workspace, const TotalsTask& task,
                                                  std::vector<std::int32_t>& out) {
    const auto& slice = static_cast<const CudaSlice&>(*task.slice);
    const std::size_t documents = slice.documents;
    out.assign(task.queries.size() * documents, kNoTotal);
    // As many queries at once as 64 million totals allow.
    const std::size_t together =
        std::clamp<std::size_t>((std::size_t{64} << 20U) / std::max<std::size_t>(1, documents), 1, kMostQueries);
    cudaError_t status = cudaSuccess;
    for (std::size_t first = 0; first < task.queries.size() && status == cudaSuccess; first += together) {
      const auto queries = task.queries.subspan(first, std::min(together, task.queries.size() - first));
      status = workspace.totals.grow(queries.size() * documents);
      if (status == cudaSuccess) {
        status = cudaMemcpyAsync(workspace.queries.data(), queries.data(), queries.size_bytes(), cudaMemcpyHostToDevice,
                                 workspace.stream.get());
      }
      TotalsLaunch launch{slice.view(), workspace.queries.data(), 0, 0, 0, slice.documents, workspace.totals.data()};
      for (std::size_t b = 0; b < std::size(CudaSlice::kBounds) && status == cudaSuccess; ++b) {
        launch.end = slice.up_to[b];
        if (launch.end <= launch.begin) continue;
        status =
            totals_on_card(launch, std::min(slice.most_notes, CudaSlice::kBounds[b]), queries, workspace.stream.get());
        launch.begin = launch.end;
      }
      if (status != cudaSuccess) break;
      status = workspace.stream.fetch(out.data() + first * documents, workspace.totals.data(),
                                      queries.size() * documents * sizeof(std::int32_t));
    }
    return status;
  }

  static constexpr const char* kComparing = "melodies were compared";

  [[nodiscard]] Result<void> pairs_with(Workspace& workspace, const PairTask& task, std::vector<CandidatePair>& out,
                                        StageCounts& counts) {
    // Short queries first, so that one launch has one kind.
    std::vector<Query> queries;
    std::vector<std::uint32_t> number;
    const auto take = [&](bool short_ones) {
      for (std::uint32_t q = 0; q < task.queries.size(); ++q) {
        if ((task.queries[q].melody.notes < 32) != short_ones) continue;
        queries.push_back(task.queries[q]);
        number.push_back(q);
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
    own.most_items = workspace.most_items;
    own.rule = task.rule;
    own.totals = wanted.totals;
    own.items = workspace.items.data();
    own.counters = workspace.counters.data();
    cudaError_t status = cudaMemsetAsync(own.counters, 0, sizeof(Counters), workspace.stream.get());
    if (status == cudaSuccess) status = bounds(own, columns);
    if (status != cudaSuccess) return status;
    const std::uint32_t aligned = wanted.totals ? columns : std::max(columns, query_notes);
    status = align_on_card(own, aligned, workspace.found.data(), static_cast<std::uint32_t>(multiprocessors_),
                           workspace.stream.get());
    if (status == cudaSuccess) status = workspace.stream.fetch(&seen, own.counters, sizeof seen);
    return status;
  }

  /// work(a workspace that no other thread uses)
  template <class Work>
  [[nodiscard]] Result<void> with_workspace(const Work& work) {
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) return failure(status, kComparing);
    Workspace* workspace = nullptr;
    if (auto got = acquire(workspace); !got) return got;
    auto done = work(*workspace);
    {
      const std::lock_guard lock(mutex_);
      idle_.push_back(workspace);
    }
    released_.notify_one();
    return done;
  }

  /// Makes one more workspace as long as there are few.
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

  int device_;
  std::string name_;
  int multiprocessors_;
  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  std::vector<Workspace*> idle_;
};

}  // namespace

Result<std::shared_ptr<Card>> open_real_card() {
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
  if (asked == cudaSuccess) asked = allow_align_memory();
  if (asked == cudaSuccess) asked = allow_total_bound_memory();
  if (asked == cudaSuccess) asked = allow_gain_bound_memory();
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
