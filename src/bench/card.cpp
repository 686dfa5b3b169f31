// Many searches at once on a graphics card, as `run` and `serve` have them: from the query's notes to the list of hits.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "bench/bench.h"
#include "bench/material.h"
#include "search/card/card_search.h"
#include "search/card/device.h"

namespace rondo::bench {
namespace {

/// Queries that are under way at once: two batches of 64, of which the card computes one.
constexpr std::size_t kAsking = 128;
constexpr std::size_t kCardQueries = 8192;
/// Lists that are compared with those of the CPU.
constexpr std::size_t kCompared = 16;

std::vector<std::pair<std::int64_t, double>> hits_of(const SearchResult& result) {
  std::vector<std::pair<std::int64_t, double>> out;
  out.reserve(result.hits.size());
  for (const Found& hit : result.hits) out.emplace_back(static_cast<std::int64_t>(hit.piece), hit.score.value);
  return out;
}

struct CardMaterial {
  const Index& index;
  const ChosenSystem& system;
  CardSearch& card;
};

/// A search on the card. Errors: those of the card.
Result<SearchResult> search_on_card(const CardMaterial& on, const Line& query) {
  CardUse use{&on.card, false};
  SearchOptions options;
  options.k = 10;
  options.card = &use;
  SearchResult found = search(on.index, *on.system.row, *on.system.system, query, options);
  if (use.failure) return fail(*use.failure);
  return found;
}

SearchResult search_on_cpu(const CardMaterial& on, const Line& query, unsigned threads) {
  SearchOptions options;
  options.k = 10;
  options.threads = threads;
  return search(on.index, *on.system.row, *on.system.system, query, options);
}

/// `asking` threads take one query after the other; their times in seconds.
Result<std::vector<double>> ask_all(const CardMaterial& on, std::span<const Line> queries, std::size_t asking) {
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
            auto found = search_on_card(on, queries[i]);
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
  if (named.systems.empty()) named.systems = {std::string(kDefaultSystem)};
  auto systems = wanted_systems(named);
  if (!systems) return fail(systems.error());
  if (auto fine = device_for(Device::cuda, *systems); !fine) return fail(fine.error());
  std::vector<Measurement> out = {{"index built", material->building, "s"}};
  for (const ChosenSystem& system : *systems) {
    std::optional<Result<CardSearch>> loaded;
    const double loading = seconds([&] {
      loaded.emplace(CardSearch::load(index, std::get<RondoPlan>(system.system->plan()), *card, {threads, {}, {}}));
    });
    if (!*loaded) return fail(loaded->error());
    out.push_back({fmt::format("loaded for {}", system.name), loading, "s"});
    const CardMaterial on{index, system, **loaded};
    const std::vector<Line> queries = make_queries(options.seed, options.count, kCardQueries);
    std::vector<double> on_cpu;
    for (std::size_t i = 0; i < kCompared; ++i) {
      auto found = search_on_card(on, queries[i]);
      if (!found) return fail(found.error());
      SearchResult expected;
      on_cpu.push_back(seconds([&] { expected = search_on_cpu(on, queries[i], threads); }));
      if (hits_of(*found) != hits_of(expected)) {
        return fail("card-differs", fmt::format("{}: the list of query {} is not the CPU's", system.name, i));
      }
    }
    auto singly = ask_all(on, std::span(queries).subspan(0, 64), 1);
    if (!singly) return fail(singly.error());
    auto warm = ask_all(on, std::span(queries).subspan(0, 4 * kAsking), kAsking);
    if (!warm) return fail(warm.error());
    std::optional<Result<std::vector<double>>> times;
    const double all = seconds([&] { times.emplace(ask_all(on, queries, kAsking)); });
    if (!*times) return fail(times->error());
    const auto row = [&](const char* what, double value, const char* unit, double target, bool at_least) {
      out.push_back({fmt::format("{}: {}", system.name, what), value, unit, target, at_least});
    };
    row("queries a second, 128 at once", static_cast<double>(queries.size()) / all, "/s", 5000, true);
    row("median, single query", 1000 * quantile_of(*singly, 0.5), "ms", 0, false);
    row("median, 128 at once", 1000 * quantile_of(**times, 0.5), "ms", 0, false);
    row("p99, 128 at once", 1000 * quantile_of(**times, 0.99), "ms", 0, false);
    row("median, single query, all CPU cores", 1000 * quantile_of(on_cpu, 0.5), "ms", 0, false);
  }
  return out;
}

}  // namespace rondo::bench
