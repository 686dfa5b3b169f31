#include "rondo/evaluation/evaluate.h"

#include <fmt/format.h>

#include <iterator>

#include "bench/bench.h"

namespace rondo::bench {

Result<std::vector<Measurement>> bench_evaluate(const Options& options) {
  constexpr std::uint64_t kResults = 1000;
  std::string run_text;
  std::string truth_text;
  for (std::uint64_t q = 0; q < options.count; ++q) {
    for (std::uint64_t d = 0; d < kResults; ++d) {
      const std::uint64_t document = (d * 7919 + q * 104'729) % 500'000;
      fmt::format_to(std::back_inserter(run_text), "q{} Q0 rism-{:09} {} {} speed\n", q, document, d + 1, kResults - d);
      if (d % 11 == 0) fmt::format_to(std::back_inserter(truth_text), "q{} 0 rism-{:09} {}\n", q, document, d % 5);
    }
  }
  namespace ev = rondo::evaluation;
  Diagnostics warnings;
  MemorySource truth_source(truth_text);
  auto truth = ev::read_truth(truth_source, {}, warnings);
  if (!truth) return fail(truth.error());
  truth->collection_size = 1'000'000;
  const auto measures = ev::parse_measures("all");
  if (!measures) return fail(measures.error());

  MemorySource run_source(run_text);
  Result<ev::Run> run;
  const double reading = seconds([&] { run = ev::read_run(run_source, {}, warnings); });
  if (!run) return fail(run.error());
  Error problem;
  const double measuring = best_seconds(3, [&] {
    auto judged = ev::judge(*truth, *run);
    if (!judged) {
      problem = judged.error();
      return;
    }
    const ev::Evaluation done = ev::evaluate(*judged, *measures);
    if (done.values.size() != measures->size()) problem.code = "bench-wrong";
  });
  if (!problem.code.empty()) return fail(problem);
  return std::vector<Measurement>{
      {"reading the run", reading, "s"},
      {"all measures", measuring, "s"},
      {"both", reading + measuring, "s", 1, false},
  };
}

}  // namespace rondo::bench
