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
  const auto piece = static_cast<std::int64_t>(view.segment->piece(document));
  const Entry entry{view.number, document, score};
  const auto [found, is_new] = best_.try_emplace(piece, entry);
  if (is_new) {
    top_.push(score);
    if (top_.size() > k_) top_.pop();
  } else {
    Entry& held = found->second;
    if (score < held.score) return;
    if (score == held.score) {
      // All voices of a piece lie in one segment.
      if (view.segment->voice_number(document) < view.segment->voice_number(held.document)) held = entry;
      return;
    }
    held = entry;
    // Rare: another voice of a piece that is there already does better. Its old score must not count.
    top_ = {};
    for (const auto& one : best_) {
      top_.push(one.second.score);
      if (top_.size() > k_) top_.pop();
    }
  }
  if (top_.size() == k_) threshold_.raise(top_.top());
}

void TopK::settle(const std::vector<index::Segment>& segments, std::vector<index::DocumentSet>& not_reached) const {
  for (const Entry& entry : too_late_) {
    index::DocumentSet& left = not_reached[entry.segment];
    if (left.empty()) left = index::DocumentSet(segments[entry.segment].size());
    left.add(entry.document);
  }
  for (const auto& [piece, entry] : best_) not_reached[entry.segment].remove(entry.document);
}

std::vector<TopK::Entry> TopK::contenders(std::vector<TopK>& all, const std::vector<index::Segment>& segments,
                                          double threshold) {
  std::vector<Entry> out;
  if (all.size() == 1) {
    for (const auto& [piece, entry] : all.front().best_) {
      if (entry.score >= threshold) out.push_back(entry);
    }
    return out;
  }
  std::unordered_map<std::int64_t, Entry> best;
  for (const TopK& one : all) {
    for (const auto& [piece, entry] : one.best_) {
      if (entry.score < threshold) continue;
      const auto [found, is_new] = best.try_emplace(piece, entry);
      if (is_new) continue;
      const Entry& held = found->second;
      const Segment& segment = segments[entry.segment];
      const bool first = segment.voice_number(entry.document) < segment.voice_number(held.document);
      if (entry.score > held.score || (entry.score == held.score && first)) found->second = entry;
    }
  }
  out.reserve(best.size());
  for (const auto& entry : best) out.push_back(entry.second);
  return out;
}

}  // namespace rondo::fast
