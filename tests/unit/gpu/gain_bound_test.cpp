#include "gpu/gain_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "gpu/card.h"
#include "gpu/prepare.h"
#include "support/hostile_melodies.h"
#include "support/rounds.h"

/// The bounds of stages 1 and 2 against the definition (similarity/systems/rondo.h).
namespace rondo::gpu {
namespace {

using namespace hostile_melodies;

/// Plans under which the units mean different things, down to none but equal pitch.
std::vector<RondoPlan> plans() {
  RondoPlan near = standard_plan();
  near.near = 0.9;
  RondoPlan no_interval = standard_plan();
  no_interval.interval = 0.1;
  RondoPlan no_length = standard_plan();
  no_length.length = 0.3;
  RondoPlan only_pitch = standard_plan();
  only_pitch.interval = only_pitch.length = 0;
  RondoPlan heavy = standard_plan();
  heavy.weight = 1;
  return {standard_plan(), near, no_interval, no_length, only_pitch, heavy, extreme_plan()};
}

struct Prepared {
  Features features;
  std::vector<Note> notes;
  Melody melody;
  Query query;
  GainPlanes as_query{};
  GainPlanes as_document{};
  std::uint32_t over_query = 0;
  std::uint32_t over_document = 0;
};

class Costed {
 public:
  explicit Costed(const RondoPlan& plan)
      : settings(explained::settings_of(plan)),
        even(settings, false),
        rhythmic(settings, true),
        tables(cost_tables(even, rhythmic)),
        units(gain_units(tables->of[1])) {}

  [[nodiscard]] Prepared prepared(const Features& features, double score) const {
    Prepared out;
    out.features = features;
    out.notes = notes_of(features, rhythmic);
    out.melody = melody_of(features);
    const explained::Costs& own = features.rhythm ? rhythmic : even;
    out.melody.perfect = own.perfect(features);
    out.melody.least_total = static_cast<std::int32_t>(score * out.melody.perfect);
    out.melody.least_gain = least_gain(*tables, features.rhythm, out.notes, out.melody.least_total);
    out.query = make_query(out.melody, out.notes, 0);
    const auto count = static_cast<std::uint32_t>(out.notes.size());
    out.over_query = fill_planes(units, false, out.notes.data(), count, out.as_query);
    out.over_document = fill_planes(units, true, out.notes.data(), count, out.as_document);
    return out;
  }

