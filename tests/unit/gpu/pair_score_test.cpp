#include "gpu/pair_score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "gpu/card.h"
#include "gpu/prepare.h"
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
    ASSERT_TRUE(explained::in_supported_range(plan));
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
      Melody melody = melody_of(query);
      melody.perfect = costs.perfect(query);
      std::int32_t cells[kMostNotes + 1] = {};
      for (const int transposition : {-kMostPitch, -3, 0, below(random, 12), kMostPitch}) {
        const auto total_from = [&](std::int32_t least) {
          return align(*tables, melody, query_notes.data(), document_notes.data(),
                       static_cast<std::uint32_t>(document.size()), transposition, least, cells);
        };
        const std::int32_t total = total_from(kNoTotal);
        ASSERT_EQ(total, explained::align(costs, query, document, transposition)) << "round " << round;
        // With a least total: the same if it is reached, and less than it if not.
        const std::int32_t least = total + 50 - below(random, 100);
        const std::int32_t bounded = total_from(least);
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
    const Query prepared = make_query(melody_of(query), notes_of(query, rhythmic), 0);
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

TEST(PairScore, TheExactTotalIsThatOfTheSystem) {
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
    const Query prepared = make_query(melody, notes_of(features, rhythmic), 0);
    const std::vector<Note> notes = notes_of(other, rhythmic);
    std::int32_t cells[kMostNotes + 1] = {};
    const auto pitch = [&](std::uint32_t j) { return notes[j].pitch; };
    const double expected = system.system->prepare(query)->score(document).value;
    const std::int32_t total = exact_total<std::uint64_t>(*tables, prepared.melody, prepared.note, prepared.where,
                                                          melody_of(other), pitch, notes.data(), cells);
    ASSERT_EQ(static_cast<double>(total) / melody.perfect, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace rondo::gpu
