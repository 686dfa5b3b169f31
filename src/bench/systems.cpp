#include "bench/bench.h"
#include "generate/generate.h"
#include "rondo/similarity/system.h"

namespace rondo::bench {
namespace {

/// The first twenty notes of the generated melodies that have as many.
std::vector<Line> twenty_notes(std::uint64_t seed, std::size_t wanted) {
  const Generator generator(seed);
  std::vector<Line> lines;
  for (std::uint64_t i = 0; lines.size() < wanted; ++i) {
    Line line = make_line(generator.piece(i).voices.front());
    if (line.size() < 20) continue;
    line.pitch.resize(20);
    line.base40.resize(20);
    line.onset.resize(20);
    line.duration.resize(20);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Result<std::vector<Measurement>> bench_systems(const Options& options) {
  const std::vector<Line> lines = twenty_notes(options.seed, options.count);
  std::vector<Measurement> out;
  for (const SystemRow* row : systems()) {
    const auto system = row->make(Parameters(row->parameters));
    for (const Line& line : lines) system->learn(line);
    const auto query = system->prepare(lines.front());
    double sum = 0;
    const double time = best_seconds(3, [&] {
      for (const Line& line : lines) sum += query->score(line).value;
    });
    if (sum != sum) return fail("bench-wrong", std::string(row->name) + " gave a score that is no number");
    const double target = row->name == "P3" ? 10'000 : row->name == "EMD" || row->name == "PTD" ? 2'000 : 20'000;
    out.push_back({std::string(row->name) + ": pairs a second, one core", static_cast<double>(lines.size()) / time,
                   "1/s", target});
  }
  return out;
}

}  // namespace rondo::bench
