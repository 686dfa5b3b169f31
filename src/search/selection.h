#pragma once

#include "search/fast/top_k.h"
#include "search/search.h"

namespace rondo {

/// The documents of some pieces of an index. Found by a pass over all documents; any number of searches may share it.
struct SelectedDocuments {
  /// `among`: ascending.
  SelectedDocuments(const index::Snapshot& snapshot, const std::vector<PieceKey>& among);

  std::vector<index::DocumentSet> chosen{};        ///< by segment
  std::vector<index::DocumentSet> chosen_whole{};  ///< of these the whole ones
  std::size_t documents = 0;
  std::size_t pieces = 0;
  std::size_t filtered_out = 0;  ///< pieces
  // Pieces by the length of their longest voice, as in index::Snapshot.
  std::vector<std::size_t> whole_lengths{};
  std::vector<std::size_t> other_lengths{};
};

/// The documents of an index that a search covers, and the number of their pieces.
class Selection {
 public:
  Selection(const index::Snapshot& snapshot, const SearchOptions& options);
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  /// By segment. `whole`: only documents that are all of their piece, for systems that compare whole pieces.
  [[nodiscard]] const std::vector<fast::SegmentView>& views(bool whole) const { return whole ? whole_ : all_; }

  /// Upper bound of the number of voices covered.
  [[nodiscard]] std::size_t documents() const { return documents_; }
  /// Number of pieces covered, and of pieces that a filter excluded. The query's own piece is neither.
  [[nodiscard]] std::size_t pieces() const { return pieces_; }
  [[nodiscard]] std::size_t filtered_out() const { return filtered_out_; }
  /// Number of pieces with a voice of at least `notes` notes: those that the index stores completely, and the others.
  [[nodiscard]] std::size_t whole_with(std::size_t notes) const { return sum_from(whole_lengths_, notes); }
  [[nodiscard]] std::size_t others_with(std::size_t notes) const { return sum_from(other_lengths_, notes); }

 private:
  static std::size_t sum_from(const std::vector<std::size_t>& lengths, std::size_t notes);
  void count_all(const index::Snapshot& snapshot);
  void count_selected();
  void leave_out(const index::Snapshot& snapshot, PieceKey piece);

  std::shared_ptr<const SelectedDocuments> selected_;  ///< null: all are
  std::vector<fast::SegmentView> all_;
  std::vector<fast::SegmentView> whole_;
  std::size_t documents_ = 0;
  std::size_t pieces_ = 0;
  std::size_t filtered_out_ = 0;
  std::vector<std::size_t> whole_lengths_;
  std::vector<std::size_t> other_lengths_;
};

}  // namespace rondo
