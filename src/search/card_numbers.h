#pragma once

#include <algorithm>
#include <stop_token>
#include <vector>

#include "base/in_parallel.h"
#include "rondo/base/result.h"
#include "search/fast/top_k.h"

/// The documents of an index on a graphics card: what those have in common that load them and ask.
namespace rondo {

/// The number of each document on the card: segment after segment, each from a multiple of 64 on, so that sets of
/// documents are copied word by word.
class CardNumbers {
 public:
  CardNumbers() = default;
  explicit CardNumbers(const index::Snapshot& snapshot) {
    for (const index::Segment& segment : snapshot.segments) {
      first_.push_back(end_);
      end_ += (segment.size() + 63) / 64 * 64;
    }
  }
  [[nodiscard]] std::uint32_t first(std::size_t segment) const { return first_[segment]; }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  struct Place {
    std::size_t segment = 0;
    index::DocumentId document = 0;
  };
  [[nodiscard]] Place place_of(std::uint32_t number) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), number);
    const auto segment = static_cast<std::size_t>(after - first_.begin()) - 1;
    return {segment, number - first_[segment]};
  }
  /// A bit for each document that the views have, but for SegmentView::except; nothing where that is all, or all that
  /// `known` (by segment, may be null) has.
  [[nodiscard]] std::vector<std::uint64_t> allowed(const std::vector<fast::SegmentView>& views,
                                                   const std::vector<index::DocumentSet>* known) const {
    std::vector<std::uint64_t> out;
    const auto filters = [&](const fast::SegmentView& view) {
      return view.chosen != (known == nullptr ? nullptr : &(*known)[view.number]);
    };
    if (std::none_of(views.begin(), views.end(), filters)) return out;
    out.resize(end_ / 64);
    for (const fast::SegmentView& view : views) {
      const auto at = out.begin() + first_[view.number] / 64;
      if (view.chosen == nullptr) {
        std::fill_n(at, (view.segment->size() + 63) / 64, ~std::uint64_t{0});
      } else {
        std::copy(view.chosen->words().begin(), view.chosen->words().end(), at);
      }
    }
    return out;
  }

 private:
  std::vector<std::uint32_t> first_;  ///< by segment
  std::uint32_t end_ = 0;
};

/// Some documents of a segment, and what was made of them.
template <class Columns>
struct CardPart {
  std::size_t segment = 0;
  index::DocumentId begin = 0;
  index::DocumentId end = 0;
  Columns columns{};
};

/// fill(part, columns) for all documents, on several threads. Errors: `search-stopped`.
template <class Columns, class Fill>
Result<std::vector<CardPart<Columns>>> fill_parts(const index::Snapshot& snapshot, unsigned threads,
                                                  const std::stop_token& stop, const Fill& fill) {
  constexpr index::DocumentId kPart = 16'384;
  static_assert(kPart % 64 == 0);
  std::vector<CardPart<Columns>> parts;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const std::uint32_t size = snapshot.segments[s].size();
    for (index::DocumentId begin = 0; begin < size; begin += kPart) {
      parts.push_back({s, begin, std::min(size, begin + kPart)});
    }
  }
  in_parallel(parts.size(), 1, threads, [&](std::size_t p, std::size_t /*end*/) {
    if (!stop.stop_requested()) fill(parts[p], parts[p].columns);
  });
  if (stop.stop_requested()) return fail("search-stopped", "the program is ending");
  return parts;
}

}  // namespace rondo
