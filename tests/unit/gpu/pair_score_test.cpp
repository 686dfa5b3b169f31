#include "gpu/pair_score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "gpu/card.h"
#include "gpu/cost_tables.h"
#include "rondo/similarity/system.h"
#include "support/hostile_melodies.h"
#include "support/rounds.h"

/// What a thread of a card computes against the definition (similarity/systems/rondo.h).
namespace rondo::gpu {
namespace {

using namespace hostile_melodies;

TEST(PairScore, AlignmentIsThatOfTheDefinition) {
  std::mt19937 random(1);
  for (const RondoPlan& plan : {standard_plan(), extreme_plan()}) {
    ASSERT_TRUE(fits_card(plan));
    const explained::Settings settings = explained::settings_of(plan);
    const explained::Costs rhythmic(settings, true);
    const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
    std::int32_t lowest = 0;
    for (int round = 0; round < 300; ++round) {
      const Features query = hostile_features(random, some_length(random, round), below(random, 7));
      const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
      const std::vector<Note> query_notes = notes_of(query, rhythmic);
      const std::vector<Note> document_notes = notes_of(document, rhythmic);
      const explained::Costs costs(settings, query.rhythm);
      std::int32_t cells[kMostNotes + 1] = {};
      for (const int transposition : {-kMostPitch, -3, 0, below(random, 12), kMostPitch}) {
        const std::int32_t total = align(
            *tables, query.rhythm, query_notes.data(), static_cast<std::uint32_t>(query.size()), document_notes.data(),
            static_cast<std::uint32_t>(document.size()), transposition, costs.perfect(query), kNoTotal, cells);
        ASSERT_EQ(total, explained::align(costs, query, document, transposition)) << "round " << round;
        // With a least total: the same if it is reached, and less than it if not.
        const std::int32_t least = total + 50 - below(random, 100);
        const std::int32_t bounded = align(
            *tables, query.rhythm, query_notes.data(), static_cast<std::uint32_t>(query.size()), document_notes.data(),
            static_cast<std::uint32_t>(document.size()), transposition, costs.perfect(query), least, cells);
        ASSERT_TRUE(total >= least ? bounded == total : bounded < least) << "round " << round;
        lowest = std::min(lowest, total);
      }
    }
    if (plan.gap == 20) {
      EXPECT_LT(lowest, -100'000) << "the test did not leave 16 bits";
    }
  }
}

TEST(PairScore, CommonNotesAreThoseOfTheDefinition) {
  std::mt19937 random(2);
  for (int round = 0; round < test::rounds(300); ++round) {
    const Features query = hostile_features(random, some_length(random, round), below(random, 7));
    const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
    const auto rhythmic = explained::Costs(explained::settings_of(standard_plan()), true);
    const Query prepared = make_query(melody_of(query), notes_of(query, rhythmic), 0, {}, CostTables{});
    std::vector<explained::CommonNotes::Found> found;
    explained::CommonNotes(query.pitch).find(document.pitch, found);
    const auto pitch = [&](std::uint32_t j) { return static_cast<std::uint32_t>(document.pitch[j]); };
    for (int transposition = -kMostPitch; transposition <= kMostPitch; ++transposition) {
      const auto at =
          std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.transposition == transposition; });
      const std::uint32_t expected = at == found.end() ? 0 : at->notes;
      const auto notes = static_cast<std::uint32_t>(query.size());
      const auto columns = static_cast<std::uint32_t>(document.size());
      ASSERT_EQ(common_notes<std::uint64_t>(prepared.where, notes, pitch, columns, transposition), expected);
      if (notes < 32) {
        ASSERT_EQ(common_notes<std::uint32_t>(prepared.where, notes, pitch, columns, transposition), expected);
      }
    }
  }
}

/// The sum over pitches of the lesser number of notes; a document that has `levels` on a pitch has as many as the
/// query.
std::uint32_t shared_by_counting(const Features& query, const Features& document, int transposition,
                                 std::uint32_t levels) {
  std::array<std::uint32_t, 256> one{};
  std::array<std::uint32_t, 256> other{};
  for (const std::int16_t p : query.pitch) ++one[static_cast<std::size_t>(p + transposition + 64)];
  for (const std::int16_t p : document.pitch) ++other[static_cast<std::size_t>(p + 64)];
  std::uint32_t out = 0;
  for (std::size_t p = 0; p < one.size(); ++p) out += other[p] >= levels ? one[p] : std::min(one[p], other[p]);
  return out;
}

TEST(PairScore, SharedPitchesAreCountedInEveryTransposition) {
  std::mt19937 random(3);
  for (int round = 0; round < test::rounds(60); ++round) {
    const Features query = hostile_features(random, some_length(random, round), below(random, 7));
    const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
    const auto rhythmic = explained::Costs(explained::settings_of(standard_plan()), true);
    const auto range = static_cast<std::uint32_t>(*std::max_element(document.pitch.begin(), document.pitch.end()));
    std::array<std::uint64_t, kLevels> levels{};
    for (const std::int16_t p : document.pitch) add_pitch(levels, static_cast<std::uint32_t>(p));
    for (std::uint32_t need = 0; need <= query.size(); need += static_cast<std::uint32_t>(1 + below(random, 5))) {
      const Query prepared = make_query(melody_of(query), notes_of(query, rhythmic), 0, {range, need}, CostTables{});
      Transpositions left{};
      const bool any = query.size() < 32 ? shared_transpositions<5>(prepared, levels, need, left)
                                         : shared_transpositions<7>(prepared, levels, need, left);
      bool expected_any = false;
      for (int transposition = -kMostPitch; transposition <= kMostPitch; ++transposition) {
        const bool expected = shared_by_counting(query, document, transposition, kLevels) >= need;
        const int bit = transposition - prepared.lowest;
        const bool inside = bit >= 0 && bit < 32 * prepared.words;
        const bool has =
            inside && ((left.word[static_cast<std::size_t>(bit / 32)] >> static_cast<unsigned>(bit % 32)) & 1U) != 0;
        // With as many notes on a pitch as there are levels the window may be narrower than what is counted, never
        // narrower than what is shared.
        const bool truly = shared_by_counting(query, document, transposition, kMostNotes) >= need;
        if (inside) {
          ASSERT_EQ(has, expected) << "round " << round << ", need " << need << ", " << transposition;
        }
        if (truly && need > 0) {
          ASSERT_TRUE(has) << "a transposition that shares enough notes was lost";
        }
        expected_any = expected_any || has;
      }
      EXPECT_TRUE(any || !expected_any);
    }
  }
}

TEST(PairScore, TheExactTotalIsThatOfTheSystem) {
  int narrow_ones = 0;
  std::mt19937 random(5);
  const explained::Settings settings = explained::settings_of(standard_plan());
  const explained::Costs rhythmic(settings, true);
  const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
  const ChosenSystem system = resolve_system("rondo").value();
  for (int round = 0; round < test::rounds(400); ++round) {
    const Line query = line_from(random, std::max<std::size_t>(2, some_length(random, round)), below(random, 7));
    const Line document = line_from(random, std::max<std::size_t>(2, some_length(random, round)), below(random, 7));
    Features features;
    explained::make_features(query.pitch, query.onset, query.duration, features);
    Features other;
    explained::make_features(document.pitch, document.onset, document.duration, other);
    Melody melody = melody_of(features);
    melody.perfect = explained::Costs(settings, features.rhythm).perfect(features);
    const Query prepared = make_query(melody, notes_of(features, rhythmic), 0, {}, *tables);
    const std::vector<Note> notes = notes_of(other, rhythmic);
    std::int32_t cells[kMostNotes + 1] = {};
    const auto pitch = [&](std::uint32_t j) { return notes[j].pitch; };
    const double expected = system.system->prepare(query)->score(document).value;
    // One transposition after the other, and both at once.
    for (const bool narrow : {false, prepared.narrow != 0}) {
      const auto total_from = [&](std::int32_t least) {
        return exact_total<std::uint64_t>(*tables, prepared.melody, prepared.note, prepared.where, narrow,
                                          melody_of(other), pitch, notes.data(), least, cells);
      };
      const std::int32_t total = total_from(kNoTotal);
      ASSERT_EQ(static_cast<double>(total) / melody.perfect, expected) << "round " << round;
      ASSERT_EQ(total_from(total), total) << "round " << round;
      ASSERT_LT(total_from(total + 1), total + 1) << "round " << round;
    }
    narrow_ones += prepared.narrow;
  }
  EXPECT_GT(narrow_ones, test::rounds(300));
}

TEST(PairScore, NoPairThatReachesItsThresholdIsLost) {
  std::mt19937 random(4);
  const RondoPlan plan = standard_plan();
  const explained::Settings settings = explained::settings_of(plan);
  const explained::Costs rhythmic(settings, true);
  const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
  int reached = 0;
  for (int round = 0; round < test::rounds(400); ++round) {
    const int kind = below(random, 7);
    const Features query = hostile_features(random, some_length(random, round), kind);
    // A variant, so that some reach it.
    const Features document = round % 2 == 0 ? query : hostile_features(random, some_length(random, round), kind);
    if (query.size() < 2 || document.size() < 2) continue;
    std::vector<explained::CommonNotes::Found> found;
    explained::CommonNotes(query.pitch).find(document.pitch, found);
    const explained::Costs costs(settings, query.rhythm);
    if (found.empty()) continue;
    std::int32_t total = std::numeric_limits<std::int32_t>::min();
    std::uint32_t common = 0;
    for (std::size_t k = 0; k < std::min(explained::kTranspositions, found.size()); ++k) {
      const std::int32_t its = explained::align(costs, query, document, found[k].transposition);
      if (its > total) common = found[k].notes;
      total = std::max(total, its);
    }
    Melody melody = melody_of(query);
    melody.least_total = total;
    melody.perfect = costs.perfect(query);
    const Query prepared = make_query(melody, notes_of(query, rhythmic), 0, {kMostPitch, 1, true}, *tables);
    const std::vector<Note> notes = notes_of(document, rhythmic);
    std::array<std::uint64_t, kLevels> levels{};
    for (const Note& note : notes) add_pitch(levels, note.pitch);
    Transpositions left{};
    ASSERT_TRUE(shared_transpositions<7>(prepared, levels, common, left));
    const auto pitch = [&](std::uint32_t j) { return notes[j].pitch; };
    const auto length = [&](std::uint32_t j) { return notes[j].length + kMostLengthSteps; };
    const OrderedQuery<decltype(prepared.where), decltype(prepared.alike)> ordered{
        prepared.where, prepared.alike, prepared.least_alike, prepared.melody.notes, prepared.by_length != 0};
    const OrderedDocument<decltype(pitch), decltype(length)> with{pitch, length,
                                                                  static_cast<std::uint32_t>(notes.size())};
    ASSERT_TRUE(ordered_transpositions<std::uint64_t>(prepared, ordered, with, common, left)) << "round " << round;
    std::int32_t cells[kMostNotes + 1] = {};
    bool holds = false;
    for (int t = -kMostPitch; t <= kMostPitch; ++t) {
      const auto bit = static_cast<unsigned>(t - prepared.lowest);
      if (t < prepared.lowest || bit >= 32U * prepared.words || (left.word[bit / 32] >> (bit % 32) & 1U) == 0) continue;
      holds =
          holds || may_hold(*tables, {0, 0}, prepared, melody_of(document), notes.data(), notes.data(), t, left, cells);
    }
    ASSERT_TRUE(holds) << "round " << round;
    ++reached;
  }
  EXPECT_GT(reached, test::rounds(100));
}

}  // namespace
}  // namespace rondo::gpu
