#include "search/card_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <thread>

#include "gpu/cost_tables.h"
#include "search/score_spread.h"

namespace rondo {
namespace {

/// Queries that are answered together.
constexpr std::size_t kMostTogether = 64;
/// While the card computes for one batch, the next one is prepared.
constexpr std::size_t kBatchesAtOnce = 2;

bool same_plan(const RondoPlan& a, const RondoPlan& b) {
  return a.near == b.near && a.far == b.far && a.length == b.length && a.change == b.change && a.place == b.place &&
         a.interval == b.interval && a.weight == b.weight && a.gap == b.gap && a.long_notes == b.long_notes &&
         a.overhang == b.overhang && a.beyond == b.beyond;
}

/// A request that waits, on the stack of the thread that asks.
struct Waiting {
  gpu::MelodyColumns melody;
  std::vector<std::uint64_t> allowed;
  std::uint32_t k = 1;
  Result<gpu::BestAnswer> answer;
  bool taken = false;
  bool done = false;
  std::condition_variable changed;
};

}  // namespace

struct CardSearch::State {
  const index::Snapshot* snapshot = nullptr;
  RondoPlan plan;
  explained::Costs even;
  explained::Costs rhythmic;
  std::unique_ptr<gpu::BestSearch> best;
  std::vector<std::uint32_t> first;  ///< by segment the number of its first document, a multiple of 64; and the end
  std::vector<std::vector<index::DocumentId>> others;

  std::mutex mutex;  ///< of what follows
  std::deque<Waiting*> waiting;
  std::size_t running = 0;
  std::optional<Error> lost;

  explicit State(const RondoPlan& of)
      : plan(of), even(explained::settings_of(of), false), rhythmic(explained::settings_of(of), true) {}

