// What the extension of PostgreSQL is given from outside: texts and binary values of its types, statistics, and the
// bytes of segments, which lie in files and pages. Nothing may crash, and what is accepted comes out as it went in.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bridge/bridge.h"

bool rondo_interrupt_wanted() { return false; }

namespace {

RondoBytes bytes(const std::string& text) { return {text.data(), text.size()}; }
std::string copy(RondoBytes bytes) { return bytes.size == 0 ? std::string() : std::string(bytes.data, bytes.size); }

void expect(bool holds) {
  if (!holds) std::abort();
}

void melody_text(const std::string& text) {
  RondoBytes out{};
  if (rondo_melody_in(bytes(text), &out) != RONDO_OK) return;
  const std::string packed = copy(out);
  for (std::size_t i = 0; rondo_warning(i) != nullptr; ++i) expect(rondo_warning(i)->code[0] != '\0');
  expect(rondo_melody_check(bytes(packed)) == RONDO_OK);
  expect(rondo_melody_out(bytes(packed), &out) == RONDO_OK);
  const std::string shown = copy(out);
  expect(rondo_melody_in(bytes(shown), &out) == RONDO_OK && copy(out) == packed);
  expect(rondo_feature_text(bytes(packed), nullptr, &out) == RONDO_OK);
}

void query_value(const std::string& value, bool text) {
  RondoBytes out{};
  std::string query = value;
  if (text) {
    if (rondo_query_in(bytes(value), &out) != RONDO_OK) return;
    query = copy(out);
  }
  if (rondo_query_check(bytes(query)) != RONDO_OK) {
    expect(!text);
    return;
  }
  expect(rondo_query_out(bytes(query), &out) == RONDO_OK);
  std::uint32_t statistics = 0;
  bool learns = false;
  expect(rondo_query_statistics(bytes(query), &statistics, &learns) == RONDO_OK);
  if (statistics != 0) return;
  RondoScorer* scorer = nullptr;
  expect(rondo_scorer_make(bytes(query), &scorer) == RONDO_OK);
  expect(rondo_query_melody(bytes(query), &out) == RONDO_OK);
  const std::string melody = copy(out);
  double distance = 0;
  bool null = false;
  // Two long melodies would only take time.
  if (melody.size() < 2000) expect(rondo_scorer_distance(scorer, bytes(melody), &distance, &null) == RONDO_OK);
  rondo_scorer_free(scorer);
}

void segment(std::string change) {
  RondoBuilder* builder = nullptr;
  expect(rondo_builder_make(1, &builder) == RONDO_OK);
  std::uint64_t tid = 65537;
  for (const char* notation : {"'4CDEC", "'4C^E^G/D^F/E/C", "%G-2@3/4$xF 4'DEF/2.G//", "%G-2 2-"}) {
    RondoBytes packed{};
    expect(rondo_melody_in(bytes(notation), &packed) == RONDO_OK);
    const std::string kept = copy(packed);
    expect(rondo_builder_add(builder, tid++, bytes(kept)) == RONDO_OK);
  }
  RondoBytes streams[RONDO_STREAMS];
  std::uint64_t melodies = 0;
  expect(rondo_builder_finish(builder, streams, &melodies) == RONDO_OK);
  std::string own[RONDO_STREAMS];
  for (std::size_t i = 0; i < RONDO_STREAMS; ++i) own[i] = copy(streams[i]);
  for (; change.size() >= 4; change.erase(0, 4)) {
    std::string& stream = own[static_cast<unsigned char>(change[0]) % RONDO_STREAMS];
    const std::size_t at = static_cast<unsigned char>(change[1]) * 256U + static_cast<unsigned char>(change[2]);
    if (change[3] == 0) {
      stream.resize(std::min(stream.size(), at));
    } else if (!stream.empty()) {
      stream[at % stream.size()] = static_cast<char>(stream[at % stream.size()] ^ change[3]);
    }
  }
  for (std::size_t i = 0; i < RONDO_STREAMS; ++i) streams[i] = bytes(own[i]);
  RondoBytes fault{};
  expect(rondo_segment_fault(1, streams, &fault) == RONDO_OK);
  const std::uint32_t storage[3] = {1, 2, 3};
  RondoCache* cache = nullptr;
  expect(rondo_cache_get(storage, &cache) == RONDO_OK && rondo_cache_begin(cache) == RONDO_OK);
  if (rondo_cache_add(cache, nullptr, 0, RondoSegmentId{}, streams) == RONDO_OK &&
      rondo_cache_commit(cache, RondoPosition{1, 0, 0}) == RONDO_OK) {
    for (const char* text : {R"({"melody": "'4CDEC"})", R"({"melody": "'4CDEC", "system": "P3"})"}) {
      RondoBytes query{};
      expect(rondo_query_in(bytes(text), &query) == RONDO_OK);
      const std::string kept = copy(query);
      RondoSearch* search = nullptr;
      expect(rondo_search_make(cache, bytes(kept), 1 + static_cast<std::uint32_t>(kept.size() % 20), &search) ==
             RONDO_OK);
      RondoHit hit{};
      for (int i = 0; i < 10 && !hit.end; ++i) {
        if (rondo_search_next(search, &hit) != RONDO_OK) break;
      }
      rondo_search_free(search);
    }
  }
  rondo_builder_free(builder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);  // NOLINT: bytes
  switch (data[0] % 5) {
    case 0: melody_text(rest); break;
    case 1: query_value(rest, true); break;
    case 2: query_value(rest, false); break;
    case 3: segment(rest); break;
    default: (void)rondo_statistics_check(bytes(rest)); break;
  }
  return 0;
}
