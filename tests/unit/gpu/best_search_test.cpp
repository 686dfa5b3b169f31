#include "gpu/best_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "gpu/prepare.h"

/// The best documents by tiers and thresholds, against all totals.
namespace rondo::gpu::best_search_test {
namespace {

RondoPlan standard_plan() {
  RondoPlan plan;
  plan.near = 0.15, plan.far = -0.15, plan.length = 0.5, plan.change = 0.2, plan.place = 0.8, plan.interval = 0.22;
  plan.weight = 0.25, plan.gap = 0.75, plan.long_notes = 0.8, plan.overhang = 1, plan.beyond = 0.3;
  return plan;
}

/// Melodies of 2 to 64 notes, many of them variants of a few tunes, some equal: ties everywhere.
struct Tunes {
  explained::Settings settings = explained::settings_of(standard_plan());
  explained::Costs even{settings, false};
  explained::Costs rhythmic{settings, true};
  std::mt19937 random{23};

  explained::Features next() {
    std::mt19937 tune(static_cast<unsigned>(random() % 25));
    const std::size_t notes = random() % 9 == 0 ? 2 + random() % (kMostNotes - 1) : 2 + random() % 24;
    const unsigned change_one_in = random() % 3 == 0 ? 1000 : 6;
    const std::size_t wide = random() % 11 == 0 ? kMostPitch + 1 : 9;
    const bool equal_notes = random() % 5 == 0;
    std::vector<std::int16_t> pitch;
    std::vector<std::int64_t> onset;
    std::vector<std::int64_t> duration;
    std::int64_t at = 0;
    for (std::size_t n = 0; n < notes; ++n) {
      auto& from = random() % change_one_in == 0 ? random : tune;
      pitch.push_back(static_cast<std::int16_t>(50 + from() % wide));
      onset.push_back(at);
      duration.push_back(equal_notes ? 1 : static_cast<std::int64_t>(1 + from() % 4));
      at += duration.back();
    }
    explained::Features out;
    explained::make_features(pitch, onset, duration, out);
    return out;
  }
  MelodyColumns documents(std::size_t count) {
    MelodyColumns out;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 50 == 49) {
        out.add_none();
      } else {
        out.add(next(), even, rhythmic);
      }
    }
    return out;
  }
  MelodyColumns query() {
    MelodyColumns out;
    out.add(next(), even, rhythmic);
    return out;
  }
};

/// All totals of a query, by document; kNoTotal for those without notes.
std::vector<std::int32_t> all_totals(Card& card, const MelodyColumns& documents, const CostTables& costs,
                                     const MelodyColumns& query) {
  auto slice = card.load(documents.span(), costs, SliceUse::totals).value();
  const std::vector<Query> queries = {make_query(query.melodies[0], query.notes_of(0), 0)};
  std::vector<std::int32_t> out;
  EXPECT_TRUE(card.totals({slice.get(), queries}, out));
  return out;
}

using Listed = std::vector<std::pair<std::uint32_t, std::int32_t>>;

Listed in_order(const std::vector<ScoredDocument>& from) {
  Listed out;
  for (const ScoredDocument& one : from) out.emplace_back(one.document, one.total);
  std::sort(out.begin(), out.end());
  return out;
}

Listed best_of(const std::vector<std::int32_t>& totals, std::size_t k, const std::vector<std::uint64_t>& allowed) {
  std::vector<std::int32_t> sorted;
  const auto has = [&](std::size_t d) {
    return totals[d] != kNoTotal && (allowed.empty() || ((allowed[d / 64] >> (d % 64)) & 1U) != 0);
  };
  for (std::size_t d = 0; d < totals.size(); ++d) {
    if (has(d)) sorted.push_back(totals[d]);
  }
  std::sort(sorted.rbegin(), sorted.rend());
  Listed out;
  for (std::size_t d = 0; d < totals.size() && !sorted.empty(); ++d) {
    if (has(d) && totals[d] >= sorted[std::min(k, sorted.size()) - 1]) out.emplace_back(d, totals[d]);
  }
  return out;
}

class BestOnCard : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    card_ = emulated_card();
    if (!GetParam()) return;
    auto real = open_card();
    if (!real) GTEST_SKIP() << real.error().to_string();
    card_ = *real;
  }
  std::shared_ptr<Card> card_;
};

