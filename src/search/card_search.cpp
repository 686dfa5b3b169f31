#include "search/card_search.h"

#include <algorithm>
#include <limits>

#include "gpu/cost_tables.h"
#include "search/asked_together.h"
#include "search/card_numbers.h"
#include "search/score_spread.h"

namespace rondo {
namespace {

bool same_plan(const RondoPlan& a, const RondoPlan& b) {
  return a.near == b.near && a.far == b.far && a.length == b.length && a.change == b.change && a.place == b.place &&
         a.interval == b.interval && a.weight == b.weight && a.gap == b.gap && a.long_notes == b.long_notes &&
         a.overhang == b.overhang && a.beyond == b.beyond;
}

/// A request of a thread.
struct CardRequest {
  gpu::MelodyColumns melody;
  std::vector<std::uint64_t> allowed;
  std::uint32_t k = 1;
};

}  // namespace

struct CardSearch::State {
  const index::Snapshot* snapshot = nullptr;
  RondoPlan plan;
  explained::Costs even;
  explained::Costs rhythmic;
  std::unique_ptr<gpu::BestSearch> best;
  CardNumbers numbers;
  std::vector<std::vector<index::DocumentId>> others;

  AskedTogether<CardRequest, gpu::BestAnswer> together{[this](auto requests) { return answer(requests); }};

  explicit State(const RondoPlan& of)
      : plan(of), even(explained::settings_of(of), false), rhythmic(explained::settings_of(of), true) {}

  [[nodiscard]] Result<void> load(const Options& options, std::shared_ptr<gpu::Card> card);
  void fill(std::size_t segment, index::DocumentId begin, index::DocumentId end, gpu::MelodyColumns& to) const;
  [[nodiscard]] Result<std::vector<gpu::BestAnswer>> answer(std::span<const CardRequest* const> requests) const;
};

bool CardSearch::can_search(const SearchPlan& plan) {
  const auto* const rondo = std::get_if<RondoPlan>(&plan);
  return rondo != nullptr && gpu::fits_card(*rondo);
}

CardSearch::CardSearch(std::unique_ptr<State> state) : state_(std::move(state)) {}
CardSearch::~CardSearch() = default;
CardSearch::CardSearch(CardSearch&&) noexcept = default;
CardSearch& CardSearch::operator=(CardSearch&&) noexcept = default;

void CardSearch::State::fill(std::size_t segment, index::DocumentId begin, index::DocumentId end,
                             gpu::MelodyColumns& to) const {
  const index::Segment& from = snapshot->segments[segment];
  Line line;
  explained::Features features;
  for (index::DocumentId d = begin; d < end; ++d) {
    const std::size_t notes = from.notes_of(d).count;
    bool fits = !snapshot->removed[segment].has(d) && notes >= explained::kShortest && notes <= gpu::kMostNotes;
    if (fits) {
      from.line(d, line);
      explained::make_features(line.pitch, line.onset, line.duration, features);
      fits = gpu::MelodyColumns::fits(features);
    }
    if (fits) {
      to.add(features, even, rhythmic);
    } else {
      to.add_none();
    }
  }
}

Result<void> CardSearch::State::load(const Options& options, std::shared_ptr<gpu::Card> card) {
  auto made = fill_parts<gpu::MelodyColumns>(
      *snapshot, options.threads, options.stop,
      [this](const auto& part, gpu::MelodyColumns& to) { fill(part.segment, part.begin, part.end, to); });
  if (!made) return fail(made.error());
  auto& parts = *made;
  gpu::MelodyColumns all;
  others.resize(snapshot->segments.size());
  std::size_t notes = 0;
  for (const auto& part : parts) notes += part.columns.notes.size();
  all.notes.reserve(notes);
  all.melodies.reserve(numbers.end());
  for (auto& part : parts) {
    while (all.melodies.size() < numbers.first(part.segment)) all.add_none();
    for (std::size_t i = 0; i < part.columns.melodies.size(); ++i) {
      const auto d = static_cast<index::DocumentId>(part.begin + i);
      all.add_from(part.columns, i);
      const bool here = part.columns.melodies[i].notes != 0;
      const bool ranked = snapshot->segments[part.segment].notes_of(d).count >= explained::kShortest;
      if (!here && ranked && !snapshot->removed[part.segment].has(d)) others[part.segment].push_back(d);
    }
    part.columns = {};
  }
  while (all.melodies.size() < numbers.end()) all.add_none();
  std::vector<std::uint32_t> sample;
  for (const SampleDocument& one : sample_documents(*snapshot, kSample)) {
    sample.push_back(numbers.first(one.segment) + one.document);
  }
  auto loaded = gpu::BestSearch::load(std::move(card), all, sample, gpu::cost_tables(even, rhythmic), options.tiers);
  if (!loaded) return fail(loaded.error());
  best = std::move(*loaded);
  return {};
}

Result<CardSearch> CardSearch::load(const Index& index, const RondoPlan& plan, std::shared_ptr<gpu::Card> card,
                                    const Options& options) {
  auto state = std::make_unique<State>(plan);
  state->snapshot = &index.snapshot();
  state->numbers = CardNumbers(index.snapshot());
  if (auto done = state->load(options, std::move(card)); !done) return fail(done.error());
  return CardSearch(std::move(state));
}

bool CardSearch::has(const index::Snapshot& snapshot, const SearchPlan& plan) const {
  const auto* const rondo = std::get_if<RondoPlan>(&plan);
  return state_->snapshot == &snapshot && rondo != nullptr && same_plan(*rondo, state_->plan);
}

bool CardSearch::takes(const Line& query) const {
  if (query.size() < explained::kShortest || query.size() > gpu::kMostNotes || !query.unknown.empty()) return false;
  const auto [low, high] = std::minmax_element(query.pitch.begin(), query.pitch.end());
  return *high - *low <= gpu::kMostPitch;
}

const std::vector<index::DocumentId>& CardSearch::others(std::size_t segment) const { return state_->others[segment]; }

Result<std::vector<gpu::BestAnswer>> CardSearch::State::answer(std::span<const CardRequest* const> requests) const {
  std::vector<gpu::BestQuery> queries;
  queries.reserve(requests.size());
  for (const CardRequest* one : requests) queries.push_back({&one->melody, one->k, one->allowed});
  return best->find(queries);
}

Result<CardSearch::Answer> CardSearch::ask(const Line& query, std::size_t k,
                                           const std::vector<fast::SegmentView>& views) {
  const State& state = *state_;
  CardRequest own;
  explained::Features features;
  explained::make_features(query.pitch, query.onset, query.duration, features);
  own.melody.add(features, state.even, state.rhythmic);
  // Of the few that are left out by name, as many more are asked for.
  std::size_t most = k;
  for (const fast::SegmentView& view : views) most += view.except.size();
  own.k = static_cast<std::uint32_t>(std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max()));
  own.allowed = state.numbers.allowed(views, nullptr);
  auto answer = state_->together.ask(own);
  if (!answer) return fail(answer.error());
  const double perfect = own.melody.melodies.front().perfect;
  Answer out;
  for (const gpu::ScoredDocument& one : answer->best) {
    const auto [segment, document] = state.numbers.place_of(one.document);
    const auto& except = views[segment].except;
    if (std::find(except.begin(), except.end(), document) != except.end()) continue;
    out.hits.push_back({segment, document, static_cast<double>(one.total) / perfect});
  }
  for (const std::int32_t total : answer->sample) {
    out.sample.push_back(total == gpu::kNoTotal ? std::numeric_limits<double>::quiet_NaN()
                                                : static_cast<double>(total) / perfect);
  }
  return out;
}

}  // namespace rondo
