#include "search/fast/top_k.h"

#include "base/interrupt.h"

namespace rondo::fast {

void TopK::offer(const SegmentView& view, DocumentId document) {
  if (stop_.stopped()) return too_late_.push_back({view.number, document, 0});
  view.segment->line(document, line_);
  // One pair of long melodies can take far longer than a search may.
  const InterruptScope scope([](void* stop) { return static_cast<Stop*>(stop)->now(); }, &stop_);
  const Score score = query_.score(line_);
  // The score may be half of one.
  if (stop_.stopped()) return too_late_.push_back({view.number, document, 0});
  ++scored_;
  if (score.comparable) offer_scored(view, document, score.value);
}

void TopK::offer_scored(const SegmentView& view, DocumentId document, double score) {
  if ((row_.zero_is_none && score <= 0) || score < threshold()) return;
  enter(view, document, score);
}

void TopK::enter(const SegmentView& view, DocumentId document, double score) {
  const Entry entry{view.number, document, score};
  const auto add = [&] {
    best_.push_back(entry);
    if (top_.size() == k_ && score <= top_.top()) return;
    top_.push(score);
    if (top_.size() > k_) top_.pop();
    if (top_.size() == k_) threshold_.raise(top_.top());
  };
  if (view.segment->alone(document)) {
    if (entered_.size() <= view.number) entered_.resize(view.number + 1);
    index::DocumentSet& entered = entered_[view.number];
    if (entered.empty()) entered = index::DocumentSet(view.segment->size());
    if (entered.has(document)) return;  // offered twice
    entered.add(document);
    return add();
  }
  std::uint32_t& number = numbers_[static_cast<std::uint64_t>(view.segment->piece(document))];
  if (number == index::NumberTable::kNone) {
    number = static_cast<std::uint32_t>(best_.size());
    return add();
  }
  Entry& held = best_[number];
  if (score < held.score) return;
  if (score == held.score) {
    // All voices of a piece lie in one segment.
    if (view.segment->voice_number(document) < view.segment->voice_number(held.document)) held = entry;
    return;
  }
  held = entry;
  // Rare: another voice of a piece that is there already does better. Its old score must not count.
  top_ = {};
  for (const Entry& one : best_) {
    top_.push(one.score);
    if (top_.size() > k_) top_.pop();
  }
  if (top_.size() == k_) threshold_.raise(top_.top());
}

void TopK::settle(const std::vector<index::Segment>& segments, std::vector<index::DocumentSet>& not_reached) const {
  for (const Entry& entry : too_late_) {
    index::DocumentSet& left = not_reached[entry.segment];
    if (left.empty()) left = index::DocumentSet(segments[entry.segment].size());
    left.add(entry.document);
  }
  for (const Entry& entry : best_) not_reached[entry.segment].remove(entry.document);
}

std::vector<TopK::Entry> TopK::contenders(std::vector<TopK>& all, const std::vector<index::Segment>& segments,
                                          double threshold) {
  std::vector<Entry> out;
  const auto reaches = [threshold](const Entry& entry) { return entry.score >= threshold; };
  if (all.size() == 1) {
    out.swap(all.front().best_);
    std::erase_if(out, [&](const Entry& entry) { return !reaches(entry); });
    return out;
  }
  index::NumberTable numbers;
  for (const TopK& one : all) {
    for (const Entry& entry : one.best_) {
      if (!reaches(entry)) continue;
      const Segment& segment = segments[entry.segment];
      std::uint32_t& number = numbers[static_cast<std::uint64_t>(segment.piece(entry.document))];
      if (number == index::NumberTable::kNone) {
        number = static_cast<std::uint32_t>(out.size());
        out.push_back(entry);
        continue;
      }
      Entry& held = out[number];
      const bool first = segment.voice_number(entry.document) < segment.voice_number(held.document);
      if (entry.score > held.score || (entry.score == held.score && first)) held = entry;
    }
  }
  return out;
}

}  // namespace rondo::fast
