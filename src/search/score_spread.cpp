#include "search/score_spread.h"

#include <algorithm>
#include <vector>

namespace rondo {
namespace {

constexpr std::size_t kSample = 500;
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

std::optional<ScoreSpread> score_spread(const index::Snapshot& snapshot, const PreparedQuery& query,
                                        std::size_t query_notes, const std::function<bool()>& stopped) {
  const std::size_t all = snapshot.documents();
  if (all < kLeastSample) return std::nullopt;
  std::uint64_t notes = 0;
  for (const index::Segment& segment : snapshot.segments) notes += segment.notes();
  const std::size_t pairs = static_cast<std::size_t>(notes / all + 1) * query_notes;
  const std::size_t wanted = sample_size(all, pairs);
  std::vector<double> scores;
  Line line;
  std::size_t segment = 0;
  std::size_t before = 0;  // documents of earlier segments
  for (std::size_t i = 0; i < wanted; ++i) {
    if (stopped()) return std::nullopt;
    const std::size_t number = i * all / wanted;
    for (; number - before >= snapshot.segments[segment].size(); ++segment) before += snapshot.segments[segment].size();
    const auto document = static_cast<index::DocumentId>(number - before);
    if (snapshot.removed[segment].has(document)) continue;
    snapshot.segments[segment].line(document, line);
    const Score score = query.score(line);
    if (score.comparable) scores.push_back(score.value);
  }
  if (scores.size() < kLeastSample) return std::nullopt;
  return spread_of(scores);
}

}  // namespace rondo
