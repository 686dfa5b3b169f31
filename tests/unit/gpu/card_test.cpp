#include "gpu/card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "gpu/prepare.h"
#include "similarity/systems/rondo.h"

/// Cards through their interface. A real one, where there is one and the program was built with CUDA, against the
/// emulated one.
namespace rondo::gpu::card_test {
namespace {

struct Material {
  std::vector<Melody> melodies;
  std::vector<Note> notes;
  std::vector<Query> queries;
  std::unique_ptr<CostTables> costs;
};

/// Melodies of 1 to 64 notes in the order of their lengths, some of them none; the first notes of a few tunes recur.
Material material(std::size_t count, std::size_t queries, double share) {
  RondoPlan plan;
  plan.near = 0.15, plan.far = -0.15, plan.length = 0.5, plan.change = 0.2, plan.place = 0.8, plan.interval = 0.22;
  plan.weight = 0.25, plan.gap = 0.75, plan.long_notes = 0.8, plan.overhang = 1, plan.beyond = 0.3;
  const explained::Settings settings = explained::settings_of(plan);
  const explained::Costs rhythmic(settings, true);
  const explained::Costs even(settings, false);
  std::mt19937 random(17);
  Material out;
  out.costs = cost_tables(even, rhythmic);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < count; ++i) lengths.push_back(1 + (i % 9 == 0 ? random() % kMostNotes : random() % 30));
  std::sort(lengths.begin(), lengths.end());
  for (std::size_t i = 0; i < count; ++i) {
    std::mt19937 tune(static_cast<unsigned>(random() % 40));
    const bool equal_notes = random() % 7 == 0;
    const std::size_t wide = random() % 11 == 0 ? kMostPitch + 1 : 10;
    std::vector<std::int16_t> pitch;
    std::vector<std::int64_t> onset;
    std::vector<std::int64_t> duration;
    std::int64_t at = 0;
    for (std::size_t n = 0; n < lengths[i]; ++n) {
      auto& from = random() % 6 == 0 ? random : tune;
      pitch.push_back(static_cast<std::int16_t>(from() % wide));
      onset.push_back(at);
      duration.push_back(equal_notes ? 1 : static_cast<std::int64_t>(1 + from() % 4));
      at += duration.back();
    }
    const std::int16_t low = *std::min_element(pitch.begin(), pitch.end());
    for (std::int16_t& p : pitch) p = static_cast<std::int16_t>(p - low);
    explained::Features features;
    explained::make_features(pitch, onset, duration, features);
    Melody melody{};
    melody.first_note = static_cast<std::uint32_t>(out.notes.size());
    melody.notes = static_cast<std::uint8_t>(i % 101 == 100 ? 0 : lengths[i]);
    melody.rhythm = features.rhythm ? 1 : 0;
    melody.range = static_cast<std::uint8_t>(*std::max_element(pitch.begin(), pitch.end()));
    const explained::Costs& own = features.rhythm ? rhythmic : even;
    melody.least_total = static_cast<std::int32_t>(share * own.perfect(features));
    melody.perfect = own.perfect(features);
    melody.least_common = static_cast<std::uint8_t>(share * 0.7 * static_cast<double>(lengths[i]));
    for (std::size_t n = 0; n < melody.notes; ++n) {
      Note note{};
      note.pitch = static_cast<std::uint8_t>(pitch[n]);
      note.next = static_cast<std::int8_t>(features.next[n]);
      note.length = static_cast<std::int8_t>(features.length[n]);
      note.change = static_cast<std::int8_t>(features.change[n]);
      note.place = static_cast<std::uint16_t>(features.place[n]);
      note.gap = static_cast<std::int16_t>(rhythmic.gap(note.length));
      out.notes.push_back(note);
    }
    const std::size_t end = out.notes.size();
    melody.least_gain = least_gain(*out.costs, features.rhythm, {out.notes.data() + melody.first_note, melody.notes},
                                   melody.least_total);
    out.notes.resize((end + 3) / 4 * 4);
    if (melody.notes != 0 && i % (count / queries) == 0) {
      out.queries.push_back(
          make_query(melody, {out.notes.data() + melody.first_note, melody.notes}, static_cast<std::uint32_t>(i)));
    }
    out.melodies.push_back(melody);
  }
  return out;
}

std::vector<CandidatePair> pairs_of(Card& card, const Slice& slice, const Material& from, Rule rule,
                                    StageCounts& counts) {
  PairTask task;
  task.slice = &slice;
  task.begin = 3;
  task.end = static_cast<std::uint32_t>(from.melodies.size());
  task.queries = from.queries;
  task.rule = rule;
  std::vector<CandidatePair> out;
  EXPECT_TRUE(card.find_pairs(task, out, counts));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Card, TheRealOneFindsThePairsOfTheEmulatedOne) {
  auto real = open_card();
  if (!real) GTEST_SKIP() << real.error().to_string();
  const auto emulated = emulated_card();
  const Material from = material(1000, 40, 0.35);
  auto slice = (*real)->load({from.melodies, from.notes}, *from.costs, SliceUse::pairs).value();
  auto other = emulated->load({from.melodies, from.notes}, *from.costs, SliceUse::pairs).value();
  for (const Rule rule : {Rule{1, 1}, Rule{1, 0}, Rule{0, 1}, Rule{0, 0}}) {
    StageCounts seen;
    StageCounts expected_counts;
    const auto expected = pairs_of(*emulated, *other, from, rule, expected_counts);
    EXPECT_EQ(pairs_of(**real, *slice, from, rule, seen), expected);
    EXPECT_GT(expected.size(), 50U);
    EXPECT_EQ(seen.shared, expected_counts.shared);
    EXPECT_EQ(seen.ordered, expected_counts.ordered);
  }
  // Many threads at once, more than there are workspaces.
  StageCounts ignored;
  const auto expected = pairs_of(*emulated, *other, from, {1, 1}, ignored);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 9; ++t) {
    threads.emplace_back([&] {
      StageCounts own;
      EXPECT_EQ(pairs_of(**real, *slice, from, {1, 1}, own), expected);
    });
  }
}

TEST(Card, TheRealOneHasTheTotalsOfTheEmulatedOne) {
  auto real = open_card();
  if (!real) GTEST_SKIP() << real.error().to_string();
  const auto emulated = emulated_card();
  const Material from = material(1500, 20, 0.35);
  auto slice = (*real)->load({from.melodies, from.notes}, *from.costs, SliceUse::totals).value();
  auto other = emulated->load({from.melodies, from.notes}, *from.costs, SliceUse::totals).value();
  std::vector<std::int32_t> totals;
  std::vector<std::int32_t> expected;
  ASSERT_TRUE((*real)->totals({slice.get(), from.queries}, totals));
  ASSERT_TRUE(emulated->totals({other.get(), from.queries}, expected));
  EXPECT_EQ(totals, expected);
}

}  // namespace
}  // namespace rondo::gpu::card_test
