#include "search/card_scores.h"

#include <algorithm>
#include <cmath>

#include "search/voices_on_card.h"

namespace rondo {
namespace {

constexpr std::size_t kRowsTogether = 64;

/// All voices of a corpus, one behind the other.
struct CorpusVoices {
  std::vector<const Line*> voice;
  std::vector<std::size_t> first;  ///< by document; and the end

  explicit CorpusVoices(const Corpus& corpus) {
    for (const Document& document : corpus.documents) {
      first.push_back(voice.size());
      for (const Line& line : document.voices) voice.push_back(&line);
    }
    first.push_back(voice.size());
  }

  /// The best score of each document's voices.
  void best(std::span<const double> scores, std::span<double> out) const {
    for (std::size_t d = 0; d < out.size(); ++d) {
      double best = VoicesOnCard::kNone;
      for (std::size_t v = first[d]; v < first[d + 1]; ++v) {
        if (!std::isnan(scores[v]) && !(scores[v] <= best)) best = scores[v];
      }
      out[d] = best;
    }
  }
};

}  // namespace

Result<bool> score_matrix_on_card(const SystemRow& row, const System& system, const Corpus& corpus,
                                  std::span<double> out, const ScoresOptions& options,
                                  const std::shared_ptr<gpu::Card>& card) {
  if (!VoicesOnCard::supports(system)) {
    return gpu::unsupported_system(row.name, "choose the system 'rondo', or the device 'cpu'");
  }
  const CorpusVoices voices(corpus);
  auto on_card = VoicesOnCard::load(voices.voice, system, card);
  if (!on_card) return fail(on_card.error());
  const std::size_t count = corpus.documents.size();
  std::vector<const Line*> queries;
  std::vector<double> scores;
  for (std::size_t begin = 0; begin < count; begin += kRowsTogether) {
    if (options.stop.stop_requested()) return false;
    const std::size_t end = std::min(count, begin + kRowsTogether);
    queries.clear();
    for (std::size_t d = begin; d < end; ++d) {
      if (voices.first[d] != voices.first[d + 1]) queries.push_back(voices.voice[voices.first[d]]);
    }
    if (auto done = on_card->scores(queries, scores); !done) return fail(done.error());
    std::span<const double> left(scores);
    for (std::size_t d = begin; d < end; ++d) {
      const std::span<double> line = out.subspan(d * count, count);
      if (voices.first[d] == voices.first[d + 1]) {
        std::fill(line.begin(), line.end(), VoicesOnCard::kNone);
        continue;
      }
      voices.best(left.first(on_card->size()), line);
      left = left.subspan(on_card->size());
    }
  }
  for (std::size_t i = 1; options.mirrored && i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) out[i * count + j] = out[j * count + i];
  }
  return true;
}

}  // namespace rondo
