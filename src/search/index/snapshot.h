#pragma once

#include <memory>
#include <string>
#include <vector>

#include "search/index/segment.h"

namespace rondo::index {

/// A bitmap of documents.
class DocumentSet {
 public:
  DocumentSet() = default;
  explicit DocumentSet(std::size_t size) : words_((size + 63) / 64, 0) {}
  void add(DocumentId d) { words_[d / 64] |= std::uint64_t{1} << (d % 64); }
  void remove(DocumentId d) {
    if (d / 64 < words_.size()) words_[d / 64] &= ~(std::uint64_t{1} << (d % 64));
  }
  [[nodiscard]] bool has(DocumentId d) const {
    return d / 64 < words_.size() && (words_[d / 64] >> (d % 64) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return words_.empty(); }
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// One state of an index. Immutable; threads share it.
struct Snapshot {
  std::shared_ptr<const void> memory;  ///< owns the bytes of the segments
  std::vector<Segment> segments;
  std::vector<DocumentSet> removed;  ///< by segment; an empty set: none
  spline::GramCounts threes;         ///< windows of three notes of all documents that are not removed
  // The state of the collection it was made from; nothing for one in memory.
  std::int64_t last_voice = 0;
  std::uint64_t removed_voices = 0;
  std::vector<std::pair<std::int64_t, std::uint64_t>> samples;  ///< voices and hashes of their notes
  std::size_t pieces = 0;                                       ///< in the index, at least one voice each
  /// piece_lengths[n]: pieces whose longest voice has n notes, the last one those with more.
  std::vector<std::size_t> piece_lengths;

  // For systems that compare whole pieces: documents that represent their piece completely, by segment; their lengths,
  // as in piece_lengths; and the pieces that the index does not store completely.
  std::vector<DocumentSet> whole;
  std::vector<std::size_t> whole_lengths;
  std::vector<PieceKey> partial;  ///< ascending

  /// From segments in memory, of which it takes ownership.
  [[nodiscard]] static Result<std::shared_ptr<const Snapshot>> of(std::vector<std::string> segments);

  /// The same documents, each truncated to its first notes. Here every document that is the only voice of its piece
  /// represents it completely. Counts of windows remain those of whole documents.
  [[nodiscard]] std::shared_ptr<const Snapshot> opening(std::uint32_t notes) const;

  /// Computes the members derived from the segments and `removed`.
  void count();
  void count_pieces(bool alone_is_whole);
  /// The number of documents of all segments, including removed ones.
  [[nodiscard]] std::size_t documents() const;
  /// Number of pieces with a voice of at least `notes` notes, and of those that the index stores completely.
  [[nodiscard]] std::size_t pieces_with(std::size_t notes) const;
  [[nodiscard]] std::size_t whole_with(std::size_t notes) const;
};

}  // namespace rondo::index
