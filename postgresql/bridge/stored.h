#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bridge/bridge.h"
#include "rondo/base/result.h"
#include "search/index/segment.h"

namespace rondo::postgresql {

[[nodiscard]] inline bool has_bit(std::string_view bits, std::uint64_t row) {
  return row / 8 < bits.size() && (static_cast<unsigned char>(bits[row / 8]) >> (row % 8) & 1U) != 0;
}

void append_partial(std::string& out, std::uint64_t key, std::string_view packed);

/// A segment of an index in PostgreSQL, all of it checked. A view of bytes that `memory` keeps, or somebody else.
/// A row is a number from 0 on: first the melodies, then rows without notes.
class StoredSegment {
 public:
  /// Errors: `index-damaged`, `index-version`.
  [[nodiscard]] static Result<StoredSegment> of(const RondoBytes streams[RONDO_STREAMS]);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t melodies() const { return segment ? segment->size() : 0; }
  [[nodiscard]] std::uint64_t first_key() const { return first_key_; }
  [[nodiscard]] std::uint64_t row_of(index::DocumentId d) const {
    return static_cast<std::uint64_t>(segment->piece(d)) - first_key_;
  }
  [[nodiscard]] std::uint64_t tid(std::uint64_t row) const {
    std::uint64_t out = 0;
    std::memcpy(&out, tids_.data() + row * sizeof out, sizeof out);
    return out;
  }
  /// Of a melody of which the segment does not have every note.
  [[nodiscard]] std::string_view packed(std::uint64_t row) const;

  std::optional<index::Segment> segment;  ///< nothing: there are no melodies
  std::shared_ptr<const void> memory;

 private:
  std::string_view tids_;
  std::uint64_t rows_ = 0;
  std::uint64_t first_key_ = 0;
  std::unordered_map<std::uint64_t, std::string_view> partial_;  ///< by row
};

/// The file in which a segment is shared by the processes of a server; empty where the name would be no file's.
[[nodiscard]] std::string shared_name(const char* folder, const RondoSegmentId& id);
/// Maps that file. Nothing where there is none, or where it is not what was written.
[[nodiscard]] std::optional<StoredSegment> map_shared(const char* folder, const RondoSegmentId& id);
/// Writes it, and removes the files used least recently that exceed `limit` bytes in all. False where that cannot be.
bool write_shared(const char* folder, std::uint64_t limit, const RondoSegmentId& id,
                  const RondoBytes streams[RONDO_STREAMS]);

}  // namespace rondo::postgresql
