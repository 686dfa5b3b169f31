#include "search/card_scores.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "gpu/cost_tables.h"
#include "gpu/melody_columns.h"

namespace rondo {
namespace {

constexpr std::size_t kRowsTogether = 64;
constexpr std::uint32_t kNotOnCard = 0xFFFFFFFF;

/// All voices of a corpus, one behind the other.
struct CorpusVoices {
  std::vector<const Line*> line;
  std::vector<std::size_t> first;     ///< by document; and the end
  std::vector<std::uint32_t> number;  ///< on the card, or kNotOnCard
  gpu::MelodyColumns on_card;

  CorpusVoices(const Corpus& corpus, const explained::Costs& even, const explained::Costs& rhythmic) {
    explained::Features features;
    for (const Document& document : corpus.documents) {
      first.push_back(line.size());
      for (const Line& voice : document.voices) {
        line.push_back(&voice);
        number.push_back(kNotOnCard);
        if (voice.size() < explained::kShortest || voice.size() > gpu::kMostNotes) continue;
        explained::make_features(voice.pitch, voice.onset, voice.duration, features);
        if (!gpu::MelodyColumns::fits(features)) continue;
        number.back() = static_cast<std::uint32_t>(on_card.melodies.size());
        on_card.add(features, even, rhythmic);
      }
    }
    first.push_back(line.size());
  }
};

/// A row of the matrix; `totals` of the melodies on the card, nothing where the query is not one for it.
void fill_row(const CorpusVoices& voices, const PreparedQuery& query, std::int32_t perfect,
              std::optional<std::span<const std::int32_t>> totals, std::span<double> out) {
  for (std::size_t d = 0; d < out.size(); ++d) {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t v = voices.first[d]; v < voices.first[d + 1]; ++v) {
      double value = 0;
      if (totals && voices.number[v] != kNotOnCard) {
        value = static_cast<double>((*totals)[voices.number[v]]) / static_cast<double>(perfect);
      } else {
        const Score score = query.score(*voices.line[v]);
        if (!score.comparable) continue;
        value = score.value;
      }
      if (!(value <= best)) best = value;
    }
    out[d] = best;
  }
}

}  // namespace

Result<bool> score_matrix_on_card(const SystemRow& row, const System& system, const Corpus& corpus,
                                  std::span<double> out, const ScoresOptions& options, gpu::Card& card) {
  const SearchPlan plan = system.plan();
  const auto* const rondo = std::get_if<RondoPlan>(&plan);
  if (rondo == nullptr || !gpu::fits_card(*rondo)) {
    return gpu::unsupported_system(row.name, "choose the system 'rondo', or the device 'cpu'");
  }
  const explained::Costs even(explained::settings_of(*rondo), false);
  const explained::Costs rhythmic(explained::settings_of(*rondo), true);
  const auto costs = gpu::cost_tables(even, rhythmic);
  const CorpusVoices voices(corpus, even, rhythmic);
  auto slice = card.load(voices.on_card.span(), *costs, gpu::SliceUse::totals);
  if (!slice) return fail(slice.error());
  const std::size_t count = corpus.documents.size();
  std::vector<gpu::Query> queries;
  std::vector<std::int32_t> totals;
  for (std::size_t begin = 0; begin < count; begin += kRowsTogether) {
    if (options.stop.stop_requested()) return false;
    const std::size_t end = std::min(count, begin + kRowsTogether);
    queries.clear();
    for (std::size_t d = begin; d < end; ++d) {
      if (voices.first[d] == voices.first[d + 1] || voices.number[voices.first[d]] == kNotOnCard) continue;
      const std::uint32_t number = voices.number[voices.first[d]];
      queries.push_back(
          gpu::make_query(voices.on_card.melodies[number], voices.on_card.notes_of(number), 0, *costs));
    }
    if (auto done = card.totals({slice->get(), queries}, totals); !done) return fail(done.error());
    std::size_t q = 0;
    for (std::size_t d = begin; d < end; ++d) {
      const std::span<double> line = out.subspan(d * count, count);
      if (voices.first[d] == voices.first[d + 1]) {
        std::fill(line.begin(), line.end(), std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      const Line& own = *voices.line[voices.first[d]];
      const auto prepared = system.prepare(own);
      if (voices.number[voices.first[d]] == kNotOnCard) {
        fill_row(voices, *prepared, 1, std::nullopt, line);
        continue;
      }
      const std::size_t width = voices.on_card.melodies.size();
      fill_row(voices, *prepared, queries[q].melody.perfect,
               std::span<const std::int32_t>(totals).subspan(q * width, width), line);
      ++q;
    }
  }
  for (std::size_t i = 1; options.mirrored && i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) out[i * count + j] = out[j * count + i];
  }
  return true;
}

}  // namespace rondo
