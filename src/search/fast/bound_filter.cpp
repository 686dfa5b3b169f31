#include "search/fast/bound_filter.h"

#include <cmath>

namespace rondo::fast {
namespace {

constexpr std::size_t kBoundLevels = 1024;

/// Documents that may reach the threshold, the most promising first: sorted by their bounds as finely as is worth it,
/// and among those alike in the order of the segment, which is that of memory.
std::vector<DocumentId> by_promise(const std::vector<float>& bound, double threshold) {
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  for (const float b : bound) {
    if (!std::isfinite(b) || b < threshold) continue;
    low = std::min(low, b);
    high = std::max(high, b);
  }
  const float scale = high > low ? static_cast<float>(kBoundLevels - 2) / (high - low) : 0.0F;
  // Level 0 is for what has no bound.
  const auto level = [&](float b) {
    return std::isfinite(b) ? 1 + std::min(kBoundLevels - 2, static_cast<std::size_t>((high - b) * scale))
                            : std::size_t{0};
  };
  std::vector<std::size_t> next(kBoundLevels + 1, 0);
  for (const float b : bound) {
    if (b >= threshold) ++next[level(b) + 1];
  }
  for (std::size_t l = 0; l < kBoundLevels; ++l) next[l + 1] += next[l];
  std::vector<DocumentId> out(next[kBoundLevels]);
  for (std::size_t d = 0; d < bound.size(); ++d) {
    if (bound[d] >= threshold) out[next[level(bound[d])]++] = static_cast<DocumentId>(d);
  }
  return out;
}

}  // namespace

std::span<const BoundFilter::Placed> BoundFilter::by_length(const Segment& segment,
                                                            std::span<const Candidate> candidates) {
  thread_local std::vector<Placed> order;
  order.clear();
  for (const Candidate& one : candidates) {
    order.push_back({segment.notes_of(one.document), static_cast<std::uint32_t>(order.size())});
    // They lie all over memory, and are fetched while others are sorted.
    segment.announce_pitches(order.back().notes);
    segment.announce_times(order.back().notes);
  }
  std::sort(order.begin(), order.end(), [](const Placed& a, const Placed& b) {
    return a.notes.count != b.notes.count ? a.notes.count < b.notes.count : a.candidate < b.candidate;
  });
  return order;
}

void BoundFilter::coarse(const Segment& /*segment*/, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
                         float* bound) const {
  std::fill(bound, bound + (end - begin), kUnknown);
}

void BoundFilter::fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*threshold*/) const {}

void BoundFilter::bound_all(const SegmentView& view, Workers& workers, std::vector<float>& bound) const {
  const Segment& segment = *view.segment;
  constexpr std::size_t kPiece = 4096;
  for (std::size_t r = 0; r < segment.runs().size(); ++r) {
    const index::Run& run = segment.runs()[r];
    if (run.notes < shortest_) continue;
    const auto document_at = [&](std::size_t i) { return run.first_document + i; };
    workers.share(view, segment.run_end(r) - run.first_document, kPiece, document_at,
                  [&](TopK&, std::size_t begin, std::size_t end) {
                    const auto first = static_cast<DocumentId>(run.first_document + begin);
                    coarse(segment, run.notes, first, static_cast<DocumentId>(run.first_document + end),
                           bound.data() + first);
                  });
  }
}

std::vector<float> BoundFilter::bounds(const SegmentView& view, Workers& workers) const {
  const Segment& segment = *view.segment;
  std::vector<float> bound(segment.size(), kNever);
  bound_all(view, workers, bound);
  if (!view.has_all()) {
    for (DocumentId d = 0; d < segment.size(); ++d) {
      if (!view.has(d)) bound[d] = kNever;
    }
  }
  return bound;
}

void BoundFilter::run(const SegmentView& view, Workers& workers) const {
  const std::vector<float> bound = bounds(view, workers);
  // Minus infinity marks what takes no part, so the lowest threshold is above it.
  const double threshold = std::max<double>(workers.first().threshold(), std::numeric_limits<float>::lowest());
  const std::vector<DocumentId> order = by_promise(bound, threshold);
  const auto document_at = [&](std::size_t i) { return order[i]; };
  workers.share(view, order.size(), piece(), document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
    score_candidates(view, top_k, std::span(order).subspan(begin, end - begin), bound);
  });
}

void BoundFilter::score_candidates(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents,
                                   const std::vector<float>& bound) const {
  thread_local std::vector<Candidate> candidates;
  candidates.clear();
  for (const DocumentId d : documents) {
    if (bound[d] >= top_k.threshold()) candidates.push_back({d, bound[d], false});
  }
  if (candidates.empty()) return;
  top_k.looked_at(candidates.size());
  fine(*view.segment, candidates, top_k.threshold());
  std::erase_if(candidates,
                [threshold = top_k.threshold()](const Candidate& candidate) { return candidate.bound < threshold; });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.document < b.document;
  });
  for (const Candidate& candidate : candidates) {
    if (candidate.bound < top_k.threshold() || candidate.bound == kNever) break;
    if (candidate.exact) {
      top_k.offer_scored(view, candidate.document, candidate.bound);
    } else {
      top_k.offer(view, candidate.document);
    }
  }
}

}  // namespace rondo::fast
