#include "search/card/card_search.h"

#include <algorithm>
#include <limits>

#include "base/in_parallel.h"
#include "search/card/request_batcher.h"
#include "search/score_spread.h"

namespace rondo {
namespace {

/// The number of each document on the card: segment after segment, each from a multiple of 64 on, so that sets of
/// documents are copied word by word.
class CardNumbers {
 public:
  CardNumbers() = default;
  explicit CardNumbers(const index::Snapshot& snapshot) {
    for (const index::Segment& segment : snapshot.segments) {
      first_.push_back(end_);
      end_ += (segment.size() + 63) / 64 * 64;
    }
  }
  [[nodiscard]] std::uint32_t first(std::size_t segment) const { return first_[segment]; }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  struct Place {
    std::size_t segment = 0;
    index::DocumentId document = 0;
  };
  [[nodiscard]] Place place_of(std::uint32_t number) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), number);
    const auto segment = static_cast<std::size_t>(after - first_.begin()) - 1;
    return {segment, number - first_[segment]};
  }
  /// A bit for each document of the views, including SegmentView::except; empty: all documents.
  [[nodiscard]] std::vector<std::uint64_t> allowed(const std::vector<fast::SegmentView>& views) const {
    std::vector<std::uint64_t> out;
    const auto filters = [](const fast::SegmentView& view) { return view.chosen != nullptr; };
    if (std::none_of(views.begin(), views.end(), filters)) return out;
    out.resize(end_ / 64);
    for (const fast::SegmentView& view : views) {
      const auto at = out.begin() + first_[view.number] / 64;
      if (view.chosen == nullptr) {
        std::fill_n(at, (view.segment->size() + 63) / 64, ~std::uint64_t{0});
      } else {
        std::copy(view.chosen->words().begin(), view.chosen->words().end(), at);
      }
    }
    return out;
  }

 private:
  std::vector<std::uint32_t> first_;  ///< by segment
  std::uint32_t end_ = 0;
};

/// Some documents of a segment, as the card compares them.
struct CardPart {
  std::size_t segment = 0;
  index::DocumentId begin = 0;
  index::DocumentId end = 0;
  gpu::MelodyColumns columns{};
};

std::vector<CardPart> parts_of(const index::Snapshot& snapshot) {
  constexpr index::DocumentId kPart = 16'384;
  std::vector<CardPart> out;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const std::uint32_t size = snapshot.segments[s].size();
    for (index::DocumentId begin = 0; begin < size; begin += kPart) {
      out.push_back({s, begin, std::min(size, begin + kPart)});
    }
  }
  return out;
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

  RequestBatcher<CardRequest, gpu::BestAnswer> batcher{[this](auto requests) { return answer(requests); }};

  explicit State(const RondoPlan& of)
      : plan(of), even(explained::settings_of(of), false), rhythmic(explained::settings_of(of), true) {}

  [[nodiscard]] Result<void> load(const Options& options, std::shared_ptr<gpu::Card> card);
  void fill(CardPart& part) const;
  [[nodiscard]] Result<std::vector<gpu::BestAnswer>> answer(std::span<const CardRequest* const> requests) const;
};

CardSearch::CardSearch(std::unique_ptr<State> state) : state_(std::move(state)) {}
CardSearch::~CardSearch() = default;
CardSearch::CardSearch(CardSearch&&) noexcept = default;
CardSearch& CardSearch::operator=(CardSearch&&) noexcept = default;

void CardSearch::State::fill(CardPart& part) const {
  const index::Segment& from = snapshot->segments[part.segment];
  Line line;
  explained::Features features;
  for (index::DocumentId d = part.begin; d < part.end; ++d) {
    const std::size_t notes = from.notes_of(d).count;
    bool fits = !snapshot->removed[part.segment].has(d) && notes >= explained::kShortest && notes <= gpu::kMostNotes;
    if (fits) {
      from.line(d, line);
      explained::make_features(line.pitch, line.onset, line.duration, features);
      fits = gpu::MelodyColumns::fits(features);
    }
    if (fits) {
      part.columns.add(features, even, rhythmic);
    } else {
      part.columns.add_none();
    }
  }
}

Result<void> CardSearch::State::load(const Options& options, std::shared_ptr<gpu::Card> card) {
  std::vector<CardPart> parts = parts_of(*snapshot);
  in_parallel(parts.size(), 1, options.threads, [&](std::size_t p, std::size_t /*end*/) {
    if (!options.stop.stop_requested()) fill(parts[p]);
  });
  if (options.stop.stop_requested()) return fail("search-stopped", "the program is ending");
  gpu::MelodyColumns all;
  others.resize(snapshot->segments.size());
  std::size_t notes = 0;
  for (const CardPart& part : parts) notes += part.columns.notes.size();
  all.notes.reserve(notes);
  all.melodies.reserve(numbers.end());
  for (CardPart& part : parts) {
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
  return state_->snapshot == &snapshot && rondo != nullptr && *rondo == state_->plan;
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

Result<CardSearch::Answer> CardSearch::search(const Line& query, std::size_t k,
                                              const std::vector<fast::SegmentView>& views) {
  const State& state = *state_;
  CardRequest own;
  explained::Features features;
  explained::make_features(query.pitch, query.onset, query.duration, features);
  own.melody.add(features, state.even, state.rhythmic);
  // As many more as are excluded by name.
  std::size_t most = k;
  for (const fast::SegmentView& view : views) most += view.except.size();
  own.k = static_cast<std::uint32_t>(std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max()));
  own.allowed = state.numbers.allowed(views);
  auto answer = state_->batcher.send(own);
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
