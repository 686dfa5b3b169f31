// Many searches at once on a graphics card, as `run` and `serve` have them: from the query's notes to the list of hits.

#include "gpu/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "bench/bench.h"
#include "bench/material.h"
#include "search/card_bounds.h"
#include "search/card_search.h"

namespace rondo::bench {
namespace {

/// Queries that are under way at once: two batches of 64, of which the card computes one.
constexpr std::size_t kAsking = 128;
constexpr std::size_t kCardQueries = 8192;
/// Lists that are compared with those of the CPU.
constexpr std::size_t kCompared = 16;

struct OnCard {
  std::optional<CardSearch> search{};
  std::optional<CardBounds> bounds{};
  std::atomic<std::size_t> left{0};  ///< queries for which the bounds leave too many documents, so that the CPU answers
};

std::vector<std::pair<std::int64_t, double>> hits_of(const SearchResult& result) {
  std::vector<std::pair<std::int64_t, double>> out;
  out.reserve(result.hits.size());
  for (const Found& hit : result.hits) out.emplace_back(static_cast<std::int64_t>(hit.piece), hit.score.value);
  return out;
}

/// A search on the card. Errors: those of the card.
Result<SearchResult> search_on(OnCard& on_card, const Index& index, const ChosenSystem& system, const Line& query) {
  CardUse use{on_card.search ? &*on_card.search : nullptr, on_card.bounds ? &*on_card.bounds : nullptr, false};
  SearchOptions options;
  options.k = 10;
  options.card = &use;
  SearchResult found = search(index, *system.row, *system.system, query, options);
  if (use.failure) return fail(*use.failure);
  if (found.method != "graphics card") ++on_card.left;
  return found;
}

/// `asking` threads take one query after the other; their times in seconds.
Result<std::vector<double>> ask_all(OnCard& on_card, const Index& index, const ChosenSystem& system,
                                    std::span<const Line> queries, std::size_t asking) {
  std::vector<double> times(queries.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::optional<Error> failure;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < asking; ++t) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < queries.size(); i = next++) {
          times[i] = seconds([&] {
            auto found = search_on(on_card, index, system, queries[i]);
            if (found) return;
            const std::lock_guard lock(mutex);
            failure = found.error();
            next = queries.size();
          });
        }
      });
    }
  }
  if (failure) return fail(*failure);
  return times;
}

double quantile_of(std::vector<double>& values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

}  // namespace

Result<std::vector<Measurement>> bench_card(const Options& options) {
  auto card = gpu::open_card();
  if (!card) {
    std::fputs((card.error().to_string() + "\n").c_str(), stderr);
    return std::vector<Measurement>();
  }
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  auto material = build_parts(options, options.count, std::min(threads, 16U));
  if (!material) return fail(material.error());
  const Index index(material->snapshot);
  Options named = options;
  if (named.systems.empty()) named.systems = {"rondo", "shapeh", "time", "P2", "ngr5", "shapel", "spline"};
  auto systems = wanted_systems(named);
  if (!systems) return fail(systems.error());
  std::vector<Measurement> out = {{"index built", material->building, "s"}};
  OnCard on_card;
  for (ChosenSystem& system : *systems) {
    const SearchPlan untaught = system.system->plan();
    const bool scored = CardSearch::can_search(untaught);
    if (!scored && !CardBounds::can_bound(*system.row, untaught)) {
      return gpu::unsupported_system(system.name, "docs/gpu.md lists those that it supports");
    }
    teach(index, *system.system);
    const SearchPlan plan = system.system->plan();
    const std::uint64_t before = (*card)->free_memory();
    std::optional<Error> failure;
    const bool loads = scored ? !on_card.search : !on_card.bounds;
    const double loading = seconds([&] {
      if (scored && loads) {
        auto loaded = CardSearch::load(index, std::get<RondoPlan>(plan), *card, {threads, {}, {}});
        if (loaded) {
          on_card.search.emplace(std::move(*loaded));
        } else {
          failure = loaded.error();
        }
      } else if (loads) {
        auto loaded = CardBounds::load(index, *card, threads, {});
        if (loaded) {
          on_card.bounds.emplace(std::move(*loaded));
        } else {
          failure = loaded.error();
        }
      }
    });
    if (failure) return fail(*failure);
    const std::uint64_t used = before - std::min(before, (*card)->free_memory());
    if (loads) {
      out.push_back({fmt::format("loaded for {}", system.name), loading, "s"});
      out.push_back({fmt::format("memory of the card for {}", system.name), static_cast<double>(used) / 1e6, "MB"});
    }
    const std::vector<Line> queries = make_queries(options.seed, options.count, kCardQueries);
    for (std::size_t i = 0; i < kCompared; ++i) {
      SearchOptions alone;
      alone.k = 10;
      alone.threads = threads;
      auto found = search_on(on_card, index, system, queries[i]);
      if (!found) return fail(found.error());
      if (hits_of(*found) != hits_of(search(index, *system.row, *system.system, queries[i], alone))) {
        return fail("card-differs", fmt::format("{}: the list of query {} is not the CPU's", system.name, i));
      }
    }
    auto singly = ask_all(on_card, index, system, std::span(queries).subspan(0, 64), 1);
    if (!singly) return fail(singly.error());
    auto warm = ask_all(on_card, index, system, std::span(queries).subspan(0, 4 * kAsking), kAsking);
    if (!warm) return fail(warm.error());
    std::optional<Result<std::vector<double>>> times;
    // Of a slow one fewer, so that it ends.
    double sum = 0;
    for (const double time : *warm) sum += time;
    const double rate = static_cast<double>(warm->size() * kAsking) / std::max(1e-9, sum);
    const std::size_t count = std::clamp<std::size_t>(
        static_cast<std::size_t>(options.seconds > 0 ? rate * options.seconds : rate * 2), 4 * kAsking, kCardQueries);
    on_card.left = 0;
    const double all =
        seconds([&] { times.emplace(ask_all(on_card, index, system, std::span(queries).subspan(0, count), kAsking)); });
    if (!*times) return fail(times->error());
    const auto row = [&](const char* what, double value, const char* unit, double target, bool at_least) {
      out.push_back({fmt::format("{}: {}", system.name, what), value, unit, target, at_least});
    };
    row("queries a second, 128 at once", static_cast<double>(count) / all, "/s", scored ? 5000 : 0, true);
    row("answered by the CPU", 100 * static_cast<double>(on_card.left) / static_cast<double>(count), "", 0, false);
    row("median, single query", 1000 * quantile_of(*singly, 0.5), "ms", 0, false);
    row("median, 128 at once", 1000 * quantile_of(**times, 0.5), "ms", 0, false);
    row("p99, 128 at once", 1000 * quantile_of(**times, 0.99), "ms", 0, false);
    std::vector<double> on_cpu;
    for (std::size_t i = 0; i < kCompared; ++i) {
      SearchOptions alone;
      alone.k = 10;
      alone.threads = threads;
      on_cpu.push_back(seconds([&] { (void)search(index, *system.row, *system.system, queries[i], alone); }));
    }
    row("median, single query, all CPU cores", 1000 * quantile_of(on_cpu, 0.5), "ms", 0, false);
    const std::string line = fmt::format("{}: {:.0f} queries a second, single query {:.3f} ms, CPU {:.3f} ms\n",
                                         system.name, static_cast<double>(count) / all,
                                         1000 * quantile_of(*singly, 0.5), 1000 * quantile_of(on_cpu, 0.5));
    std::fputs(line.c_str(), stderr);
  }
  return out;
}

}  // namespace rondo::bench
