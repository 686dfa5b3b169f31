#include "server/relevance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rondo::server {
namespace {

constexpr std::size_t kSample = 200;
constexpr std::size_t kFewest = 20;

}  // namespace

RandomMelodies RandomMelodies::of(Collection& collection, std::span<const PieceKey> pieces, const LineOptions& heard) {
  RandomMelodies out;
  const std::size_t count = std::min(pieces.size(), kSample);
  for (std::size_t i = 0; i < count; ++i) {
    const auto piece = collection.get(pieces[i * pieces.size() / count]);
    // One that is gone meanwhile is not missed.
    if (piece && !piece->voices.empty()) out.lines.push_back(make_line(piece->voices.front(), heard));
  }
  return out;
}

std::optional<double> relevance_cut(const PreparedQuery& prepared, const Line& query, const RandomMelodies& random,
                                    std::size_t pieces) {
  std::vector<double> scores;
  for (const Line& line : random.lines) {
    const Score score = prepared.score(line);
    if (score.comparable) scores.push_back(score.value);
  }
  if (scores.size() < kFewest) return std::nullopt;
  // Those that do resemble it are few, and not to be counted among the random ones.
  std::sort(scores.begin(), scores.end());
  scores.resize(scores.size() - std::max<std::size_t>(1, scores.size() / 50));
  const auto count = static_cast<double>(scores.size());
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / count;
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  // The highest of n values of a normal distribution lies about sqrt(2 ln n) deviations above its mean.
  const double deviations = std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(pieces, 10))));
  const double cut = mean + deviations * std::sqrt(squares / count);
  const Score itself = prepared.score(query);
  return itself.comparable ? std::min(cut, itself.value) : cut;
}

}  // namespace rondo::server
