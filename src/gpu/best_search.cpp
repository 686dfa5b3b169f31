#include "gpu/best_search.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "gpu/total_bound.h"

namespace rondo::gpu {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
/// Notes by whose rhythm documents are sorted: so many fit into a number of 64 bits.
constexpr std::uint32_t kSortedRhythms = 5;

/// The k-th greatest of the totals seen.
class KthGreatest {
 public:
  explicit KthGreatest(std::size_t k) : k_(k) {}
  void see(std::int32_t total) {
    if (kept_.size() < k_) {
      kept_.push(total);
    } else if (total > kept_.top()) {
      kept_.pop();
      kept_.push(total);
    }
  }
  [[nodiscard]] bool complete() const { return kept_.size() == k_; }
  /// Where it is complete.
  [[nodiscard]] std::int32_t value() const { return kept_.top(); }

 private:
  std::size_t k_;
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> kept_;
};

}  // namespace

struct BestSearch::State {
  BestQuery query;
  KthGreatest kth;
  BestAnswer answer;

  explicit State(const BestQuery& of) : query(of), kth(std::max<std::size_t>(1, of.k)) {}
  [[nodiscard]] bool allows(std::uint32_t document) const {
    return query.allowed.empty() || ((query.allowed[document / 64] >> (document % 64)) & 1U) != 0;
  }
  void drop_below_threshold() {
    if (!kth.complete()) return;
    std::erase_if(answer.best, [least = kth.value()](const ScoredDocument& one) { return one.total < least; });
  }
};

Result<std::unique_ptr<BestSearch>> BestSearch::load(std::shared_ptr<Card> card, const MelodyColumns& documents,
                                                     std::span<const std::uint32_t> sample,
                                                     std::unique_ptr<CostTables> costs, const TierSizes& sizes) {
  std::unique_ptr<BestSearch> out(new BestSearch());
  out->card_ = std::move(card);
  out->costs_ = std::move(costs);
  // By their length, so that threads of a warp have equally much to do; then the wide ones, whose transpositions take
  // several words; then by rhythm, so that these threads often read the same words of a table.
  struct Placed {
    std::uint64_t key;
    std::uint32_t document;
  };
  std::vector<Placed> placed;
  for (std::uint32_t d = 0; d < documents.melodies.size(); ++d) {
    const Melody& melody = documents.melodies[d];
    if (melody.notes == 0) continue;
    constexpr std::uint32_t kHalfWord = 16;
    std::uint64_t key = melody.notes * 2U + (melody.range >= kHalfWord ? 1U : 0U);
    for (std::uint32_t j = 0; j < kSortedRhythms; ++j) {
      key = key * kMostRhythms + (j < melody.notes ? rhythm_of(documents.notes[melody.first_note + j]) : 0U);
    }
    placed.push_back({key, d});
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.key != b.key ? a.key < b.key : a.document < b.document; });
  std::vector<std::uint32_t> order;
  order.reserve(placed.size());
  for (const Placed& one : placed) order.push_back(one.document);
  std::vector<char> sampled(documents.melodies.size(), 0);
  for (const std::uint32_t d : sample) sampled[d] = 1;
  const std::size_t first_one_in = std::max<std::size_t>(1, order.size() / std::max<std::size_t>(1, sizes.first));
  const std::size_t second_one_in = std::max<std::size_t>(1, order.size() / std::max<std::size_t>(1, sizes.second));
  const std::size_t others = (order.size() + sizes.most - 1) / sizes.most;
  std::vector<std::vector<std::uint32_t>> members(2 + others);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool first = i % first_one_in == 0 || sampled[order[i]] != 0;
    const bool second = i % second_one_in == 0;
    members[first ? 0 : second ? 1 : 2 + i % others].push_back(order[i]);
  }
  for (auto& numbers : members) {
    if (numbers.empty()) continue;
    if (auto loaded = out->load_tier(documents, std::move(numbers)); !loaded) return fail(loaded.error());
  }
  std::vector<std::uint32_t> place(documents.melodies.size(), kNowhere);
  if (!out->tiers_.empty()) {
    const std::vector<std::uint32_t>& first = out->tiers_.front().document;
    for (std::uint32_t i = 0; i < first.size(); ++i) place[first[i]] = i;
  }
  for (const std::uint32_t d : sample) out->sample_.push_back(place[d]);
  return out;
}

