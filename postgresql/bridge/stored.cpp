#include "bridge/stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bridge/guard.h"

namespace rondo::postgresql {
namespace {

Failure damaged(const char* what) {
  return fail("index-damaged", fmt::format("the index is damaged: {}", what), {}, "REINDEX rebuilds it");
}

}  // namespace

void append_partial(std::string& out, std::uint64_t key, std::string_view packed) {
  const std::uint64_t header[2] = {key, packed.size()};
  out.append(reinterpret_cast<const char*>(header), sizeof header);  // NOLINT: bytes of numbers
  out.append(packed);
}

Result<StoredSegment> StoredSegment::of(const RondoBytes streams[RONDO_STREAMS]) {
  StoredSegment out;
  out.tids_ = view(streams[RONDO_STREAM_TIDS]);
  if (out.tids_.size() % sizeof(std::uint64_t) != 0) return damaged("places of rows");
  out.rows_ = out.tids_.size() / sizeof(std::uint64_t);
  const RondoBytes melodies = streams[RONDO_STREAM_MELODIES];
  if (melodies.size > 0) {
    auto opened = index::Segment::open(std::as_bytes(std::span(melodies.data, melodies.size)));
    if (!opened) return fail(std::move(opened.error()));
    if (opened->size() == 0 || opened->size() > out.rows_) return damaged("number of rows");
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = 0;
    for (index::DocumentId d = 0; d < opened->size(); ++d) {
      first = std::min(first, static_cast<std::int64_t>(opened->piece(d)));
      last = std::max(last, static_cast<std::int64_t>(opened->piece(d)));
    }
    if (first < 0 || last - first + 1 != std::int64_t{opened->size()}) return damaged("keys of melodies");
    // So many keys in so short a range: if no two are equal, each is there once.
    std::vector<bool> seen(opened->size());
    for (index::DocumentId d = 0; d < opened->size(); ++d) {
      const auto row = static_cast<std::size_t>(static_cast<std::int64_t>(opened->piece(d)) - first);
      if (seen[row] || !opened->alone(d)) return damaged("keys of melodies");
      seen[row] = true;
    }
    out.first_key_ = static_cast<std::uint64_t>(first);
    out.segment = std::move(*opened);
  }
  std::string_view partial = view(streams[RONDO_STREAM_PARTIAL]);
  while (!partial.empty()) {
    std::uint64_t header[2] = {};
    if (partial.size() < sizeof header) return damaged("melodies with chords");
    std::memcpy(header, partial.data(), sizeof header);
    partial.remove_prefix(sizeof header);
    if (header[1] > partial.size() || header[0] < out.first_key_) return damaged("melodies with chords");
    out.partial_[header[0] - out.first_key_] = partial.substr(0, header[1]);
    partial.remove_prefix(header[1]);
  }
  for (index::DocumentId d = 0; d < out.melodies(); ++d) {
    if (!out.segment->whole(d) && !out.partial_.contains(out.row_of(d))) return damaged("melodies with chords");
  }
  return out;
}

std::string_view StoredSegment::packed(std::uint64_t row) const {
  const auto found = partial_.find(row);
  return found == partial_.end() ? std::string_view() : found->second;
}

}  // namespace rondo::postgresql

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

RondoStatus rondo_segment_fault(uint64_t first_key, const RondoBytes streams[RONDO_STREAMS], RondoBytes* fault) {
  return guarded([&]() -> Result<void> {
    *fault = {nullptr, 0};
    const auto stored = StoredSegment::of(streams);
    if (!stored) {
      *fault = keep(std::string(stored.error().message));
    } else if (stored->melodies() > 0 && stored->first_key() != first_key) {
      *fault = keep("keys begin elsewhere than the directory says");
    } else if (streams[RONDO_STREAM_REMOVED].size != (stored->rows() + 7) / 8) {
      *fault = keep("there are not as many bits as rows");
    }
    return {};
  });
}
