#include "server/relevance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "store/sqlite.h"

namespace rondo::server {
namespace {

constexpr std::int64_t kSample = 200;
constexpr std::size_t kFewest = 20;

}  // namespace

Result<RandomMelodies> RandomMelodies::of(Collection& collection, const LineOptions& heard) {
  RandomMelodies out;
  std::vector<PieceKey> keys;
  auto read = each_row(
      collection.database(),
      "SELECT key FROM (SELECT key, row_number() OVER (ORDER BY key) AS place, count(*) OVER () AS all_of_them "
      "FROM piece) WHERE place % max(1, all_of_them / ?1) = 0 LIMIT ?1",
      [&](const Statement& row) -> Result<void> {
        keys.push_back(PieceKey{row.integer(0)});
        return {};
      },
      kSample);
  if (!read) return fail(std::move(read.error()));
  for (const PieceKey key : keys) {
    auto piece = collection.get(key);
    if (!piece || piece->voices.empty()) continue;
    out.lines.push_back(make_line(piece->voices.front(), heard));
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
