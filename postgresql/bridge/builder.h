#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridge/bridge.h"
#include "rondo/base/result.h"
#include "search/index/builder.h"

/// Collects rows and makes a segment of them. Keys count from `first_key` on: those of melodies first, in the order in
/// which they were added, then those of rows without notes.
struct RondoBuilder {
  explicit RondoBuilder(std::uint64_t first) : first_key(first) {}

  [[nodiscard]] rondo::Result<void> add(std::uint64_t tid, RondoBytes packed);
  [[nodiscard]] rondo::Result<void> add_segment(const RondoBytes streams[RONDO_STREAMS]);
  void finish();
  [[nodiscard]] std::uint64_t rows() const { return tids.size() + others.size(); }
  [[nodiscard]] std::size_t memory() const;
  void streams(RondoBytes out[RONDO_STREAMS]) const;

  std::uint64_t first_key;
  std::vector<std::uint64_t> tids;    ///< of melodies
  std::vector<std::uint64_t> others;  ///< of rows without notes
  std::string partial;
  std::string melodies;  ///< after finish
  std::string all_tids;
  std::string removed;

 private:
  [[nodiscard]] rondo::Result<void> add_line(std::uint64_t tid, const rondo::Line& line, bool whole,
                                             std::string_view packed);
  rondo::index::SegmentBuilder builder_;
  std::size_t notes_ = 0;
};
