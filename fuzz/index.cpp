// Takes bytes as a segment of an index, with its checksums made right, and searches what is accepted. Nothing that a
// file can hold may lead a search out of its memory, to a division by zero or to an endless loop.

#include <cstdio>
#include <cstdlib>

#include "generate/generate.h"
#include "search/index/snapshot.h"
#include "search/search.h"
#include "support/index_repair.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const rondo::Line kQuery = rondo::make_line(rondo::Generator(5).piece(7).voices.front());
  if (size == 0) return 0;
  // The last byte says by which system.
  std::string bytes(reinterpret_cast<const char*>(data), size - 1);
  rondo::test::repair_segment(bytes.data(), bytes.size());
  std::vector<std::string> segments;
  segments.push_back(std::move(bytes));
  auto snapshot = rondo::index::Snapshot::of(std::move(segments));
  if (!snapshot) {
    if (snapshot.error().code.empty()) {
      std::fprintf(stderr, "an error without a code: %s\n", snapshot.error().message.c_str());
      std::abort();
    }
    return 0;
  }
  const rondo::Index index(std::move(*snapshot));
  const auto rows = rondo::systems();
  const rondo::SystemRow& row = *rows[data[size - 1] % rows.size()];
  const auto system = row.make(rondo::Parameters(row.parameters));
  rondo::teach(index, *system);
  (void)rondo::search(index, row, *system, kQuery, {.k = 3, .time_limit = std::chrono::seconds(5)},
                      [](rondo::PieceKey) { return std::string("x"); });
  return 0;
}
