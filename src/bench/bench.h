#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

/// Benchmarks: what `rondo bench` runs and docs/benchmarks.md records. Never part of the tests: machines are noisy.
namespace rondo::bench {

struct Options {
  std::uint64_t count = 0;  ///< size of the material; 0: the benchmark's own
  std::uint64_t seed = 1;
  std::string folder = "/tmp";         ///< where big files go
  std::vector<std::string> systems{};  ///< only these retrieval systems; none: all
  double seconds = 0;                  ///< how long load is put on a server; 0: the benchmark's own
  std::string more{};                  ///< a file or folder of real melodies to add, where a benchmark can
};

/// One line of the result.
struct Measurement {
  std::string what;
  double value = 0;
  std::string unit;
  double target = 0;  ///< 0: none
  bool at_least = true;
};

/// One row of the table of benchmarks. To add one: one file, one row in bench.cpp.
struct Benchmark {
  std::string_view name;
  std::string_view what;
  std::uint64_t count;  ///< standard size
  Result<std::vector<Measurement>> (*run)(const Options& options);
};

[[nodiscard]] std::span<const Benchmark> benchmarks();

/// Seconds of one call, on the wall clock.
[[nodiscard]] double seconds(const std::function<void()>& work);
/// Seconds of processor time that this process has used, all threads together.
[[nodiscard]] double processor_seconds();
/// Seconds of processor time of one call that stays on this thread: what others do on the machine counts little.
[[nodiscard]] double busy_seconds(const std::function<void()>& work);
/// The quickest of `times` calls: what the machine can do when nobody disturbs it.
[[nodiscard]] double best_seconds(int times, const std::function<void()>& work);
/// Peak resident memory of this process so far, in MB.
[[nodiscard]] double peak_memory();
/// Processor and system, for the heading of a table.
[[nodiscard]] std::string machine();

Result<std::vector<Measurement>> bench_card(const Options& options);
Result<std::vector<Measurement>> bench_concordances(const Options& options);
Result<std::vector<Measurement>> bench_evaluate(const Options& options);
Result<std::vector<Measurement>> bench_features(const Options& options);
Result<std::vector<Measurement>> bench_generate(const Options& options);
Result<std::vector<Measurement>> bench_growth(const Options& options);
Result<std::vector<Measurement>> bench_import(const Options& options);
Result<std::vector<Measurement>> bench_packed(const Options& options);
Result<std::vector<Measurement>> bench_pae(const Options& options);
Result<std::vector<Measurement>> bench_queries(const Options& options);
Result<std::vector<Measurement>> bench_search(const Options& options);
Result<std::vector<Measurement>> bench_serve(const Options& options);
Result<std::vector<Measurement>> bench_service(const Options& options);
Result<std::vector<Measurement>> bench_systems(const Options& options);

}  // namespace rondo::bench