  explained::Settings settings;
  explained::Costs even;
  explained::Costs rhythmic;
  std::unique_ptr<CostTables> tables;
  GainUnits units;
};

/// The greatest gain that an alignment of the two can have, note by note.
std::uint32_t most_gain(const GainUnits& units, const Features& query, const Features& document, int transposition) {
  std::vector<std::uint32_t> row(document.size() + 1, 0);
  for (std::size_t i = 0; i < query.size(); ++i) {
    std::uint32_t corner = 0;
    for (std::size_t j = 0; j < document.size(); ++j) {
      std::uint32_t gain = 0;
      if (document.pitch[j] - query.pitch[i] == transposition) {
        const bool last = i + 1 == query.size() || j + 1 == document.size();
        gain = units.equal + (last || query.next[i] == document.next[j] ? units.next : 0) +
               (std::abs(query.length[i] - document.length[j]) <= kAlikeSteps ? units.alike : 0);
      }
      const std::uint32_t above = row[j + 1];
      row[j + 1] = std::max({above, row[j], corner + gain});
      corner = above;
    }
  }
  return row.back();
}

/// A variant, so that pairs have much in common.
Features variant(std::mt19937& random, std::size_t notes, int kind) {
  return hostile_features(random, std::max<std::size_t>(2, notes), kind);
}

TEST(GainBound, NoAlignmentGainsMore) {
  std::mt19937 random(11);
  std::uint64_t equal = 0;
  std::uint64_t pairs = 0;
  for (const RondoPlan& plan : plans()) {
    const Costed costed(plan);
    ASSERT_EQ(costed.units.equal + costed.units.next + costed.units.alike, static_cast<std::uint32_t>(kGainUnits));
    for (int round = 0; round < test::rounds(60); ++round) {
      const int kind = below(random, 7);
      const Prepared query = costed.prepared(variant(random, some_length(random, round), kind), 0.5);
      const Prepared document = round % 3 == 0
                                    ? costed.prepared(query.features, 0.5)
                                    : costed.prepared(variant(random, some_length(random, round + 1), kind), 0.5);
      const std::uint32_t over = std::min(query.over_query, document.over_document) + costed.units.next;
      const auto notes = static_cast<std::uint32_t>(query.notes.size());
      const auto columns = static_cast<std::uint32_t>(document.notes.size());
      const auto pitch = [&](std::uint32_t j) { return document.notes[j].pitch; };
      for (int transposition = -query.melody.range; transposition <= document.melody.range; ++transposition) {
        const std::uint32_t truth = most_gain(costed.units, query.features, document.features, transposition);
        const std::uint32_t common =
            common_notes<std::uint64_t>(query.query.where, notes, pitch, columns, transposition);
        const std::uint32_t ordered = gain_in_order<std::uint64_t>(
            costed.units, query.query, notes, document.notes.data(), columns, transposition, common);
        ASSERT_GE(ordered, truth) << "round " << round << ", " << transposition;
        if (notes < 32) {
          ASSERT_EQ(gain_in_order<std::uint32_t>(costed.units, query.query, notes, document.notes.data(), columns,
                                                 transposition, common),
                    ordered);
        }
        const auto row = static_cast<std::uint32_t>(transposition + 128) % kRing;
        std::uint32_t bits = 0;
        for (std::uint32_t w = 0; w < kPlaneWords; ++w) {
          bits += ones_in(turned(query.as_query.word[w], row) & document.as_document.word[w]);
        }
        ASSERT_GE(bits + over, truth) << "round " << round << ", " << transposition;
        equal += ordered == truth ? 1U : 0U;
        ++pairs;
        // rows_with asks the same of each row.
        const auto code = row % 8 * 4 + row / 8;
        ASSERT_EQ(row_of_bit(code), row);
        const auto sum = static_cast<std::int32_t>(bits);
        ASSERT_NE(rows_with(query.as_query, document.as_document, sum) >> code & 1U, 0U);
        ASSERT_EQ(rows_with(query.as_query, document.as_document, sum + 1) >> code & 1U, 0U);
      }
    }
  }
  EXPECT_GT(equal * 2, pairs) << "the bound in order is seldom reached: it has become loose";
}

TEST(GainBound, ATotalNeedsItsGain) {
  std::mt19937 random(12);
  int needed = 0;
  for (const RondoPlan& plan : plans()) {
    const Costed costed(plan);
    for (int round = 0; round < test::rounds(100); ++round) {
      const int kind = below(random, 7);
      const Prepared query = costed.prepared(variant(random, some_length(random, round), kind), 0.5);
      const Prepared document = round % 2 == 0
                                    ? costed.prepared(query.features, 0.5)
                                    : costed.prepared(variant(random, some_length(random, round + 1), kind), 0.5);
      const explained::Costs& costs = query.features.rhythm ? costed.rhythmic : costed.even;
      for (const int transposition : {0, below(random, 5) - 2, below(random, 13)}) {
        const std::int32_t total = explained::align(costs, query.features, document.features, transposition);
        const std::uint32_t need = least_gain(*costed.tables, query.features.rhythm, query.notes, total);
        ASSERT_LE(need, most_gain(costed.units, query.features, document.features, transposition)) << "round " << round;
        needed += need > 0 ? 1 : 0;
      }
      const std::uint32_t all = least_gain(*costed.tables, query.features.rhythm, query.notes, query.melody.perfect);
      EXPECT_LE(all, kGainUnits * query.notes.size());
      // Rounding adds half a cell for each note.
      const auto beyond = query.melody.perfect + static_cast<std::int32_t>(3 * query.notes.size());
      EXPECT_EQ(least_gain(*costed.tables, query.features.rhythm, query.notes, beyond), kNoGain);
    }
  }
  EXPECT_GT(needed, test::rounds(200));
}

TEST(GainBound, EachTranspositionIsMetOnceUnlessTooFewNotesLieWithin) {
  std::mt19937 random(13);
  const Costed costed(standard_plan());
  for (int round = 0; round < test::rounds(200); ++round) {
    const Prepared query = costed.prepared(variant(random, some_length(random, round), below(random, 7)), 0.5);
    const int range = below(random, kMostPitch + 1);
    std::uint32_t rows = 0;
    for (std::uint32_t row = 0; row < kRing; ++row)
      rows |= static_cast<std::uint32_t>(random() % 2) << (row % 8 * 4 + row / 8);
    const auto need = static_cast<std::uint32_t>(below(random, 8));
    std::vector<int> expected;
    for (int t = -query.melody.range; t <= range; ++t) {
      const auto row = static_cast<std::uint32_t>(t + 128) % kRing;
      const auto within = std::count_if(query.notes.begin(), query.notes.end(), [&](const Note& note) {
        return note.pitch + t >= 0 && note.pitch + t <= range;
      });
      if ((rows >> (row % 8 * 4 + row / 8) & 1U) != 0 && within >= need) expected.push_back(t);
    }
    std::vector<int> met;
    RingWalk walk(rows, query.melody.range, range);
    for (std::int32_t t = 0; walk.next(query.query.below, need, t);) met.push_back(t);
    std::sort(met.begin(), met.end());
    ASSERT_EQ(met, expected) << "round " << round;
  }
}

/// Pairs found by an emulated card are at least those of the definition, and few more. Thresholds are those of the
/// pairs themselves, so that none has anything to spare.
TEST(GainBound, NoPairThatReachesItsThresholdIsLost) {
  std::mt19937 random(14);
  int reached = 0;
  for (const RondoPlan& plan : plans()) {
    const Costed costed(plan);
    const auto score_of = [&](const Features& query, const Features& document) {
      std::vector<explained::CommonNotes::Found> found;
      explained::CommonNotes(query.pitch).find(document.pitch, found);
      const explained::Costs& costs = query.rhythm ? costed.rhythmic : costed.even;
      std::int32_t total = std::numeric_limits<std::int32_t>::min();
      for (std::size_t k = 0; k < std::min(explained::kTranspositions, found.size()); ++k) {
        total = std::max(total, explained::align(costs, query, document, found[k].transposition));
      }
      return total;
    };
    for (int round = 0; round < test::rounds(120); ++round) {
      const int kind = below(random, 7);
      const Features one = variant(random, some_length(random, round), kind);
      const Features other =
          round % 3 == 0 ? one : variant(random, round % 3 == 1 ? one.size() : some_length(random, round), kind);
      const std::int32_t there = score_of(one, other);
      const std::int32_t back = score_of(other, one);
      if (there <= 0 || back <= 0) continue;
      Prepared query = costed.prepared(one, 0);
      Prepared document = costed.prepared(other, 0);
      for (const bool both : {true, false}) {
        // Where one direction suffices, the other cannot.
        const std::int32_t asked[2] = {there, both ? back : document.melody.perfect + 1000};
        Prepared* const sides[2] = {&query, &document};
        for (int side = 0; side < 2; ++side) {
          Melody& melody = sides[side]->melody;
          melody.least_total = asked[side];
          melody.least_gain = least_gain(*costed.tables, melody.rhythm != 0, sides[side]->notes, asked[side]);
          melody.least_common = 0;
        }
        query.query = make_query(query.melody, query.notes, 0);
        const std::vector<Melody> melodies = {document.melody};
        const auto card = emulated_card();
        const auto slice = card->load({melodies, document.notes}, *costed.tables, SliceUse::pairs).value();
        PairTask task;
        task.slice = slice.get();
        task.end = 1;
        task.queries = {&query.query, 1};
        task.rule = {both ? 1U : 0U, 0};
        std::vector<CandidatePair> found;
        StageCounts counts;
        ASSERT_TRUE(card->find_pairs(task, found, counts));
        ASSERT_EQ(found.size(), 1U) << "round " << round << (both ? ", both" : ", one");
        ++reached;
      }
    }
  }
  EXPECT_GT(reached, test::rounds(300));
}

}  // namespace
}  // namespace rondo::gpu
