#include "melody/packed.h"

#include "bench/bench.h"
#include "generate/generate.h"

namespace rondo::bench {

Result<std::vector<Measurement>> bench_packed(const Options& options) {
  const Generator generator(options.seed);
  std::vector<Voice> voices;
  for (std::uint64_t i = 0; i < options.count; ++i) voices.push_back(generator.piece(i).voices.front());
  std::vector<std::string> packed(voices.size());
  std::size_t bytes = 0;
  bool same = true;
  const double packing = best_seconds(3, [&] {
    bytes = 0;
    for (std::size_t i = 0; i < voices.size(); ++i) {
      packed[i].clear();
      same = pack(voices[i], packed[i]).has_value() && same;
      bytes += packed[i].size();
    }
  });
  Voice voice;
  const double unpacking = best_seconds(3, [&] {
    for (const std::string& one : packed) same = unpack(one, voice).has_value() && same;
  });
  for (std::size_t i = 0; i < voices.size(); ++i)
    same = unpack(packed[i], voice).has_value() && voice == voices[i] && same;
  if (!same) return fail("bench-wrong", "a melody came back changed");
  const auto count = static_cast<double>(options.count);
  return std::vector<Measurement>{
      {"bytes per incipit", static_cast<double>(bytes) / count, "bytes", 150, false},
      {"two million incipits in memory", 2 * static_cast<double>(bytes) / count, "MB", 400, false},
      {"packed per second, one core", count / packing, "1/s"},
      {"unpacked per second, one core", count / unpacking, "1/s", 1'000'000},
  };
}

}  // namespace rondo::bench
