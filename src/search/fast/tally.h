#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/fast/top_k.h"

namespace rondo::fast {

/// A list of documents and what being in it is worth, in small whole numbers.
struct WeightedList {
  index::Postings postings;
  int weight = 0;
};

/// Appends the lists of a window that counts `weight` for each time it occurs, up to `most` times.
void add_lists(const index::Segment::Lists& lists, std::uint64_t window, int weight, int most,
               std::vector<WeightedList>& out);
/// The same where each time counts another weight, the greatest first.
void add_lists(const index::Segment::Lists& lists, std::uint64_t window, std::span<const int> weights,
               std::vector<WeightedList>& out);

/// For each document of a segment, what the lists it is in are worth together: an upper bound of something, as long
/// as what the lists not yet read could add is added to it.
///
/// The shortest lists are read first, and the long ones only if it cannot be helped: they cost most and tell least.
class Tally {
 public:
  Tally(std::uint32_t documents, std::vector<WeightedList> lists);

  /// What the unread lists could add.
  [[nodiscard]] int outstanding() const { return outstanding_; }
  [[nodiscard]] bool done() const { return next_ == lists_.size(); }
  void read_next();
  /// Adds 1 for one document.
  void add_one(DocumentId d) {
    if (sums_[d] < kFull) ++sums_[d];
  }
  [[nodiscard]] int sum(DocumentId d) const { return sums_[d]; }
  /// Sums stop at this value; a document that reached it may have more.
  static constexpr int kFull = 255;

  /// Appends the documents of [begin, end) whose sum is at least `least`, and at most `most`.
  void collect(DocumentId begin, DocumentId end, int least, std::vector<DocumentId>& out, int most = kFull) const;
  /// How many that would be.
  [[nodiscard]] std::size_t count(DocumentId begin, DocumentId end, int least) const;
  /// About as many: where there are many documents, from one in sixteen.
  [[nodiscard]] std::size_t estimate(DocumentId begin, DocumentId end, int least) const;

 private:
  std::vector<WeightedList> lists_;
  std::vector<std::uint8_t>& sums_;  ///< this thread's, used again by the next search
  std::size_t next_ = 0;
  int outstanding_ = 0;
};

}  // namespace rondo::fast
