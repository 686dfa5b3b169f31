#include "concordances/background.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/in_parallel.h"
#include "search/index_lists.h"
#include "search/score_spread.h"

namespace rondo::concordances {
namespace {

/// How many other melodies a query is compared with. Between two collections the larger one counts: a melody of either
/// may be the query, and a probability that is too low is the lesser mistake.
std::size_t chances(const MelodySet& set, Scope scope) {
  const std::size_t all = set.melodies().size();
  if (scope != Scope::between) return all - 1;
  const auto second = static_cast<std::size_t>(
      std::count_if(set.melodies().begin(), set.melodies().end(), [](const Melody& melody) { return melody.second; }));
  return std::max(second, all - second);
}

std::vector<Line> sample_of(const MelodySet& set) {
  const std::size_t all = set.melodies().size();
  std::uint64_t notes = 0;
  for (std::size_t i = 0; i < all; ++i) notes += set.notes(set.unit_at(i));
  const std::size_t average = static_cast<std::size_t>(notes / all) + 1;
  const std::size_t wanted = sample_size(all, average * average);
  std::vector<Line> out(wanted);
  for (std::size_t i = 0; i < wanted; ++i) set.line(set.unit_at(i * all / wanted), out[i]);
  return out;
}

Result<Index> index_of(std::span<const Line> lines) {
  Corpus corpus;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Document& document = corpus.documents.emplace_back();
    document.id = std::to_string(i);
    document.voices.push_back(lines[i]);
    document.points = make_points(lines[i]);
  }
  return Index::of(corpus);
}

/// Reorders the scores.
std::optional<ScoreSpread> spread_of_some(std::vector<double>& scores) {
  if (scores.size() < kLeastSample) return std::nullopt;
  return rondo::spread_of(scores);
}

}  // namespace

Background::Background(const MelodySet& set, const ChosenSystem& system, Index sample, std::size_t melodies)
    : set_(&set),
      row_(system.row),
      system_(system.system.get()),
      calibration_(*system.row->calibration),
      sample_(std::move(sample)),
      melodies_(melodies) {}

Result<std::optional<Background>> Background::of(const MelodySet& set, Scope scope, const ChosenSystem& system,
                                                 bool standard_settings, const std::shared_ptr<gpu::Card>& card) {
  if (!system.row->calibration || !standard_settings || set.melodies().size() < kLeastSample) return std::nullopt;
  std::vector<Line> lines = sample_of(set);
  auto sample = index_of(lines);
  if (!sample) return fail(sample.error());
  Background out(set, system, std::move(*sample), chances(set, scope));
  if (card == nullptr) return out;
  // If it fails, the engine reports it.
  if (auto loaded = SampleOnCard::load(std::move(lines), *system.system, card)) out.on_card_ = std::move(*loaded);
  return out;
}

std::optional<ScoreSpread> Background::spread(const Line& query) const {
  // All of them, in no order.
  const SearchOptions options{.k = sample_.voices()};
  IndexLists lists(sample_.snapshot(), nullptr, query, options);
  std::vector<double> scores;
  for (const IndexLists::Entry& entry : lists.list(*row_, *system_, options.k)) scores.push_back(entry.score);
  return spread_of_some(scores);
}

bool Background::spreads_by_card(std::span<const std::uint32_t> units,
                                 std::span<std::optional<ScoreSpread>> out) const {
  std::vector<Line> queries(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    set_->line(units[i], queries[i]);
    // IndexLists lists nothing for shorter ones.
    if (queries[i].size() < row_->shortest) return false;
  }
  std::vector<double> all;
  if (!on_card_->scores(queries, all)) return false;
  std::vector<double> scores;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto own = std::span<const double>(all).subspan(i * on_card_->size(), on_card_->size());
    scores.clear();
    std::copy_if(own.begin(), own.end(), std::back_inserter(scores), [](double score) { return !std::isnan(score); });
    out[i] = spread_of_some(scores);
  }
  return true;
}

std::optional<std::vector<std::optional<ScoreSpread>>> Background::spreads(std::span<const std::uint32_t> units,
                                                                           unsigned threads,
                                                                           const std::stop_token& stop) const {
  constexpr std::size_t kAtOnce = 64;
  std::vector<std::optional<ScoreSpread>> out(units.size());
  in_parallel(units.size(), kAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    if (stop.stop_requested()) return;
    const std::span<std::optional<ScoreSpread>> some = std::span(out).subspan(begin, end - begin);
    if (on_card_ && spreads_by_card(units.subspan(begin, end - begin), some)) return;
    Line line;
    for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) {
      set_->line(units[i], line);
      out[i] = spread(line);
    }
  });
  if (stop.stop_requested()) return std::nullopt;
  return out;
}

double Background::least_score(double probability, const ScoreSpread& spread) const {
  // Rounded, the probability of this score may lie just below; scores are fractions of small numbers and lie nowhere
  // near so close to each other.
  double step = 1e-12;
  double score = calibration_.score_for(probability, spread, melodies_) - step;
  for (; calibration_.probability(score, spread, melodies_) < probability; step *= 2) score += step;
  return score;
}

}  // namespace rondo::concordances
