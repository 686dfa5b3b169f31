#include "bridge/builder.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "bridge/guard.h"
#include "bridge/melody.h"
#include "bridge/stored.h"

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

Result<void> RondoBuilder::add_line(std::uint64_t tid, const Line& line, bool whole, std::string_view packed) {
  const std::uint64_t key = first_key + tids.size();
  const auto signed_key = static_cast<std::int64_t>(key);
  if (auto done = builder_.add(VoiceKey{signed_key}, PieceKey{signed_key}, 0, line, whole); !done) return done;
  tids.push_back(tid);
  notes_ += line.size();
  if (!whole) append_partial(partial, key, packed);
  return {};
}

Result<void> RondoBuilder::add(std::uint64_t tid, RondoBytes packed) {
  if (packed.size == 0) {
    others.push_back(tid);
    return {};
  }
  auto voice = unpacked(packed);
  if (!voice) return fail(std::move(voice.error()));
  const Line line = make_line(*voice);
  if (line.size() == 0) {
    others.push_back(tid);
    return {};
  }
  return add_line(tid, line, index::has_every_note(line, *voice), view(packed));
}

Result<void> RondoBuilder::add_segment(const RondoBytes streams[RONDO_STREAMS]) {
  auto stored = StoredSegment::of(streams);
  if (!stored) return fail(std::move(stored.error()));
  const std::string_view gone = view(streams[RONDO_STREAM_REMOVED]);
  Line line;
  for (index::DocumentId d = 0; d < stored->melodies(); ++d) {
    const std::uint64_t row = stored->row_of(d);
    if (has_bit(gone, row)) continue;
    if (d % 1024 == 0 && interrupted()) return {};
    stored->segment->line(d, line);
    const bool whole = stored->segment->whole(d);
    const std::string_view packed = whole ? std::string_view() : stored->packed(row);
    if (auto done = add_line(stored->tid(row), line, whole, packed); !done) return done;
  }
  for (std::uint64_t row = stored->melodies(); row < stored->rows(); ++row) {
    if (!has_bit(gone, row)) others.push_back(stored->tid(row));
  }
  return {};
}

std::size_t RondoBuilder::memory() const {
  // What SegmentBuilder keeps of a note and of a melody, and as much again while it writes; measured, and at least as
  // much as is used but for what every builder takes (RONDO_BUILDER_BYTES).
  constexpr std::size_t kNote = 12;
  constexpr std::size_t kMelody = 72;
  return 2 * (notes_ * kNote + tids.size() * kMelody) + rows() * 8 + partial.size();
}

void RondoBuilder::finish() {
  if (!tids.empty()) {
    // Between melodies that are equal in all else the place of their rows decides.
    std::vector<std::uint64_t> order(tids.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return tids[a] < tids[b]; });
    index::IdOrder ids;
    for (const std::uint64_t row : order) ids.add(static_cast<std::int64_t>(first_key + row));
    ids.finish();
    melodies = builder_.finish(ids);
  }
  std::vector<std::uint64_t> all = tids;
  all.insert(all.end(), others.begin(), others.end());
  all_tids.resize(all.size() * sizeof(std::uint64_t));
  if (!all.empty()) std::memcpy(all_tids.data(), all.data(), all_tids.size());
  removed.assign((all.size() + 7) / 8, '\0');
}

void RondoBuilder::streams(RondoBytes out[RONDO_STREAMS]) const {
  out[RONDO_STREAM_MELODIES] = bytes_of(melodies);
  out[RONDO_STREAM_TIDS] = bytes_of(all_tids);
  out[RONDO_STREAM_PARTIAL] = bytes_of(partial);
  out[RONDO_STREAM_REMOVED] = bytes_of(removed);
}

RondoStatus rondo_builder_make(uint64_t first_key, RondoBuilder** out) {
  return guarded([&]() -> Result<void> {
    *out = new RondoBuilder(first_key);
    return {};
  });
}

RondoStatus rondo_builder_add(RondoBuilder* builder, uint64_t tid, RondoBytes packed) {
  return guarded([&] { return builder->add(tid, packed); });
}

RondoStatus rondo_builder_add_segment(RondoBuilder* builder, const RondoBytes streams[RONDO_STREAMS]) {
  return guarded([&] { return builder->add_segment(streams); });
}

size_t rondo_builder_memory(const RondoBuilder* builder) { return builder->memory(); }
uint64_t rondo_builder_rows(const RondoBuilder* builder) { return builder->rows(); }

RondoStatus rondo_builder_finish(RondoBuilder* builder, RondoBytes streams[RONDO_STREAMS], uint64_t* melodies) {
  return guarded([&]() -> Result<void> {
    builder->finish();
    builder->streams(streams);
    *melodies = builder->tids.size();
    return {};
  });
}

void rondo_builder_free(RondoBuilder* builder) { delete builder; }
