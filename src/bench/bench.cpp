#include "bench/bench.h"

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

namespace rondo::bench {
namespace {

constexpr std::array kBenchmarks = {
    Benchmark{"pae", "parsing of Plaine & Easie notation", 100'000, bench_pae},
    Benchmark{"packed", "packing and unpacking of melodies", 200'000, bench_packed},
    Benchmark{"generate", "the generator", 200'000, bench_generate},
    Benchmark{"import", "import of a generated MARCXML file", 1'000'000, bench_import},
    Benchmark{"features", "features, filters and distances over a collection", 1'000'000, bench_features},
    Benchmark{"evaluate", "queries of 1,000 results each under all measures", 1'000, bench_evaluate},
    Benchmark{"search", "exact search for the best 10 among 20-note incipits", 100'000, bench_search},
    Benchmark{"growth", "search time by the number of incipits", 100'000, bench_growth},
    Benchmark{"concordances", "all pairs of incipits above a threshold, compared with a search for each incipit",
              100'000, bench_concordances},
    Benchmark{"card", "exact search for the best 10 on a graphics card", 1'000'000, bench_card},
    Benchmark{"queries", "search by the length of the query, and with queries made to be expensive", 100'000,
              bench_queries},
    Benchmark{"service", "complete searches with every option, over a collection file", 100'000, bench_service},
    Benchmark{"serve", "a server under four times its capacity", 100'000, bench_serve},
    Benchmark{"systems", "pairs of 20-note melodies scored by each system", 20'000, bench_systems},
};

}  // namespace

std::span<const Benchmark> benchmarks() { return kBenchmarks; }

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

double busy_seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double start = now();
  work();
  return now() - start;
}

double best_seconds(int times, const std::function<void()>& work) {
  double best = seconds(work);
  for (int i = 1; i < times; ++i) best = std::min(best, seconds(work));
  return best;
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string machine() {
  std::string processor = "unknown processor";
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  }
  utsname system{};
  uname(&system);
  return processor + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, " + system.sysname + " " +
         system.machine;
}

}  // namespace rondo::bench
