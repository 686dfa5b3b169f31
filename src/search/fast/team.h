#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "search/fast/contest.h"

namespace rondo::fast {

/// The threads of one search, each with a contest of its own.
class Team {
 public:
  /// `left` gets, by segment, the documents that were still to be looked at when it was time to stop.
  Team(std::vector<Contest>& contests, Stop& stop, std::vector<index::DocumentSet>& left)
      : contests_(contests), stop_(stop), left_(left) {}
  [[nodiscard]] Contest& first() { return contests_.front(); }
  [[nodiscard]] Stop& stop() { return stop_; }

  /// work(contest, begin, end) over pieces of [0, count), by whichever thread is free. `document_at(i)` is the document
  /// that number i stands for.
  template <typename DocumentAt, typename Work>
  void share(const Field& field, std::size_t count, std::size_t piece, const DocumentAt& document_at,
             const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&](Contest& contest) {
      while (!stop_.now()) {
        const std::size_t begin = next.fetch_add(piece);
        if (begin >= count) break;
        work(contest, begin, std::min(count, begin + piece));
      }
    };
    const std::size_t hands = std::min(contests_.size(), (count + piece - 1) / std::max<std::size_t>(1, piece));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < hands; ++i) threads.emplace_back([&, i] { run(contests_[i]); });
      run(contests_.front());
    }
    for (std::size_t i = next; i < count; ++i) leave(field, static_cast<DocumentId>(document_at(i)));
  }

 private:
  void leave(const Field& field, DocumentId d) {
    if (!field.has(d)) return;
    index::DocumentSet& left = left_[field.number];
    if (left.empty()) left = index::DocumentSet(field.segment->size());
    left.add(d);
  }

  std::vector<Contest>& contests_;
  Stop& stop_;
  std::vector<index::DocumentSet>& left_;
};

}  // namespace rondo::fast
