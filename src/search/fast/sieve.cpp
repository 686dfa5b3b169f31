#include "search/fast/sieve.h"

#include <cmath>

namespace rondo::fast {
namespace {

constexpr std::size_t kLevels = 1024;

/// Documents that may reach the bar, the most promising first: sorted by their bounds as finely as is worth it, and
/// among those alike in the order of the segment, which is that of memory.
std::vector<DocumentId> by_promise(const std::vector<float>& bound, double bar) {
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  for (const float b : bound) {
    if (!std::isfinite(b) || b < bar) continue;
    low = std::min(low, b);
    high = std::max(high, b);
  }
  const float scale = high > low ? static_cast<float>(kLevels - 2) / (high - low) : 0.0F;
  // Level 0 is for what has no bound.
  const auto level = [&](float b) {
    return std::isfinite(b) ? 1 + std::min(kLevels - 2, static_cast<std::size_t>((high - b) * scale)) : std::size_t{0};
  };
  std::vector<std::size_t> next(kLevels + 1, 0);
  for (const float b : bound) {
    if (b >= bar) ++next[level(b) + 1];
  }
  for (std::size_t l = 0; l < kLevels; ++l) next[l + 1] += next[l];
  std::vector<DocumentId> out(next[kLevels]);
  for (std::size_t d = 0; d < bound.size(); ++d) {
    if (bound[d] >= bar) out[next[level(bound[d])]++] = static_cast<DocumentId>(d);
  }
  return out;
}

}  // namespace

float Sieve::raised(double bound) {
  if (!std::isfinite(bound)) return static_cast<float>(bound);
  const double with_room = bound + 1e-9 * std::max(1.0, std::abs(bound));
  const auto near = static_cast<float>(with_room);
  return near >= with_room ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
}

void Sieve::coarse(const Segment& /*segment*/, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
                   float* bound) const {
  std::fill(bound, bound + (end - begin), kUnknown);
}

void Sieve::fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const {}

void Sieve::bound_all(const Field& field, Team& team, std::vector<float>& bound) const {
  const Segment& segment = *field.segment;
  constexpr std::size_t kPiece = 4096;
  for (std::size_t r = 0; r < segment.runs().size(); ++r) {
    const index::Run& run = segment.runs()[r];
    if (run.notes < shortest_) continue;
    const auto document_at = [&](std::size_t i) { return run.first_document + i; };
    team.share(field, segment.run_end(r) - run.first_document, kPiece, document_at,
               [&](Contest&, std::size_t begin, std::size_t end) {
                 const auto first = static_cast<DocumentId>(run.first_document + begin);
                 coarse(segment, run.notes, first, static_cast<DocumentId>(run.first_document + end),
                        bound.data() + first);
               });
  }
}

std::vector<float> Sieve::bounds(const Field& field, Team& team) const {
  const Segment& segment = *field.segment;
  std::vector<float> bound(segment.size(), kNever);
  bound_all(field, team, bound);
  if (field.chosen != nullptr || !field.removed->empty() || !field.except.empty()) {
    for (DocumentId d = 0; d < segment.size(); ++d) {
      if (!field.has(d)) bound[d] = kNever;
    }
  }
  return bound;
}

void Sieve::run(const Field& field, Team& team) const {
  const std::vector<float> bound = bounds(field, team);
  // Minus infinity marks what takes no part, so the lowest bar is above it.
  const double bar = std::max<double>(team.first().bar(), std::numeric_limits<float>::lowest());
  const std::vector<DocumentId> order = by_promise(bound, bar);
  constexpr std::size_t kPiece = 256;
  const auto document_at = [&](std::size_t i) { return order[i]; };
  team.share(field, order.size(), kPiece, document_at, [&](Contest& contest, std::size_t begin, std::size_t end) {
    sift(field, contest, std::span(order).subspan(begin, end - begin), bound);
  });
}

void Sieve::sift(const Field& field, Contest& contest, std::span<const DocumentId> documents,
                 const std::vector<float>& bound) const {
  thread_local std::vector<Candidate> candidates;
  candidates.clear();
  for (const DocumentId d : documents) {
    if (bound[d] >= contest.bar()) candidates.push_back({d, bound[d], false});
  }
  if (candidates.empty()) return;
  contest.looked_at(candidates.size());
  fine(*field.segment, candidates, contest.bar());
  std::erase_if(candidates, [bar = contest.bar()](const Candidate& candidate) { return candidate.bound < bar; });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.document < b.document;
  });
  for (const Candidate& candidate : candidates) {
    if (candidate.bound < contest.bar() || candidate.bound == kNever) break;
    if (candidate.exact) {
      contest.offer_scored(field, candidate.document, candidate.bound);
    } else {
      contest.offer(field, candidate.document);
    }
  }
}

}  // namespace rondo::fast
