#include "generate/generate.h"

#include "bench/bench.h"
#include "generate/marcxml.h"

namespace rondo::bench {

Result<std::vector<Measurement>> bench_generate(const Options& options) {
  const Generator generator(options.seed);
  std::size_t notes = 0;
  const double made = best_seconds(3, [&] {
    notes = 0;
    for (std::uint64_t i = 0; i < options.count; ++i) notes += generator.piece(i).voices.front().notes.size();
  });
  std::string text;
  const double written = best_seconds(3, [&] {
    for (std::uint64_t i = 0; i < options.count; ++i) {
      text.clear();
      append_marcxml_record(text, generator.piece(i));
    }
  });
  const auto count = static_cast<double>(options.count);
  return std::vector<Measurement>{
      {"incipits generated per second, one core", count / made, "1/s", 200'000},
      {"the same as MARCXML records", count / written, "1/s", 100'000},
  };
}

}  // namespace rondo::bench