TEST_P(BestOnCard, AreThoseOfAllTotalsWhateverTheTiersFiltersAndTies) {
  Tunes tunes;
  const MelodyColumns documents = tunes.documents(500);
  const auto costs = cost_tables(tunes.even, tunes.rhythmic);
  const std::vector<std::uint64_t> third(8, 0x9249249249249249U);
  const std::vector<std::uint64_t> none(8, 0);
  const std::vector<std::uint32_t> sample = {0, 7, 49, 480};
  std::vector<MelodyColumns> melodies;
  for (int q = 0; q < 18; ++q) melodies.push_back(tunes.query());
  std::vector<std::vector<std::int32_t>> totals;
  for (const MelodyColumns& melody : melodies) totals.push_back(all_totals(*card_, documents, *costs, melody));
  // All at once; a small first tier; a first tier that does not have k of those that a filter leaves; many tiers.
  for (const TierSizes sizes : {TierSizes{}, TierSizes{60, 150, 200}, TierSizes{8, 20, 10'000}, TierSizes{1, 30, 90}}) {
    auto search = BestSearch::load(card_, documents, sample, cost_tables(tunes.even, tunes.rhythmic), sizes).value();
    std::vector<BestQuery> queries;
    for (std::size_t q = 0; q < melodies.size(); ++q) {
      const std::uint32_t k = std::vector<std::uint32_t>{1, 3, 10, 30, 250, 5000}[q % 6];
      queries.push_back({&melodies[q], k, q % 3 == 0 ? std::span<const std::uint64_t>() : q == 7 ? none : third});
    }
    const auto answers = search->find(queries).value();
    ASSERT_EQ(answers.size(), queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const std::vector<std::uint64_t> allowed(queries[q].allowed.begin(), queries[q].allowed.end());
      EXPECT_EQ(in_order(answers[q].best), best_of(totals[q], queries[q].k, allowed)) << "query " << q;
      for (std::size_t s = 0; s < sample.size(); ++s) EXPECT_EQ(answers[q].sample[s], totals[q][sample[s]]);
    }
  }
}

TEST_P(BestOnCard, PairsAboveATotalAreThoseOfAllTotals) {
  Tunes tunes;
  const MelodyColumns documents = tunes.documents(700);
  const auto costs = cost_tables(tunes.even, tunes.rhythmic);
  auto slice = card_->load(documents.span(), *costs, SliceUse::totals).value();
  std::vector<Query> queries;
  std::vector<CandidatePair> expected;
  for (std::uint32_t q = 0; q < 30; ++q) {
    const MelodyColumns query = tunes.query();
    const std::vector<std::int32_t> totals = all_totals(*card_, documents, *costs, query);
    Melody melody = query.melodies[0];
    melody.least_total = static_cast<std::int32_t>(q % 10) * melody.perfect / 10;
    queries.push_back(make_query(melody, query.notes_of(0), 0));
    for (std::uint32_t d = 0; d < totals.size(); ++d) {
      if (totals[d] != kNoTotal && totals[d] >= melody.least_total) expected.push_back({q, d, totals[d]});
    }
  }
  EXPECT_GT(expected.size(), 300U);
  std::vector<CandidatePair> found;
  ASSERT_TRUE(card_->totals_above({slice.get(), queries}, found));
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found, expected);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i].total, expected[i].total);
}

INSTANTIATE_TEST_SUITE_P(Cards, BestOnCard, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Real" : "Emulated"; });

TEST(BestSearch, ReportsACardThatIsLostOrTooSmall) {
  Tunes tunes;
  const MelodyColumns documents = tunes.documents(300);
  const auto load = [&](const EmulatedCard& like) {
    return BestSearch::load(emulated_card(like), documents, {}, cost_tables(tunes.even, tunes.rhythmic), {20, 60, 100});
  };
  auto small = load({.memory = 1000});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, "device-memory");
  const MelodyColumns query = tunes.query();
  const std::vector<BestQuery> queries = {{&query, 5, {}}};
  for (std::size_t calls = 0; calls < 3; ++calls) {
    auto found = load({.calls_before_loss = calls}).value()->find(queries);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "device-failed");
  }
}

}  // namespace
}  // namespace rondo::gpu::best_search_test
