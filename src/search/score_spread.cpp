#include "search/score_spread.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rondo {
namespace {

/// Pairs of notes that may be compared for it; more would take longer than the search itself.
constexpr std::size_t kMostPairs = 10'000'000;

double quantile(std::vector<double>& values, std::size_t hundredths) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * hundredths / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

ScoreSpread spread_of(std::vector<double>& scores) {
  ScoreSpread spread;
  spread.middle = quantile(scores, 50);
  spread.high = quantile(scores, 95);
  return spread;
}

std::size_t sample_size(std::size_t melodies, std::size_t pairs) {
  return std::min(melodies, std::clamp(kMostPairs / std::max<std::size_t>(1, pairs), std::size_t{100}, kSample));
}

std::vector<SampleDocument> sample_documents(const index::Snapshot& snapshot, std::size_t wanted) {
  const std::size_t all = snapshot.documents();
  const std::size_t count = std::min(all, wanted);
  std::vector<SampleDocument> out;
  std::size_t segment = 0;
  std::size_t before = 0;  // documents of earlier segments
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = i * all / count;
    for (; number - before >= snapshot.segments[segment].size(); ++segment) before += snapshot.segments[segment].size();
    out.push_back({segment, static_cast<index::DocumentId>(number - before)});
  }
  return out;
}

std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                        std::size_t query_notes, const std::function<bool()>& stopped,
                                        std::span<const double> known) {
  const std::size_t all = snapshot.documents();
  if (all < kLeastSample) return std::nullopt;
  std::uint64_t notes = 0;
  for (const index::Segment& segment : snapshot.segments) notes += segment.notes();
  const std::size_t pairs = static_cast<std::size_t>(notes / all + 1) * query_notes;
  const std::vector<SampleDocument> sample = sample_documents(snapshot, sample_size(all, pairs));
  if (known.size() != sample.size()) known = {};
  std::vector<double> scores;
  Line line;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (!known.empty() && !std::isnan(known[i])) {
      scores.push_back(known[i]);
      continue;
    }
    if (stopped()) return std::nullopt;
    const auto [segment, document] = sample[i];
    if (snapshot.removed[segment].has(document)) continue;
    snapshot.segments[segment].line(document, line);
    const Score score = query.score(line);
    if (score.comparable) scores.push_back(score.value);
  }
  if (scores.size() < kLeastSample) return std::nullopt;
  return spread_of(scores);
}

}  // namespace rondo
