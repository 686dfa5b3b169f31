#include "gpu/total_bound.h"

#include <gtest/gtest.h>

#include "gpu/card.h"
#include "gpu/prepare.h"
#include "gpu/total_table.h"
#include "support/hostile_melodies.h"
#include "support/rounds.h"

/// The bound of totals against the totals.
namespace rondo::gpu {
namespace {

using namespace hostile_melodies;
using test::rounds;

/// Costs under which every term of the bound is rounded differently.
RondoPlan random_plan(std::mt19937& random) {
  const auto from_to = [&](double low, double high) { return low + (high - low) * below(random, 1000) / 999.0; };
  RondoPlan plan;
  plan.near = from_to(-0.5, 0.9);
  plan.far = from_to(-0.5, 0.9);
  plan.length = random() % 5 == 0 ? 0 : from_to(0, 1);
  plan.change = random() % 5 == 0 ? 0 : from_to(0, 1);
  plan.place = random() % 5 == 0 ? 0 : from_to(0, 4);
  plan.interval = from_to(0, 1);
  plan.weight = from_to(0, 1);
  plan.gap = from_to(0, 2);
  plan.long_notes = from_to(0, 1);
  plan.overhang = from_to(0, 5);
  plan.beyond = from_to(0, 1);
  return plan;
}

/// A query and a document, laid out for a card.
struct LaidOut {
  Query query;
  Melody document;
  std::vector<Note> notes;
  std::vector<PackedNote> packed;
  std::optional<RhythmNumbers> rhythms;
  std::int32_t most_gap = 0;
  std::int32_t total = 0;
};

LaidOut lay_out(const Features& query, const Features& document, const explained::Settings& settings,
                const CostTables& tables) {
  const explained::Costs rhythmic(settings, true);
  LaidOut out;
  Melody melody = melody_of(query);
  melody.perfect = explained::Costs(settings, query.rhythm).perfect(query);
  out.query = make_query(melody, notes_of(query, rhythmic), 0);
  out.document = melody_of(document);
  out.notes = notes_of(document, rhythmic);
  out.rhythms.emplace(MelodySpan{{&out.document, 1}, out.notes});
  for (std::size_t j = 0; j < out.notes.size(); ++j) {
    const std::uint32_t rhythm = out.rhythms->number(out.notes[j]);
    out.packed.push_back(packed_note(out.notes[j], rhythm, j + 1 == out.notes.size()));
    out.most_gap = std::max<std::int32_t>(out.most_gap, out.notes[j].gap);
  }
  const auto pitch = [&](std::uint32_t j) { return out.notes[j].pitch; };
  std::int32_t cells[kMostNotes + 1] = {};
  out.total = exact_total<std::uint64_t>(tables, out.query.melody, out.query.note, out.query.where, out.document, pitch,
                                         out.notes.data(), cells);
  return out;
}

TwoTranspositions transpositions_of(const TotalTable& table, const LaidOut& pair) {
  return two_best_by_rows(table, pair.notes, pair.document.range);
}

std::optional<TotalTable> table_of(LaidOut& pair, const CostTables& tables, std::int32_t least) {
  pair.query.melody.least_total = least;
  return total_table(pair.query, tables, bound_codes(tables.of[1]), pair.most_gap);
}

/// Whether the bound lets a total of `least` pass, first in both transpositions, then in each; nothing where there is
/// no bound.
std::optional<bool> passes(LaidOut& pair, const CostTables& tables, std::int32_t least) {
  const auto table = table_of(pair, tables, least);
  if (!table) return std::nullopt;
  const PairTable twice(*table, *table, *pair.rhythms);
  const TwoTranspositions best = transpositions_of(*table, pair);
  const TwoTranspositions in[] = {best, best};
  const std::uint32_t in_both = twice.reaches(pair.packed.data(), pair.document.notes, true, in);
  EXPECT_TRUE(in_both == 0 || in_both == 3) << "two halves with the same numbers";
  const std::uint32_t in_each = twice.reaches(pair.packed.data(), pair.document.notes, false, in);
  EXPECT_TRUE(in_both != 0 || in_each == 0) << "in one transposition no more than in the better of two";
  return in_each != 0;
}

TEST(TotalBound, TheTwoTranspositionsAreThoseOfTheDefinition) {
  std::mt19937 random(31);
  const explained::Settings settings = explained::settings_of(standard_plan());
  const auto tables = cost_tables(explained::Costs(settings, false), explained::Costs(settings, true));
  for (int round = 0; round < rounds(600); ++round) {
    const Features query = hostile_features(random, 2 + random() % 30, below(random, 7));
    const Features document = hostile_features(random, 2 + random() % 63, below(random, 7));
    LaidOut pair = lay_out(query, document, settings, *tables);
    const auto table = total_table(pair.query, *tables, bound_codes(tables->of[1]), pair.most_gap);
    ASSERT_TRUE(table);
    const TwoTranspositions got = transpositions_of(*table, pair);
    std::vector<explained::CommonNotes::Found> expected;
    explained::CommonNotes(query.pitch).find(document.pitch, expected);
    ASSERT_EQ(got.first, expected[0].transposition) << "round " << round;
    ASSERT_EQ(got.second, expected[expected.size() > 1 ? 1 : 0].transposition) << "round " << round;
  }
}

TEST(TotalBound, IsNeverBelowTheTotal) {
  std::mt19937 random(32);
  int bounded = 0;
  for (int round = 0; round < rounds(3000); ++round) {
    const RondoPlan plan = round % 2 == 0 ? standard_plan() : round % 7 == 0 ? extreme_plan() : random_plan(random);
    const explained::Settings settings = explained::settings_of(plan);
    const auto tables = cost_tables(explained::Costs(settings, false), explained::Costs(settings, true));
    const int kind = below(random, 7);
    const Features query = hostile_features(random, 2 + random() % 30, kind);
    Features document = hostile_features(random, 2 + random() % 63, random() % 2 == 0 ? kind : below(random, 7));
    if (random() % 4 == 0) document = query;
    LaidOut pair = lay_out(query, document, settings, *tables);
    const auto passed = passes(pair, *tables, pair.total);
    if (!passed) continue;
    ++bounded;
    ASSERT_TRUE(*passed) << "round " << round << " kind " << kind << " notes " << query.size() << " and "
                         << document.size();
  }
  // Others have costs so great that cells do not fit.
  EXPECT_GT(bounded, rounds(3000) * 2 / 3);
}

/// A bound that lets everything pass would be no use. It is above the total by what rounding gives to each note, by
/// what two transpositions at once can gain, and by what places cost.
TEST(TotalBound, IsNearTheTotal) {
  std::mt19937 random(33);
  const explained::Settings settings = explained::settings_of(standard_plan());
  const auto tables = cost_tables(explained::Costs(settings, false), explained::Costs(settings, true));
  int passed = 0;
  int pairs = 0;
  for (int round = 0; round < 400; ++round) {
    const Features query = hostile_features(random, 20, 0);
    const Features document = round % 4 == 0 ? query : hostile_features(random, 20, 0);
    LaidOut pair = lay_out(query, document, settings, *tables);
    const std::int32_t perfect = pair.query.melody.perfect;
    if (round % 4 == 0) {
      EXPECT_EQ(pair.total, perfect);
      EXPECT_FALSE(passes(pair, *tables, perfect + perfect / 12).value()) << "round " << round;
      continue;
    }
    ++pairs;
    if (passes(pair, *tables, pair.total + perfect / 5).value()) ++passed;
  }
  EXPECT_LT(passed, pairs / 4);
}

/// Two queries share a word; neither may change what the other comes to, but for a carry.
TEST(TotalBound, IsNotBelowTheTotalBesideAnotherQuery) {
  std::mt19937 random(35);
  int bounded = 0;
  for (int round = 0; round < rounds(1000); ++round) {
    const RondoPlan plan = round % 2 == 0 ? standard_plan() : round % 7 == 0 ? extreme_plan() : random_plan(random);
    const explained::Settings settings = explained::settings_of(plan);
    const auto tables = cost_tables(explained::Costs(settings, false), explained::Costs(settings, true));
    const Features document = hostile_features(random, 2 + random() % 40, below(random, 7));
    const std::size_t notes = 2 + random() % 30;
    std::optional<TotalTable> table[2];
    std::optional<LaidOut> pair[2];
    for (int k = 0; k < 2; ++k) {
      const std::size_t others = k == 0 ? notes : std::min<std::size_t>((notes + 3) / 4 * 4, 31) - random() % 2;
      pair[k] = lay_out(hostile_features(random, std::max<std::size_t>(2, others), below(random, 7)), document,
                        settings, *tables);
      // One just reaches its total, the other may be far from it.
      table[k] = table_of(*pair[k], *tables, pair[k]->total - static_cast<int>(random() % 2 * 1000));
    }
    if (!table[0] || !table[1] || table[0]->words != table[1]->words) continue;
    ++bounded;
    const PairTable both(*table[0], *table[1], *pair[0]->rhythms);
    const TwoTranspositions in[] = {transpositions_of(*table[0], *pair[0]), transpositions_of(*table[1], *pair[1])};
    ASSERT_EQ(both.reaches(pair[0]->packed.data(), pair[0]->document.notes, true, in), 3U) << "round " << round;
  }
  EXPECT_GT(bounded, rounds(1000) / 3);
}

TEST(TotalBound, RefusesWhatItsCellsCannotHold) {
  std::mt19937 random(34);
  const explained::Settings settings = explained::settings_of(extreme_plan());
  const auto tables = cost_tables(explained::Costs(settings, false), explained::Costs(settings, true));
  const Features query = hostile_features(random, 31, 0);
  LaidOut pair = lay_out(query, query, settings, *tables);
  EXPECT_FALSE(total_table(pair.query, *tables, bound_codes(tables->of[1]), pair.most_gap));
  const explained::Settings usual = explained::settings_of(standard_plan());
  const auto usual_tables = cost_tables(explained::Costs(usual, false), explained::Costs(usual, true));
  const Features longer = hostile_features(random, kTableRows, 0);
  LaidOut too_long = lay_out(longer, longer, usual, *usual_tables);
  EXPECT_FALSE(total_table(too_long.query, *usual_tables, bound_codes(usual_tables->of[1]), too_long.most_gap));
}

}  // namespace
}  // namespace rondo::gpu
