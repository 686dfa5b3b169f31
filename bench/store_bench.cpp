// How small and how fast packed voices are, and how fast a collection fills. One line per measurement:
//
//     store_bench packed [COUNT]              pack and unpack incipits of 20 notes
//     store_bench put FILE [COUNT] [BATCH]    put pieces with metadata and full text into a new collection
//     store_bench read FILE                   walk through all voices, then all pieces
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "rondo/melody/builder.h"
#include "rondo/melody/packed.h"
#include "rondo/store/collection.h"

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
    position = std::clamp(position + (below(5) == 0 ? below(9) - 4 : below(3) - 1), 24, 46);
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
  return builder.finish().value();
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

/// A word of two to four syllables, common ones more often.
std::string word(std::mt19937& random) {
  static constexpr const char* kSyllables[] = {"al", "be", "ca", "do", "er", "fa", "gi",  "ho", "in", "ju",
                                               "ka", "lu", "mo", "ne", "or", "pa", "qui", "ri", "so", "tu"};
  const auto rare = random() % 4;
  std::string text;
  for (std::size_t i = 0; i < 2 + rare / 2; ++i) text += kSyllables[random() % (rare == 0 ? 6 : 20)];
  return text;
}

std::string words(std::mt19937& random, int count) {
  std::string text = word(random);
  for (int i = 1; i < count; ++i) text += ' ' + word(random);
  return text;
}

rondo::Piece record(std::mt19937& random, std::size_t number) {
  rondo::Piece piece;
  char id[32];
  std::snprintf(id, sizeof id, "%09zu.1.1.1", number);
  piece.id = id;
  piece.format = "marcxml";
  rondo::Metadata& about = piece.metadata;
  about.title = words(random, 5);
  about.composer = words(random, 2);
  about.source = words(random, 4);
  about.library = "D-" + word(random);
  about.shelfmark = "Mus. " + std::to_string(random() % 10000) + "-" + word(random);
  about.catalogue = {"RISM " + std::to_string(number)};
  about.uri = "urn:example:" + piece.id;
  about.year = std::to_string(1600 + random() % 300);
  about.fields = {{"text", words(random, 6)}, {"heading", words(random, 2)}, {"scoring", "S, orch"}};
  piece.voices.push_back(incipit(random));
  piece.source_text = words(random, 60);
  return piece;
}

/// Megabytes of memory in use now, of this process alone.
double resident() {
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages >> pages;
  return pages * 4096 / 1e6;
}

int failed(const rondo::Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return 1;
}

int bench_put(const std::string& path, std::size_t count, std::size_t batch_size) {
  auto collection = rondo::Collection::open(path, rondo::OpenMode::create);
  if (!collection) return failed(collection.error());
  std::mt19937 random(1);
  std::vector<rondo::Piece> ready;
  double cpu = 0;
  double wall = 0;
  for (std::size_t done = 0; done < count;) {
    ready.clear();
    for (std::size_t i = 0; i < batch_size && done + i < count; ++i) ready.push_back(record(random, done + i));
    const double cpu_start = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    auto batch = collection->begin();
    if (!batch) return failed(batch.error());
    for (const rondo::Piece& piece : ready) {
      if (auto put = collection->put(piece); !put) return failed(put.error());
    }
    if (auto kept = batch->commit(); !kept) return failed(kept.error());
    cpu += cpu_seconds() - cpu_start;
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::size_t before = done;
    done += ready.size();
    if (done == count || done * 10 / count != before * 10 / count) {
      std::printf("put: %zu pieces, %.0f a second (%.0f a processor second), %.0f MB of memory, %.0f MB of log\n", done,
                  static_cast<double>(done) / wall, static_cast<double>(done) / cpu, resident(),
                  static_cast<double>(std::filesystem::file_size(path + "-wal")) / 1e6);
    }
  }
  return 0;
}

int bench_read(const std::string& path) {
  auto collection = rondo::Collection::open(path, rondo::OpenMode::read);
  if (!collection) return failed(collection.error());
  double start = cpu_seconds();
  std::size_t voices = 0;
  std::size_t bytes = 0;
  rondo::Voice voice;
  auto done = collection->each_voice([&](const rondo::StoredVoice& stored) {
    ++voices;
    bytes += stored.packed.size();
    return rondo::unpack(stored.packed, voice).has_value();
  });
  if (!done) return failed(done.error());
  std::printf("read: %zu voices of %.1f bytes in %.2f s\n", voices,
              static_cast<double>(bytes) / static_cast<double>(voices), cpu_seconds() - start);
  start = cpu_seconds();
  std::size_t pieces = 0;
  done = collection->each_piece([&](const rondo::StoredPiece&) { return ++pieces > 0; });
  if (!done) return failed(done.error());
  std::printf("read: %zu pieces in %.2f s\n", pieces, cpu_seconds() - start);
  return 0;
}

std::size_t number(int argc, char** argv, int index, std::size_t otherwise) {
  return argc > index ? std::strtoul(argv[index], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "packed") return bench_packed(number(argc, argv, 2, 1'000'000));
  if (what == "put" && argc > 2)
    return bench_put(argv[2], number(argc, argv, 3, 1'000'000), number(argc, argv, 4, 20'000));
  if (what == "read" && argc > 2) return bench_read(argv[2]);
  std::fprintf(stderr, "usage: store_bench packed [COUNT] | put FILE [COUNT] [BATCH] | read FILE\n");
  return 2;
}
