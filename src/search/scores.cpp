#include "search/scores.h"

#include <algorithm>
#include <limits>

#include "base/in_parallel.h"
#include "search/best_voice.h"
#include "search/rank.h"

namespace rondo {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

void score_mixture(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                   const ScoresOptions& options, std::span<double> out) {
  const Ranking ranking = rank_all(row, system, query, corpus,
                                   {.k = corpus.documents.size(), .threads = options.threads, .stop = options.stop});
  std::fill(out.begin(), out.end(), kNoScore);
  for (const Hit& hit : ranking.hits) out[hit.document] = hit.score.value;
}

void score_range(const SystemRow& row, const PreparedQuery& query, const Corpus& corpus, std::size_t begin,
                 std::span<double> out) {
  for (std::size_t i = begin; i < out.size(); ++i) {
    const Score score = best_voice(row, query, corpus.documents[i]).score;
    out[i] = score.comparable ? score.value : kNoScore;
  }
}

/// `work(part)` for every part, on several threads, whichever is free; ends early when stopped.
template <typename Work>
void share_out(std::size_t parts, const ScoresOptions& options, const Work& work) {
  in_parallel(parts, 1, options.threads, [&](std::size_t part, std::size_t /*end*/) {
    if (!options.stop.stop_requested()) work(part);
  });
}

}  // namespace

std::vector<double> score_documents(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                                    const ScoresOptions& options) {
  constexpr std::size_t kPart = 64;
  const std::size_t count = corpus.documents.size();
  std::vector<double> out(count, kNoScore);
  if (system.mixture() != nullptr) {
    score_mixture(row, system, query, corpus, options, out);
    return out;
  }
  const auto prepared = system.prepare(query);
  share_out((count + kPart - 1) / kPart, options, [&](std::size_t part) {
    score_range(row, *prepared, corpus, part * kPart, std::span(out).first(std::min(count, (part + 1) * kPart)));
  });
  return out;
}

bool score_matrix(const SystemRow& row, const System& system, const Corpus& corpus, std::span<double> out,
                  const ScoresOptions& options) {
  const std::size_t count = corpus.documents.size();
  const bool mixture = system.mixture() != nullptr;
  const bool mirrored = options.mirrored && !mixture;
  share_out(count, options, [&](std::size_t i) {
    const std::span<double> line = out.subspan(i * count, count);
    const std::vector<Line>& voices = corpus.documents[i].voices;
    if (voices.empty()) {
      std::fill(line.begin(), line.end(), kNoScore);
    } else if (mixture) {
      score_mixture(row, system, voices.front(), corpus, {.stop = options.stop}, line);
    } else {
      score_range(row, *system.prepare(voices.front()), corpus, mirrored ? i : 0, line);
    }
  });
  if (options.stop.stop_requested()) return false;
  for (std::size_t i = 1; mirrored && i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) out[i * count + j] = out[j * count + i];
  }
  return true;
}

}  // namespace rondo
