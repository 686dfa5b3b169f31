#include "formats/pae.h"

#include "bench/bench.h"
#include "generate/generate.h"

namespace rondo::bench {

Result<std::vector<Measurement>> bench_pae(const Options& options) {
  const Generator generator(options.seed);
  std::vector<PaeText> texts;
  std::size_t notes = 0;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const Piece piece = generator.piece(i);
    auto text = to_pae(piece.voices.front());
    if (!text) return fail(text.error());
    notes += piece.voices.front().notes.size();
    texts.push_back(std::move(*text));
  }
  PaeParser parser;
  Voice voice;
  Diagnostics warnings;
  Error problem;
  std::size_t read = 0;
  const double time = best_seconds(5, [&] {
    read = 0;
    for (const PaeText& text : texts) {
      const PaeFields fields{text.clef, text.key_signature, text.time_signature, text.key, text.data, {}};
      if (auto done = parser.parse(fields, {}, voice, warnings); !done) problem = done.error();
      read += voice.notes.size();
    }
  });
  if (!problem.code.empty()) return fail(problem);
  if (read != notes) return fail("bench-wrong", "the parser read another number of notes than were written");
  const auto count = static_cast<double>(options.count);
  return std::vector<Measurement>{
      {"incipits parsed per second, one core", count / time, "1/s", 300'000},
      {"notes per incipit, mean", static_cast<double>(notes) / count, ""},
  };
}

}  // namespace rondo::bench
