#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "rondo/similarity/system.h"
#include "search/fast/stop.h"
#include "search/index/number_table.h"
#include "search/index/snapshot.h"

namespace rondo::fast {

using index::DocumentId;
using index::Segment;

/// The documents of a segment that a search looks at.
struct SegmentView {
  const Segment* segment = nullptr;
  std::uint32_t number = 0;  ///< of the segment
  const index::DocumentSet* removed = nullptr;
  const index::DocumentSet* chosen = nullptr;  ///< null: all
  std::vector<DocumentId> except{};            ///< but not these few, the voices of one piece
  [[nodiscard]] bool has_all() const { return chosen == nullptr && removed->empty() && except.empty(); }
  [[nodiscard]] bool has(DocumentId d) const {
    return !removed->has(d) && (chosen == nullptr || chosen->has(d)) &&
           std::find(except.begin(), except.end(), d) == except.end();
  }
};

/// The k best pieces found so far by one thread: scores what it is offered, exactly, and knows the threshold that a
/// document must reach to matter. `Threshold` is shared by the threads of a search.
class TopK {
 public:
  /// The score that at least k pieces have reached, over all threads.
  class Threshold {
   public:
    [[nodiscard]] double value() const { return value_.load(std::memory_order_relaxed); }
    void raise(double to) {
      double now = value();
      while (to > now && !value_.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
      }
    }

   private:
    std::atomic<double> value_{-std::numeric_limits<double>::infinity()};
  };

  struct Entry {
    std::uint32_t segment = 0;
    DocumentId document = 0;
    double score = 0;
  };

  TopK(const SystemRow& row, const PreparedQuery& query, std::size_t k, Threshold& threshold, Stop& stop)
      : row_(row), query_(query), k_(k), threshold_(threshold), stop_(stop) {}

  /// A document that cannot reach this need not be offered; one that can reach it exactly must be.
  [[nodiscard]] double threshold() const { return threshold_.value(); }
  /// When the search has been stopped nothing is scored; see `settle`.
  void offer(const SegmentView& view, DocumentId document);
  /// The same for a method that knows the exact score already.
  void offer_scored(const SegmentView& view, DocumentId document, double score);
  [[nodiscard]] std::size_t scored() const { return scored_; }
  /// Corrects the documents that were not reached, by segment: those that it was offered too late are, those that it
  /// has scored are not.
  void settle(const std::vector<index::Segment>& segments, std::vector<index::DocumentSet>& not_reached) const;
  /// A method that bounds documents one by one says how many.
  void looked_at(std::size_t documents) { looked_at_ += documents; }
  [[nodiscard]] std::size_t looked_at() const { return looked_at_; }

  /// The contenders of all threads: every piece that reached the threshold, its best voice (of equal ones the first).
  /// What one alone holds is moved, so the search must be over.
  [[nodiscard]] static std::vector<Entry> contenders(std::vector<TopK>& all,
                                                     const std::vector<index::Segment>& segments, double threshold);

 private:
  void enter(const SegmentView& view, DocumentId document, double score);

  const SystemRow& row_;
  const PreparedQuery& query_;
  std::size_t k_;
  Threshold& threshold_;
  Stop& stop_;
  Line line_;
  std::size_t scored_ = 0;
  std::size_t looked_at_ = 0;
  // Where much is alike, most documents of a collection can be here.
  std::vector<Entry> best_;                  ///< of each piece
  std::vector<index::DocumentSet> entered_;  ///< by segment: those in it whose piece has no other voice
  index::NumberTable numbers_;               ///< of the pieces in it that have several
  std::vector<Entry> too_late_;              ///< offered when the search had been stopped
  std::priority_queue<double, std::vector<double>, std::greater<>> top_;
};

}  // namespace rondo::fast
