#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "search/fast/top_k.h"

namespace rondo::fast {

/// The threads of one search, each with a TopK of its own.
class Workers {
 public:
  /// `left` gets, by segment, the documents that were still to be looked at when it was time to stop.
  Workers(std::vector<TopK>& top_ks, Stop& stop, std::vector<index::DocumentSet>& left)
      : top_ks_(top_ks), stop_(stop), left_(left) {}
  [[nodiscard]] TopK& first() { return top_ks_.front(); }
  [[nodiscard]] Stop& stop() { return stop_; }

  /// work(top_k, begin, end) over pieces of [0, count), by whichever thread is free. `document_at(i)` is the document
  /// that number i stands for.
  template <typename DocumentAt, typename Work>
  void share(const SegmentView& view, std::size_t count, std::size_t piece, const DocumentAt& document_at,
             const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&](TopK& top_k) {
      // Where nothing is left to be done, it is not too late.
      while (next < count && !stop_.now()) {
        const std::size_t begin = next.fetch_add(piece);
        if (begin >= count) break;
        work(top_k, begin, std::min(count, begin + piece));
      }
    };
    const std::size_t hands = std::min(top_ks_.size(), (count + piece - 1) / std::max<std::size_t>(1, piece));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < hands; ++i) threads.emplace_back([&, i] { run(top_ks_[i]); });
      run(top_ks_.front());
    }
    for (std::size_t i = next; i < count; ++i) leave(view, static_cast<DocumentId>(document_at(i)));
  }

  /// This document is not reached.
  void leave(const SegmentView& view, DocumentId d) {
    if (!view.has(d)) return;
    index::DocumentSet& left = left_[view.number];
    if (left.empty()) left = index::DocumentSet(view.segment->size());
    left.add(d);
  }
  void leave_all(const SegmentView& view) {
    for (DocumentId d = 0; d < view.segment->size(); ++d) leave(view, d);
  }

 private:
  std::vector<TopK>& top_ks_;
  Stop& stop_;
  std::vector<index::DocumentSet>& left_;
};

}  // namespace rondo::fast
