#pragma once

#include "search/corpus.h"

namespace rondo {

struct BestVoice {
  Score score;
  std::uint32_t voice = 0;
};

/// The score of a document: that of its best voice, or of the whole piece if the system compares whole pieces. Not
/// comparable if no voice is.
[[nodiscard]] inline BestVoice best_voice(const SystemRow& row, const PreparedQuery& query, const Document& document) {
  BestVoice best;
  best.score.comparable = false;
  if (document.voices.empty()) return best;
  if (row.polyphonic) {
    best.score = query.score(document.points);
    return best;
  }
  for (std::uint32_t v = 0; v < document.voices.size(); ++v) {
    const Score score = query.score(document.voices[v]);
    if (!score.comparable) continue;
    if (!best.score.comparable || score.value > best.score.value) best = {score, v};
  }
  return best;
}

}  // namespace rondo
