#include "search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/bench.h"
#include "bench/material.h"
#include "generate/generate.h"
#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo::bench {
namespace {

double target_of(std::string_view system) {
  for (const char* name : {"shapeh", "shapel", "time", "spline"}) {
    if (system == name) return 10;
  }
  if (system == "ngr5") return 2;
  if (system == "shapetime") return 150;
  if (const std::size_t colon = system.find(':'); colon != std::string_view::npos) {
    // Of the spline family alone; of others, twice what the parts take.
    for (const char* part : {"P1", "P2", "P3", "GA", "Orio", "EMD", "PTD", "vk", "opti3", "pioi", "mongeau", "rondo"}) {
      if (system.substr(colon).find(part) != std::string_view::npos) return 0;
    }
    return 150;
  }
  if (system == "rrf" || system == "combsum" || system == "combmnz") return 2000;
  for (const char* name : {"GAR", "LDP", "mongeau-sankoff"}) {
    if (system == name) return 2000;
  }
  if (system == "PTD" || system == "EMD") return 3000;
  return system == "P1" || system == "P2" || system == "P3" ? 500 : 200;
}

struct Timing {
  double median = 0;
  double late = 0;  ///< 95th percentile
  double scored = 0;
  double bounded = 0;
};

Timing time_queries(const Index& index, const SystemRow& row, const System& system, const std::vector<Line>& queries,
                    double budget) {
  std::vector<double> times;
  Timing out;
  double spent = 0;
  for (const Line& query : queries) {
    if (spent > budget && times.size() >= 3) break;
    const double time = seconds([&] {
      const SearchResult result = search(index, row, system, query, {.k = 10});
      out.scored += static_cast<double>(result.scored);
      out.bounded += static_cast<double>(result.bounded);
    });
    times.push_back(time);
    spent += time;
  }
  out.scored /= static_cast<double>(times.size());
  out.bounded /= static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  out.median = 1000 * times[times.size() / 2];
  out.late = 1000 * times[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(times.size()))) - 1];
  return out;
}

}  // namespace

Result<std::vector<Measurement>> bench_search(const Options& options) {
  auto chosen = wanted_systems(options);
  if (!chosen) return fail(chosen.error());
  auto material = build_material(options, options.count);
  if (!material) return fail(material.error());
  const double count = material->incipits;
  std::vector<Measurement> out;
  out.push_back({"index built, without generating the melodies", material->building, "s", 60 * count / 1e6, false});
  out.push_back({"index, bytes per incipit", material->bytes / count, "bytes", 150, false});
  out.push_back({"index opened, every checksum verified", 1000 * material->opening, "ms", 50 * count / 1e6, false});
  const Index index(material->snapshot);
  const std::vector<Line> queries = make_queries(options.seed, options.count, 60);
  for (ChosenSystem& one : *chosen) {
    teach(index, *one.system);
    const double all = exhaustive(index, *one.system, queries.front());
    const Timing timing = time_queries(index, *one.row, *one.system, queries, 10);
    out.push_back({fmt::format("{}: median", one.name), timing.median, "ms",
                   target_of(one.name) * std::max(0.01, count / 1e6), false});
    out.push_back({fmt::format("{}: p95", one.name), timing.late, "ms"});
    out.push_back({fmt::format("{}: bounded individually", one.name), timing.bounded, ""});
    out.push_back({fmt::format("{}: scored", one.name), timing.scored, ""});
    out.push_back({fmt::format("{}: speed-up", one.name), all / timing.median, ""});
    one.system.reset();  // what it learnt may be large
  }
  return out;
}

Result<std::vector<Measurement>> bench_growth(const Options& options) {
  if (auto known = wanted_systems(options); !known) return fail(known.error());
  constexpr std::uint64_t kSizes[] = {1'000, 10'000, 100'000, 1'000'000, 2'000'000};
  if (options.count < kSizes[0]) {
    return fail("bench-too-small", fmt::format("the smallest size is {} incipits", kSizes[0]), {},
                "give a larger --count");
  }
  std::vector<Measurement> out;
  for (const std::uint64_t size : kSizes) {
    if (size > options.count) break;
    auto material = build_material(options, size);
    if (!material) return fail(material.error());
    const Index index(material->snapshot);
    const std::vector<Line> queries = make_queries(options.seed, size, 40);
    auto chosen = wanted_systems(options);
    if (!chosen) return fail(chosen.error());
    for (ChosenSystem& one : *chosen) {
      teach(index, *one.system);
      const double all = exhaustive(index, *one.system, queries.front());
      const Timing timing = time_queries(index, *one.row, *one.system, queries, 5);
      const std::string among = fmt::format("{:.0f} incipits", material->incipits);
      out.push_back({fmt::format("{}: {}", one.name, among), timing.median, "ms"});
      out.push_back({fmt::format("{}: {}, speed-up", one.name, among), all / timing.median, ""});
      one.system.reset();  // what it learnt may be large
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Measurement& a, const Measurement& b) {
    return a.what.substr(0, a.what.find(':')) < b.what.substr(0, b.what.find(':'));
  });
  return out;
}

}  // namespace rondo::bench