Result<void> BestSearch::load_tier(const MelodyColumns& documents, std::vector<std::uint32_t> numbers) {
  MelodyColumns own;
  own.melodies.reserve(numbers.size());
  std::size_t notes = 0;
  for (const std::uint32_t d : numbers) notes += documents.melodies[d].notes + 3U;
  own.notes.reserve(notes);
  for (const std::uint32_t d : numbers) own.add_from(documents, d);
  auto slice = card_->load(own.span(), *costs_, SliceUse::totals);
  if (!slice) return fail(slice.error());
  tiers_.push_back({std::move(*slice), std::move(numbers)});
  return {};
}

Query BestSearch::prepared(const BestQuery& query, std::int32_t least_total) const {
  Melody melody = query.melody->melodies.front();
  melody.least_total = least_total;
  return make_query(melody, query.melody->notes_of(0), 0);
}

Result<void> BestSearch::take_all(const Tier& tier, std::span<State> states, std::span<const std::size_t> which) const {
  std::vector<Query> queries;
  queries.reserve(which.size());
  for (const std::size_t q : which) {
    const MelodyColumns& melody = *states[q].query.melody;
    queries.push_back(make_query(melody.melodies.front(), melody.notes_of(0), 0));
  }
  std::vector<std::int32_t> totals;
  if (auto done = card_->totals({tier.slice.get(), queries}, totals); !done) return done;
  const std::size_t documents = tier.document.size();
  for (std::size_t i = 0; i < which.size(); ++i) {
    State& state = states[which[i]];
    const std::span<const std::int32_t> own(totals.data() + i * documents, documents);
    for (std::size_t d = 0; d < documents; ++d) {
      if ((!state.kth.complete() || own[d] > state.kth.value()) && state.allows(tier.document[d])) {
        state.kth.see(own[d]);
      }
    }
    for (std::size_t d = 0; d < documents; ++d) {
      if (state.kth.complete() && own[d] < state.kth.value()) continue;
      if (state.allows(tier.document[d])) state.answer.best.push_back({tier.document[d], own[d]});
    }
    state.drop_below_threshold();
    if (&tier != &tiers_.front()) continue;
    for (const std::uint32_t at : sample_) state.answer.sample.push_back(at == kNowhere ? kNoTotal : own[at]);
  }
  return {};
}

Result<void> BestSearch::take_those_above(const Tier& tier, std::span<State> states,
                                          std::span<const std::size_t> which) const {
  std::vector<Query> queries;
  queries.reserve(which.size());
  for (const std::size_t q : which) queries.push_back(prepared(states[q].query, states[q].kth.value()));
  std::vector<CandidatePair> found;
  if (auto done = card_->totals_above({tier.slice.get(), queries}, found); !done) return done;
  take(tier, found, states, which);
  return {};
}

void BestSearch::take(const Tier& tier, std::span<const CandidatePair> found, std::span<State> states,
                      std::span<const std::size_t> which) {
  for (const CandidatePair& pair : found) {
    State& state = states[which[pair.query]];
    const std::uint32_t document = tier.document[pair.document];
    if (!state.allows(document)) continue;
    state.kth.see(pair.total);
    state.answer.best.push_back({document, pair.total});
  }
  for (const std::size_t q : which) states[q].drop_below_threshold();
}

Result<std::vector<BestAnswer>> BestSearch::find(std::span<const BestQuery> queries) const {
  std::vector<State> states(queries.begin(), queries.end());
  std::vector<std::size_t> without;
  std::vector<std::size_t> with;
  for (const Tier& tier : tiers_) {
    without.clear();
    with.clear();
    for (std::size_t q = 0; q < states.size(); ++q) {
      const bool first = &tier == &tiers_.front();
      (first || !states[q].kth.complete() ? without : with).push_back(q);
    }
    if (!without.empty()) {
      if (auto done = take_all(tier, states, without); !done) return fail(done.error());
    }
    if (!with.empty()) {
      if (auto done = take_those_above(tier, states, with); !done) return fail(done.error());
    }
  }
  std::vector<BestAnswer> out;
  out.reserve(states.size());
  for (State& state : states) out.push_back(std::move(state.answer));
  return out;
}

}  // namespace rondo::gpu
