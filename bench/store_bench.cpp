// How small and how fast packed voices are, and how fast a collection fills. One line per measurement:
//
//     store_bench packed COUNT          pack and unpack incipits of 20 notes

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "rondo/melody/builder.h"
#include "rondo/melody/packed.h"

namespace {

/// Processor time, so that a busy machine does not change the figure much.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A plausible incipit: mostly steps, few values, bars, signatures, now and then a rest, an accidental, a grace note.
rondo::Voice incipit(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<int>(random() % n); };
  rondo::VoiceBuilder builder;
  const int fifths = below(7) - 3;
  const rondo::TimeSignature times[] = {{4, 4, "c"}, {3, 4, ""}, {2, 4, ""}, {6, 8, ""}, {2, 2, "c/"}};
  const rondo::TimeSignature& time = times[below(5)];
  builder.clef(0, rondo::Clef{"GCF"[below(3)], 2, rondo::Clef::Kind::modern});
  builder.key_signature(0, rondo::KeySignature::from_fifths(fifths));
  builder.time(0, time);
  if (below(2) == 0) builder.key(0, rondo::Key{static_cast<std::int8_t>(below(7)), 0, rondo::Mode::minor});
  const rondo::KeySignature key = rondo::KeySignature::from_fifths(fifths);
  const rondo::Fraction values[] = {{1, 8}, {1, 8}, {1, 8}, {1, 4}, {1, 4}, {1, 16}, {1, 2}, {3, 8}};
  rondo::Fraction at;
  int position = 30 + below(10);
  for (int i = 0; i < 20; ++i) {
    position += below(5) == 0 ? below(9) - 4 : below(3) - 1;
    const int step = position % 7;
    const int alter = below(20) == 0 ? below(3) - 1 : key.alter[static_cast<std::size_t>(step)];
    const rondo::Pitch pitch{static_cast<std::int8_t>(step), static_cast<std::int8_t>(alter),
                             static_cast<std::int8_t>(position / 7)};
    if (below(30) == 0) builder.grace(at, {1, 8}, pitch);
    const rondo::Fraction value = values[below(8)];
    builder.note(at, value, pitch);
    at += value;
    if (below(15) == 0) at += rondo::Fraction(1, 8);
  }
  for (rondo::Fraction bar; bar < at; bar += time.bar()) builder.bar(bar);
  return *builder.finish();
}

int bench_packed(std::size_t count) {
  std::mt19937 random(1);
  std::vector<rondo::Voice> voices;
  for (int i = 0; i < 5000; ++i) voices.push_back(incipit(random));
  std::vector<std::string> packed(voices.size());
  double start = cpu_seconds();
  for (std::size_t i = 0; i < count; ++i) {
    std::string& bytes = packed[i % packed.size()];
    bytes.clear();
    if (!rondo::pack(voices[i % voices.size()], bytes)) return 1;
  }
  const double pack_time = cpu_seconds() - start;
  std::size_t bytes = 0;
  for (const std::string& one : packed) bytes += one.size();
  rondo::Voice voice;
  std::size_t notes = 0;
  start = cpu_seconds();
  for (std::size_t i = 0; i < count; ++i) {
    if (!rondo::unpack(packed[i % packed.size()], voice)) return 1;
    notes += voice.notes.size();
  }
  const double unpack_time = cpu_seconds() - start;
  std::printf("packed: %.1f bytes a voice, %.1f notes a voice, pack %.2f million/s, unpack %.2f million/s\n",
              static_cast<double>(bytes) / static_cast<double>(packed.size()),
              static_cast<double>(notes) / static_cast<double>(count), static_cast<double>(count) / pack_time / 1e6,
              static_cast<double>(count) / unpack_time / 1e6);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "packed") return bench_packed(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000);
  std::fprintf(stderr, "usage: store_bench packed [COUNT]\n");
  return 2;
}