  [[nodiscard]] Result<void> load(const Options& options, std::shared_ptr<gpu::Card> card);
  void fill(std::size_t segment, index::DocumentId begin, index::DocumentId end, gpu::MelodyColumns& to) const;
  void answer_batch(std::unique_lock<std::mutex>& lock);
  void wait_for(Waiting& own);
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
  struct Part {
    std::size_t segment;
    index::DocumentId begin;
    index::DocumentId end;
    gpu::MelodyColumns melodies{};
  };
  constexpr index::DocumentId kPart = 16'384;
  static_assert(kPart % 64 == 0);
  std::vector<Part> parts;
  for (std::size_t s = 0; s < snapshot->segments.size(); ++s) {
    const std::uint32_t size = snapshot->segments[s].size();
    for (index::DocumentId begin = 0; begin < size; begin += kPart) {
      parts.push_back({s, begin, std::min(size, begin + kPart)});
    }
  }
  {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t p = next++; p < parts.size() && !options.stop.stop_requested(); p = next++) {
        fill(parts[p].segment, parts[p].begin, parts[p].end, parts[p].melodies);
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < std::min<std::size_t>(options.threads, parts.size()); ++t) threads.emplace_back(work);
    work();
  }
  if (options.stop.stop_requested()) return fail("search-stopped", "the program is ending");
  gpu::MelodyColumns all;
  others.resize(snapshot->segments.size());
  std::size_t notes = 0;
  for (const Part& part : parts) notes += part.melodies.notes.size();
  all.notes.reserve(notes);
  all.melodies.reserve(parts.size() * kPart);
  for (Part& part : parts) {
    while (first.size() <= part.segment) {
      while (all.melodies.size() % 64 != 0) all.add_none();
      first.push_back(static_cast<std::uint32_t>(all.melodies.size()));
    }
    for (std::size_t i = 0; i < part.melodies.melodies.size(); ++i) {
      const auto d = static_cast<index::DocumentId>(part.begin + i);
      all.add_from(part.melodies, i);
      const bool here = part.melodies.melodies[i].notes != 0;
      const bool ranked = snapshot->segments[part.segment].notes_of(d).count >= explained::kShortest;
      if (!here && ranked && !snapshot->removed[part.segment].has(d)) others[part.segment].push_back(d);
    }
    part.melodies = {};
  }
  while (all.melodies.size() % 64 != 0) all.add_none();
  while (first.size() <= snapshot->segments.size()) first.push_back(static_cast<std::uint32_t>(all.melodies.size()));
  std::vector<std::uint32_t> sample;
  for (const SampleDocument& one : sample_documents(*snapshot, kSample)) {
    sample.push_back(first[one.segment] + one.document);
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

/// Takes those who wait longest, answers them without the lock and tells them, and one of those who still wait.
void CardSearch::State::answer_batch(std::unique_lock<std::mutex>& lock) {
  const std::size_t count = std::min(waiting.size(), kMostTogether);
  const std::vector<Waiting*> batch(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
  for (Waiting* one : batch) one->taken = true;
  ++running;
  lock.unlock();
  std::vector<gpu::BestQuery> queries;
  queries.reserve(batch.size());
  for (const Waiting* one : batch) queries.push_back({&one->melody, one->k, one->allowed});
  auto answers = best->find(queries);
  lock.lock();
  --running;
  if (!answers && !lost) lost = answers.error();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (answers) {
      batch[i]->answer = std::move((*answers)[i]);
    } else {
      batch[i]->answer = fail(answers.error());
    }
    batch[i]->done = true;
    batch[i]->changed.notify_one();
  }
  if (!waiting.empty()) waiting.front()->changed.notify_one();
}

void CardSearch::State::wait_for(Waiting& own) {
  std::unique_lock lock(mutex);
  if (lost) {
    own.answer = fail(*lost);
    return;
  }
  waiting.push_back(&own);
  while (!own.done) {
    if (!own.taken && running < kBatchesAtOnce) {
      answer_batch(lock);
    } else {
      own.changed.wait(lock);
    }
  }
}

Result<CardSearch::Answer> CardSearch::ask(const Line& query, std::size_t k,
                                           const std::vector<fast::SegmentView>& views) {
  const State& state = *state_;
  Waiting own;
  explained::Features features;
  explained::make_features(query.pitch, query.onset, query.duration, features);
  own.melody.add(features, state.even, state.rhythmic);
  // Of the few that are left out by name, as many more are asked for.
  std::size_t most = k;
  for (const fast::SegmentView& view : views) most += view.except.size();
  own.k = static_cast<std::uint32_t>(std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max()));
  if (std::any_of(views.begin(), views.end(), [](const auto& view) { return view.chosen != nullptr; })) {
    own.allowed.resize(state.first.back() / 64);
    for (const fast::SegmentView& view : views) {
      const auto at = own.allowed.begin() + state.first[view.number] / 64;
      if (view.chosen == nullptr) {
        std::fill_n(at, (view.segment->size() + 63) / 64, ~std::uint64_t{0});
      } else {
        std::copy(view.chosen->words().begin(), view.chosen->words().end(), at);
      }
    }
  }
  state_->wait_for(own);
  if (!own.answer) return fail(own.answer.error());
  const double perfect = own.melody.melodies.front().perfect;
  Answer out;
  for (const gpu::ScoredDocument& one : own.answer->best) {
    const auto after = std::upper_bound(state.first.begin(), state.first.end() - 1, one.document);
    const auto segment = static_cast<std::size_t>(after - state.first.begin()) - 1;
    const index::DocumentId document = one.document - state.first[segment];
    const auto& except = views[segment].except;
    if (std::find(except.begin(), except.end(), document) != except.end()) continue;
    out.hits.push_back({segment, document, static_cast<double>(one.total) / perfect});
  }
  for (const std::int32_t total : own.answer->sample) {
    out.sample.push_back(total == gpu::kNoTotal ? std::numeric_limits<double>::quiet_NaN()
                                                : static_cast<double>(total) / perfect);
  }
  return out;
}

}  // namespace rondo
