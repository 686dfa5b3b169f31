#include "search/fast/contest.h"

#include "rondo/base/interrupt.h"

namespace rondo::fast {

void Contest::offer(const Field& field, DocumentId document) {
  field.segment->line(document, line_);
  // One pair of long melodies can take far longer than a search may.
  const InterruptScope scope([](void* stop) { return static_cast<Stop*>(stop)->now(); }, &stop_);
  const Score score = query_.score(line_);
  if (stop_.stopped()) return;  // the score may be half of one, and the search is incomplete in any case
  ++scored_;
  if (score.comparable) offer_scored(field, document, score.value);
}

void Contest::offer_scored(const Field& field, DocumentId document, double score) {
  if ((row_.zero_is_none && score <= 0) || score < bar()) return;
  enter(field, document, score);
}

void Contest::enter(const Field& field, DocumentId document, double score) {
  const auto piece = static_cast<std::int64_t>(field.segment->piece(document));
  const Entry entry{field.number, document, score};
  const auto [found, is_new] = best_.try_emplace(piece, entry);
  if (is_new) {
    top_.push(score);
    if (top_.size() > k_) top_.pop();
  } else {
    Entry& held = found->second;
    if (score < held.score) return;
    if (score == held.score) {
      // All voices of a piece lie in one segment.
      if (field.segment->voice_number(document) < field.segment->voice_number(held.document)) held = entry;
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
  if (top_.size() == k_) bar_.raise(top_.top());
}

std::vector<Contest::Entry> Contest::contenders(std::vector<Contest>& all, const std::vector<index::Segment>& segments,
                                                double bar) {
  std::unordered_map<std::int64_t, Entry> best;
  for (const Contest& one : all) {
    for (const auto& [piece, entry] : one.best_) {
      if (entry.score < bar) continue;
      const auto [found, is_new] = best.try_emplace(piece, entry);
      if (is_new) continue;
      const Entry& held = found->second;
      const Segment& segment = segments[entry.segment];
      const bool first = segment.voice_number(entry.document) < segment.voice_number(held.document);
      if (entry.score > held.score || (entry.score == held.score && first)) found->second = entry;
    }
  }
  std::vector<Entry> out;
  out.reserve(best.size());
  for (const auto& entry : best) out.push_back(entry.second);
  return out;
}

}  // namespace rondo::fast
